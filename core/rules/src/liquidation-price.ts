/**
 * The mark at which an account is liquidated while everything but one contract stands still: the price that view, API and terminal show beside a position.
 *
 * At a mark p the slack of the account is
 *
 *     slack(p) = rest + Σ profit(leg, p) − Σ maintenance(leg, p) + worth of its own coin at p
 *
 * and the account is liquidated where it is below 0. Both legs of hedge mode move with the mark. So does collateral in the coin that the contract is on:
 * its price moves in proportion to the mark. Money, other collateral, and the profit less the maintenance of other contracts are the rest.
 */
import { atoms, bigintOf, NO_TICKS, ticks, type Atoms, type Ticks } from '@orrery/units';
import { collateralWorth, type CollateralTerms } from './collateral-worth.ts';
import { maintenanceMargin } from './margin-tiers.ts';
import type { MarginTerms } from './margin.ts';
import { contractNotional, profitOf, type Direction, type Holding } from './payoff.ts';

/** Free collateral in the coin of a contract, at its present price. */
export interface OwnCoin extends CollateralTerms {
  readonly amount: Atoms;
}

export interface PricedTerms extends MarginTerms {
  /** Beyond these the contract has no price. */
  readonly minPrice: Ticks;
  readonly maxPrice: Ticks;
}

/** What stands and falls together with a position, as far as it depends on the mark of its contract. */
export interface AtMark {
  /** The present mark, at least 1. */
  readonly mark: Ticks;
  /** The positions in the contract that share their margin: one, in hedge mode up to two; an isolated one alone. */
  readonly legs: readonly Holding[];
  /**
   * In settle atoms, signed: of an isolated position its margin. Of cross positions the free settle money, the worth of other collateral, and the profit of
   * positions in other contracts less their maintenance.
   */
  readonly rest: Atoms;
  readonly coin?: OwnCoin | undefined;
  readonly terms: PricedTerms;
}

/** Equity less maintenance at a mark, by definition: below 0 the account is liquidated. */
export function slackAt({ legs, rest, coin, terms, mark }: AtMark, price: Ticks): Atoms {
  let slack: bigint = rest;
  for (const { direction, size, cost } of legs) {
    const notional = contractNotional(price, size, terms);
    slack += profitOf(direction, cost, notional, terms.payoff) - maintenanceMargin(notional, terms.tiers);
  }
  return atoms(coin === undefined ? slack : slack + ownCoinWorth(coin, price, mark));
}

/** The price of the coin goes with the mark, as a fraction: only its worth is rounded. At the present mark it is what the coin counts for now. */
function ownCoinWorth({ amount, price, lotAtoms, tickLotAtoms, ratioPpm }: OwnCoin, at: Ticks, mark: Ticks): Atoms {
  const [now, then] = [bigintOf(mark), bigintOf(at)];
  return collateralWorth(amount, { price, lotAtoms: atoms(lotAtoms * now), tickLotAtoms: atoms(tickLotAtoms * then), ratioPpm });
}

/** Roundings change the slack by less than this: of each leg its notional and its maintenance, of the coin its value and the share of it. */
const ROUNDING_OF_LEG = 4n;
const ROUNDING_OF_COIN = 2n;
/** Ticks that are looked at one by one where roundings decide. */
const LOOKED_AT = 1_000;

/**
 * The mark nearest to the present one, in the losing direction of a leg, at which the account is liquidated: below it for a long, above it for a short.
 * The present mark when the account is below its maintenance already; `NO_TICKS` when no price of the contract in that direction
 * liquidates it.
 *
 * Without roundings the slack is concave in the price, or in 1 / price for an inverse contract, since the rates of the tiers rise: what is between two safe
 * marks is safe. With them that holds between marks whose slack is beyond all roundings together. The last of these is found by halving, and the
 * ticks beyond it are looked at one by one. Where an account stays within these few atoms for more than `LOOKED_AT` ticks, the answer is a mark
 * that liquidates it, though perhaps not the nearest, and `NO_TICKS` when the last price of the contract does not.
 */
export function liquidationPrice(direction: Direction, at: AtMark): Ticks {
  const { mark, legs, terms } = at;
  if (slackAt(at, mark) < 0n) return mark;
  const towards = direction === 'long' ? -1 : 1;
  const end = direction === 'long' ? Math.min(terms.minPrice, mark) : Math.max(terms.maxPrice, mark);
  const clear = bigintOf(legs.length) * ROUNDING_OF_LEG + ROUNDING_OF_COIN;
  const isClear = (price: number): boolean => slackAt(at, ticks(price)) >= clear;
  const isUnsafe = (price: number): boolean => slackAt(at, ticks(price)) < 0n;
  let price: number = mark;
  for (let looked = 0, isCleared = false; looked < LOOKED_AT; looked += 1) {
    if (price === end) return NO_TICKS;
    if (!isCleared && isClear(price)) {
      isCleared = true;
      if (isClear(end)) return NO_TICKS;
      price = lastBefore(price, end, (each) => !isClear(each));
    }
    price += towards;
    if (isUnsafe(price)) return ticks(price);
  }
  if (!isUnsafe(end)) return NO_TICKS;
  return ticks(lastBefore(price, end, isUnsafe) + towards);
}

/** Of the prices from one at which it is not reached to one at which it is: the last before it. In steps that double, then by halving. */
function lastBefore(from: number, end: number, isReached: (price: number) => boolean): number {
  let [near, far] = [from, end];
  if (end > from) {
    for (let next = from * 2; next < end; next *= 2) {
      if (isReached(next)) {
        far = next;
        break;
      }
      near = next;
    }
  }
  while (Math.abs(far - near) > 1) {
    const middle = Math.floor(near + (far - near) / 2);
    if (isReached(middle)) far = middle;
    else near = middle;
  }
  return near;
}
