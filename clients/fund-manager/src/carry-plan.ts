/**
 * What carry does next in one coin, from what it has and nothing else: long coins, short as many of the contract, one leg never more than a slice ahead of the other. Sizes are in
 * lots, which are the same of the spot market and of the contract; money is in atoms of the coin in which the fund is settled.
 */
import type { Lots } from '@orrery/units';
import { lots } from '@orrery/units';

/** The rules of the strategy: the words beside the fund are made of these numbers. */
export const CARRY = {
  coins: ['BTC', 'ETH'],
  /** Of the worth of the fund, in each coin: bought up to the first one, left between the next two. */
  sharePercent: 30,
  lowPercent: 25,
  highPercent: 35,
  /** The most that one leg is ahead of the other, of the worth of the fund. */
  slicePercent: 5,
  /** Funding is judged by its average over this number of intervals. */
  averageOf: 24,
  /** It is left when that average, of this number of intervals at least, is below zero. */
  leftAfter: 8,
  /** It is entered where that average, paid for this number of hours, is more than the fees of both legs, in and out. */
  holdHours: 720,
  /** How far from the outside price an order may trade. */
  slippagePpm: 2_000,
  /** Tries to hedge, five seconds apart, before the coins that have no contract against them are sold. */
  hedgeTries: 6,
  /** Minutes for which nothing is bought of a coin that was sold because of that: buying and selling it again and again would cost both fees each time. */
  restMinutes: 60,
} as const;

/** One coin as it is now. */
export interface CarryView {
  /** Atoms that the part of the fund is worth whose shares do not wait to be redeemed; undefined while a price is missing. */
  readonly worth: bigint | undefined;
  /** Whole lots of the coin. */
  readonly coins: number;
  /** Lots of the contract that are sold short; below zero of a long position. */
  readonly short: number;
  /** Atoms of one lot at the outside price. */
  readonly lotWorth: bigint;
  /** Lots of the smallest order of both markets. */
  readonly least: number;
  /** Rates of the intervals of funding that were settled, newest first, in parts per billion; above zero who is short is paid. */
  readonly fundings: readonly bigint[];
  /** Of this interval as it is predicted: it counts while none was settled. */
  readonly predicted: bigint;
  readonly intervalHours: number;
  /** Taker fees of the spot market and of the contract together. */
  readonly feesPpm: number;
  /** Rounds in which nothing could be sold short against coins. */
  readonly missedHedges: number;
  /** Nothing is bought: the contract takes no order that makes a position larger, or could not be sold a short time ago. */
  readonly isResting: boolean;
}

export interface CarryStep {
  readonly leg: 'spot' | 'contract';
  readonly side: 'buy' | 'sell';
  readonly size: Lots;
  readonly reduceOnly: boolean;
}

/** The lots that a percentage of the fund is worth. */
const lotsOf = ({ worth = 0n, lotWorth }: CarryView, percent: number): number => Number((worth * BigInt(percent)) / (100n * lotWorth));

/** Lots of coins that are wanted. */
export function carryTarget(view: CarryView): number {
  const { coins, worth, fundings, predicted, feesPpm, intervalHours, isResting } = view;
  if (worth === undefined) return coins;
  const averaged = fundings.length === 0 ? [predicted] : fundings.slice(0, CARRY.averageOf);
  const sum = averaged.reduce((total, rate) => total + rate, 0n);
  // A prediction alone turns with every gap in the book: nothing is left for it.
  if (sum < 0n && averaged.length >= CARRY.leftAfter) return 0;
  const paid = sum * BigInt(CARRY.holdHours);
  const costs = BigInt(2 * feesPpm) * 1_000n * BigInt(averaged.length * intervalHours);
  if (coins > lotsOf(view, CARRY.highPercent)) return lotsOf(view, CARRY.sharePercent);
  if (!isResting && coins < lotsOf(view, CARRY.lowPercent) && paid > costs) return lotsOf(view, CARRY.sharePercent);
  return coins;
}

/** Undefined when there is nothing to do. Legs that differ come before everything else. */
export function carryStep(view: CarryView): CarryStep | undefined {
  const { coins, short, least, missedHedges } = view;
  const target = carryTarget(view);
  const slice = Math.max(least, lotsOf(view, CARRY.slicePercent));
  const tooMany = coins - target;
  if (short - coins >= least) return { leg: 'contract', side: 'buy', size: lots(short - coins), reduceOnly: true };
  if (coins - short >= least) {
    const naked = Math.min(coins - short, coins);
    const sold = Math.min(naked, tooMany);
    if (sold >= least) return { leg: 'spot', side: 'sell', size: lots(sold), reduceOnly: false };
    if (missedHedges >= CARRY.hedgeTries && naked >= least) return { leg: 'spot', side: 'sell', size: lots(naked), reduceOnly: false };
    return { leg: 'contract', side: 'sell', size: lots(coins - short), reduceOnly: false };
  }
  if (tooMany >= least) return { leg: 'spot', side: 'sell', size: lots(Math.min(tooMany, slice)), reduceOnly: false };
  if (0 - tooMany >= least) return { leg: 'spot', side: 'buy', size: lots(Math.min(0 - tooMany, slice)), reduceOnly: false };
  return undefined;
}
