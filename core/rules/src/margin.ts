/** What orders and positions need, what may be taken back, and the prices at which a position is liquidated or bankrupt. In atoms of the settle asset. */
import { assert, atoms, bigintOf, divCeil, divFloor, negateAtoms, NO_ATOMS, NO_LOTS, NO_TICKS, ticks } from '@orrery/units';
import type { Atoms, Lots, Ppm, Ticks } from '@orrery/units';
import type { MarginTier, Side } from '@orrery/protocol';
import { initialMargin, scaleTiers } from './margin-tiers.ts';
import { contractNotional, gainsByNotional, profitOf, type Holding, type PayoffTerms } from './payoff.ts';

const MILLION = 1_000_000n;

/** The open orders of one side of a book, of one account in one contract, reduce-only orders apart. */
export interface SideOrders {
  /** Lots still to trade. */
  readonly size: Lots;
  /** Their notional at their limits. */
  readonly notional: Atoms;
}

/** What an account pays for opening. */
export interface OpeningTerms {
  /** A whole number from 1. */
  readonly leverage: number;
  readonly takerFeePpm: Ppm;
}

/**
 * What orders of one side need: the initial margin and the taker fee of the part that can open, each rounded up. Lots that only close what the
 * account holds on the other side open nothing.
 * @param opposite lots held in the direction that these orders close
 */
export const sideNeed = (orders: SideOrders, opposite: Lots, terms: OpeningTerms): Atoms =>
  openingNeed(openingNotional(orders, opposite), terms);

function openingNotional({ size, notional }: SideOrders, opposite: Lots): Atoms {
  if (size <= opposite) return NO_ATOMS;
  return opposite === NO_LOTS ? notional : atoms(divCeil(notional * bigintOf(size - opposite), bigintOf(size)));
}

function openingNeed(opening: Atoms, { leverage, takerFeePpm }: OpeningTerms): Atoms {
  if (opening === NO_ATOMS) return NO_ATOMS;
  return atoms(initialMargin(opening, leverage) + divCeil(opening * bigintOf(takerFeePpm), MILLION));
}

/** The orders of an account in one contract, and what it holds there. */
export interface OrdersOfContract {
  readonly buys: SideOrders;
  readonly sells: SideOrders;
  readonly long: Lots;
  readonly short: Lots;
}

/** What all orders of an account in one contract need in one-way mode: the greater of the two sides, since only one of them can open a position. */
export function oneWayNeed({ buys, sells, long, short }: OrdersOfContract, terms: OpeningTerms): Atoms {
  const buying = openingNotional(buys, short);
  const selling = openingNotional(sells, long);
  // The need grows with the notional, so the greater notional has the greater need.
  return openingNeed(buying > selling ? buying : selling, terms);
}

/**
 * What an order loses at once against the mark when it trades at its limit: of a buy what it pays above the mark, of a sell what it receives below it.
 * In settle atoms; nothing at the mark or better, and nothing without a mark.
 */
export function openLoss(
  { side, price, size }: { readonly side: Side; readonly price: Ticks; readonly size: Lots },
  mark: Ticks,
  terms: PayoffTerms,
): Atoms {
  if (mark === NO_TICKS || price === NO_TICKS || size === NO_LOTS) return NO_ATOMS;
  const [limit, worth] = [contractNotional(price, size, terms), contractNotional(mark, size, terms)];
  const profit = profitOf(side === 'buy' ? 'long' : 'short', limit, worth, terms.payoff);
  return profit < NO_ATOMS ? negateAtoms(profit) : NO_ATOMS;
}

/** The isolated margin that may be taken back: what is above the initial margin at entry, less a loss; a profit never counts. */
export function removableMargin(
  margin: Atoms,
  { cost, leverage, unrealized }: { cost: Atoms; leverage: number; unrealized: Atoms },
): Atoms {
  const floating = margin - initialMargin(cost, leverage);
  const removable = unrealized < 0n ? floating + unrealized : floating;
  return removable > 0n ? atoms(removable) : NO_ATOMS;
}

export interface MarginTerms extends PayoffTerms {
  readonly tiers: readonly MarginTier[];
}

/**
 * The price nearest to solvency at which the equity of a position is below its maintenance: a long is liquidated at or below it, a short at or above
 * it. Exact to the tick. `NO_TICKS` when no price liquidates it.
 * @param margin what covers the position's losses: its isolated margin, or for a cross position the equity of the account without the profit of this
 *   position, less the maintenance of its other positions; may be below zero
 */
export function lastUnsafePrice(holding: Holding, margin: Atoms, terms: MarginTerms): Ticks {
  const oneTick = bigintOf(holding.size) * terms.tickLotAtoms;
  if (gainsByNotional(holding.direction, terms.payoff)) {
    const least = leastSolventNotional(holding.cost - margin, terms.tiers);
    if (least <= 0n) return NO_TICKS;
    return terms.payoff === 'linear' ? priceOf((least - 1n) / oneTick) : priceOf(oneTick / least + 1n);
  }
  const most = greatestSolventNotional(holding.cost + margin, terms.tiers);
  // With nothing left, every notional is too much.
  if (most < 0n) return terms.payoff === 'linear' ? ticks(1) : priceOf(oneTick);
  return terms.payoff === 'linear' ? priceOf(most / oneTick + 1n) : priceOf(oneTick / (most + 1n));
}

/** The least notional N with N − debt ≥ maintenance(N): what a position that gains by its notional must be worth. */
function leastSolventNotional(debt: bigint, list: readonly MarginTier[]): bigint {
  if (debt <= 0n) return 0n;
  const { denominator, tiers } = scaleTiers(list);
  for (const [index, { maxNotional, rate, deduction }] of tiers.entries()) {
    const least = divCeilSigned(denominator * debt - deduction, denominator - rate);
    if (least <= maxNotional || index === tiers.length - 1) return least;
  }
  return 0n;
}

/** The greatest notional N with credit − N ≥ maintenance(N); below zero when there is none. */
function greatestSolventNotional(credit: bigint, list: readonly MarginTier[]): bigint {
  if (credit < 0n) return -1n;
  const { denominator, tiers } = scaleTiers(list);
  for (const [index, { maxNotional, rate, deduction }] of tiers.entries()) {
    const most = (denominator * credit + deduction) / (denominator + rate);
    if (most <= maxNotional || index === tiers.length - 1) return most;
  }
  return -1n;
}

/**
 * The worst price at which closing the whole position loses no more than `margin`, before fees: the least for a long, the greatest for a short.
 * `NO_TICKS` when every price does.
 */
export function bankruptcyPrice({ direction, size, cost }: Holding, margin: Atoms, { payoff, tickLotAtoms }: PayoffTerms): Ticks {
  const oneTick = bigintOf(size) * tickLotAtoms;
  if (gainsByNotional(direction, payoff)) {
    const least = cost - margin;
    if (least <= 0n) return NO_TICKS;
    return payoff === 'linear' ? priceOf(divCeil(least, oneTick)) : priceOf(divFloor(oneTick, least));
  }
  const most = cost + margin;
  assert(most >= 0n, 'a position that is closed for its margin has a margin');
  return payoff === 'linear' ? priceOf(divFloor(most, oneTick)) : priceOf(oneTick / (most + 1n) + 1n);
}

/**
 * The same as a bound of an order, for any margin: below nothing it is a price that no order has, so that nothing trades. `BOUND_NEVER` is beyond every price
 * of a book on the side of a sell.
 */
export function closingBound(holding: Holding, margin: Atoms, { payoff, tickLotAtoms }: PayoffTerms): Ticks {
  const { direction, size, cost } = holding;
  const oneTick = bigintOf(size) * tickLotAtoms;
  const isSell = direction === 'long';
  const never = isSell ? BOUND_NEVER : ticks(1);
  if (gainsByNotional(direction, payoff)) {
    const least = cost - margin;
    if (least <= 0n) return NO_TICKS;
    return boundAt(payoff === 'linear' ? divCeil(least, oneTick) : divFloor(oneTick, least), never);
  }
  const most = cost + margin;
  if (most < 0n) return never;
  return boundAt(payoff === 'linear' ? divFloor(most, oneTick) : oneTick / (most + 1n) + 1n, never);
}

/** Above every price of a book. */
const BOUND_NEVER = ticks(2 ** 31 - 1);

/** A buy at less than a tick never trades; a price beyond every book bounds a sell as much and a buy not at all. */
const boundAt = (value: bigint, never: Ticks): Ticks =>
  value < 1n ? never : value >= bigintOf(BOUND_NEVER) ? (never === BOUND_NEVER ? BOUND_NEVER : NO_TICKS) : ticks(Number(value));

/** A price beyond every whole number of ticks is none: no market reaches it. */
const priceOf = (value: bigint): Ticks => (value > 0n && value <= BigInt(Number.MAX_SAFE_INTEGER) ? ticks(Number(value)) : NO_TICKS);

/** Rounded up, for a dividend of either sign. */
const divCeilSigned = (dividend: bigint, divisor: bigint): bigint => (dividend > 0n ? divCeil(dividend, divisor) : dividend / divisor);
