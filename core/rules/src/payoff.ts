/**
 * What a contract pays: linear contracts in the quote coin (profit follows the price), inverse ones in the base coin (profit follows 1 / price).
 * Everything is in atoms of the settle asset. A notional at a price rounds down, once and in one place; what both sides of a trade pay is computed
 * from the same notional, so that no rounding makes or loses money.
 */
import { assert, atoms, bigintOf, divFloor, subtractAtoms, ticks, type Atoms, type Lots, type Ticks } from '@orrery/units';
import type { Payoff } from '@orrery/protocol';

/** What the value of a contract depends on; a `Contract` has it. */
export interface PayoffTerms {
  readonly payoff: Payoff;
  /** Settle atoms of one lot at one tick; at least 1. */
  readonly tickLotAtoms: Atoms;
}

/** Which way a position gains: long by a rising price. */
export type Direction = 'long' | 'short';

/** A position as far as its value depends on it. */
export interface Holding {
  readonly direction: Direction;
  /** Lots held, at least 1. */
  readonly size: Lots;
  /** Settle atoms: the sum of the notionals of the trades that opened it. */
  readonly cost: Atoms;
}

/**
 * Settle atoms of `size` lots at `price`, at least 1 tick. Linear: price × size × tickLotAtoms, exact. Inverse: size × tickLotAtoms / price, rounded
 * down.
 */
export function contractNotional(price: Ticks, size: Lots, { payoff, tickLotAtoms }: PayoffTerms): Atoms {
  if (payoff === 'inverse') return atoms(divFloor(bigintOf(size) * tickLotAtoms, bigintOf(price)));
  const product = price * size;
  return atoms((Number.isSafeInteger(product) ? bigintOf(product) : bigintOf(price) * bigintOf(size)) * tickLotAtoms);
}

/** Whether a position of this direction gains when its notional in settle atoms grows: a linear long, and an inverse short. */
export const gainsByNotional = (direction: Direction, payoff: Payoff): boolean => (direction === 'long') === (payoff === 'linear');

/** The profit, below zero for a loss, of closing at `notional` what was opened at `cost`; exact. */
export function profitOf(direction: Direction, cost: Atoms, notional: Atoms, payoff: Payoff): Atoms {
  return gainsByNotional(direction, payoff) ? subtractAtoms(notional, cost) : subtractAtoms(cost, notional);
}

/** The profit that closing the whole position at `price` would realise, before fees. */
export function unrealizedProfit({ direction, size, cost }: Holding, price: Ticks, terms: PayoffTerms): Atoms {
  return profitOf(direction, cost, contractNotional(price, size, terms), terms.payoff);
}

/** The part of a position's cost that closing `closed` of its `size` lots releases: rounded down, so that what stays rounds up; all of it at the end. */
export function releasedCost(cost: Atoms, closed: Lots, size: Lots): Atoms {
  assert(closed <= size, 'no more is closed than is held');
  return atoms(divFloor(cost * bigintOf(closed), bigintOf(size)));
}

/** The price, in ticks rounded down, at which `size` lots, at least 1, cost `cost`, at least 1: for display only. */
export function entryPrice(cost: Atoms, size: Lots, { payoff, tickLotAtoms }: PayoffTerms): Ticks {
  const oneTick = bigintOf(size) * tickLotAtoms;
  return ticks(Number(payoff === 'linear' ? divFloor(cost, oneTick) : divFloor(oneTick, cost)));
}
