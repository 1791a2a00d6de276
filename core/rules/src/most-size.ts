/**
 * The most that an order may have: what a page offers as the largest size, and a program can ask for before it sends. Exact, rounded down. It counts what is free
 * now; what an order is refused for by other orders of its account, and by the book, it does not know.
 */
import {
  addLots,
  atoms,
  bigintOf,
  divFloor,
  lots,
  minLots,
  NO_LOTS,
  NO_TICKS,
  ppm,
  type Atoms,
  type Lots,
  type Ticks,
} from '@orrery/units';
import type { BookTerms, Market, Payoff, Side } from '@orrery/protocol';
import { notional } from './notional.ts';

const MILLION = 1_000_000n;

/**
 * What the mark may move against an order between the question and its arrival. A program that asks for the most, and sends it at once, is not refused for the last cent.
 */
export const MOST_SLACK_PPM = ppm(500);

/** Of a contract. */
export interface ContractRoom {
  readonly side: Side;
  /** By which the order is valued. */
  readonly price: Ticks;
  /** 0 while it is not known. */
  readonly mark: Ticks;
  readonly leverage: number;
  /** Settle atoms that are free for initial margin and the fee. */
  readonly available: Atoms;
  /** Lots of a position that the order would close first. */
  readonly closes: Lots;
  /** Whether the order only closes. */
  readonly isReducing: boolean;
  readonly takerFeePpm: number;
  readonly maxSize: Lots;
  readonly terms: { readonly payoff: Payoff; readonly tickLotAtoms: Atoms };
}

/**
 * What closes the position, then what is free opens at the leverage: each atom of value needs 1 / leverage of margin, the taker fee, and what it loses at once
 * against the mark. `opens = floor(available / (1 / leverage + fee + loss))`, in lots at the price.
 */
export function mostOfContract(room: ContractRoom): Lots {
  const { price, leverage, available, closes, isReducing, takerFeePpm, maxSize, terms } = room;
  if (isReducing) return closes;
  if (price === NO_TICKS || available <= 0n) return minLots(closes, maxSize);
  const times = BigInt(leverage);
  const { loss, of } = lossShare(room);
  const need = (MILLION + BigInt(takerFeePpm) * times) * of + MILLION * times * loss;
  const value = atoms(divFloor(available * MILLION * times * of, need));
  return minLots(addLots(sizeWorth(value, price, terms), closes), maxSize);
}

/** What an order loses at once, as a fraction of its value at its price. */
function lossShare({ price, mark, side, terms }: ContractRoom): { readonly loss: bigint; readonly of: bigint } {
  const worse = mark === NO_TICKS ? 0 : side === 'buy' ? price - mark : mark - price;
  if (worse <= 0) return { loss: 0n, of: 1n };
  return { loss: BigInt(worse), of: BigInt(terms.payoff === 'linear' ? price : mark) };
}

/** The largest size whose value at a price is not above an amount of the settlement coin. */
export function sizeWorth(value: Atoms, price: Ticks, { payoff, tickLotAtoms }: ContractRoom['terms']): Lots {
  if (price === NO_TICKS) return NO_LOTS;
  const size = payoff === 'linear' ? divFloor(value, bigintOf(price) * tickLotAtoms) : divFloor(value * bigintOf(price), tickLotAtoms);
  return atMost(size);
}

/** The largest that one order may be, valued at a price; where none is known, at any. */
export function largestOrder(price: Ticks, payoff: Payoff, { maxSize, maxNotional, tickLotAtoms }: BookTerms): Lots {
  return price === NO_TICKS ? maxSize : minLots(maxSize, sizeWorth(maxNotional, price, { payoff, tickLotAtoms }));
}

/** Half of the largest safe integer: a sum of two such sizes is one too. */
const SIZE_MAX = (Number.MAX_SAFE_INTEGER - 1) / 2;
const atMost = (size: bigint): Lots => lots(size > BigInt(SIZE_MAX) ? SIZE_MAX : Number(size));

/** Of a spot market. */
export interface SpotRoom {
  readonly side: Side;
  /** At which a buy is held: its limit; of a stop at the market the bound of its trigger price. */
  readonly price: Ticks;
  /** Free in spot: quote atoms of a buy, base atoms of a sell. */
  readonly free: Atoms;
  readonly market: Market;
}

/** What is free at the price, or all that is free of what is sold; within the size and the value that one order of the market may have. */
export function mostOfSpot({ side, price, free, market }: SpotRoom): Lots {
  if (side === 'buy' && price === NO_TICKS) return NO_LOTS;
  const affordable = side === 'buy' ? divFloor(free, notional(price, lots(1), market)) : divFloor(free, market.lotAtoms);
  const size = minLots(atMost(affordable), market.maxSize);
  return price === NO_TICKS ? size : minLots(size, atMost(divFloor(market.maxNotional, notional(price, lots(1), market))));
}
