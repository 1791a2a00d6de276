/** What a trade would make of a position, by the rules that the engine computes with: its entry, the margin it needs and where it is liquidated. */
import { contractNotional, initialMargin, openLoss, releasedCost, sideNeed, unrealizedProfit } from '@orrery/rules';
import type { Direction, Holding, MarginTerms, OpeningTerms, PricedTerms } from '@orrery/rules';
import { addAtoms, atoms, bigintOf, divFloor, minLots, NO_ATOMS, NO_LOTS, subtractAtoms, subtractLots, addLots } from '@orrery/units';
import type { Atoms, Lots, Ticks } from '@orrery/units';
import { outlookOf } from './position-holding.ts';
import type { Backing, Outlook } from './position-holding.ts';

export interface PlannedTrade {
  readonly side: 'buy' | 'sell';
  readonly size: Lots;
  readonly price: Ticks;
}

const directionOf = (side: PlannedTrade['side']): Direction => (side === 'buy' ? 'long' : 'short');

/** The position after a trade: it adds, reduces, closes, or turns it round. `undefined` when nothing is left. */
export function holdingAfter(before: Holding | undefined, trade: PlannedTrade, terms: MarginTerms): Holding | undefined {
  const direction = directionOf(trade.side);
  const opened = (size: Lots): Holding => ({ direction, size, cost: contractNotional(trade.price, size, terms) });
  if (before === undefined) return opened(trade.size);
  if (before.direction === direction) {
    const added = opened(trade.size);
    return { direction, size: addLots(before.size, added.size), cost: addAtoms(before.cost, added.cost) };
  }
  if (trade.size === before.size) return undefined;
  if (trade.size > before.size) return opened(subtractLots(trade.size, before.size));
  const released = releasedCost(before.cost, trade.size, before.size);
  return { direction: before.direction, size: subtractLots(before.size, trade.size), cost: subtractAtoms(before.cost, released) };
}

/** The profit that a trade realises of a position, before fees; below zero for a loss, zero when it adds. */
export function realizedBy(before: Holding | undefined, trade: PlannedTrade, terms: MarginTerms): Atoms {
  if (before === undefined || before.direction === directionOf(trade.side)) return NO_ATOMS;
  const closed = trade.size < before.size ? trade.size : before.size;
  const part = { ...before, size: closed, cost: releasedCost(before.cost, closed, before.size) };
  return unrealizedProfit(part, trade.price, terms);
}

/** What the part of a trade that opens loses at once against the mark: an order needs it beyond its initial margin. Nothing without a mark. */
export function lossAtOnce(before: Holding | undefined, { side, size, price }: PlannedTrade, mark: Ticks, terms: MarginTerms): Atoms {
  const closed = before === undefined || before.direction === directionOf(side) ? NO_LOTS : before.size;
  return size <= closed ? NO_ATOMS : openLoss({ side, price, size: subtractLots(size, closed) }, mark, terms);
}

/** What a trade takes from the available money: the initial margin and the taker fee of what it opens, and what it loses at once against the mark. */
export function marginNeeded(
  before: Holding | undefined,
  trade: PlannedTrade,
  { mark, terms, ...opening }: OpeningTerms & { readonly mark: Ticks; readonly terms: MarginTerms },
): Atoms {
  const closes = before === undefined || before.direction === directionOf(trade.side) ? NO_LOTS : before.size;
  const orders = { size: trade.size, notional: contractNotional(trade.price, trade.size, terms) };
  return addAtoms(sideNeed(orders, closes, opening), lossAtOnce(before, trade, mark, terms));
}

/** The part of a position after a trade that the trade opened; `undefined` of one that only closes. */
export function openedBy(before: Holding | undefined, trade: PlannedTrade, terms: MarginTerms): Holding | undefined {
  const direction = directionOf(trade.side);
  const size =
    before === undefined || before.direction === direction ? trade.size : subtractLots(trade.size, minLots(before.size, trade.size));
  return size === NO_LOTS ? undefined : { direction, size, cost: contractNotional(trade.price, size, terms) };
}

/** The margin behind the position after a trade: what it realises and costs moves it; an isolated one takes with it what it adds and gives back what it closes. */
export function backingAfter(
  before: Holding | undefined,
  backing: Backing,
  trade: PlannedTrade & { readonly fee: Atoms },
  terms: MarginTerms,
): Backing {
  const realized = realizedBy(before, trade, terms);
  if (backing.mode === 'CROSSED') return { ...backing, margin: subtractAtoms(addAtoms(backing.margin, realized), trade.fee) };
  const after = holdingAfter(before, trade, terms);
  if (after === undefined) return { ...backing, margin: NO_ATOMS };
  if (before === undefined || before.direction !== after.direction)
    return { ...backing, margin: initialMargin(after.cost, backing.leverage) };
  if (after.size > before.size) {
    return { ...backing, margin: addAtoms(backing.margin, initialMargin(subtractAtoms(after.cost, before.cost), backing.leverage)) };
  }
  return { ...backing, margin: atoms(divFloor(backing.margin * bigintOf(after.size), bigintOf(before.size))) };
}

/** A position after a trade, at the mark. Its margin is what the exchange asks for: with what the trade loses at once. */
export function outlookAfter(
  before: Holding | undefined,
  backing: Backing,
  { trade, mark, terms }: { readonly trade: PlannedTrade & { readonly fee: Atoms }; readonly mark: Ticks; readonly terms: PricedTerms },
): Outlook {
  const after = outlookOf(holdingAfter(before, trade, terms), backingAfter(before, backing, trade, terms), terms, mark);
  return { ...after, margin: addAtoms(after.margin, lossAtOnce(before, trade, mark, terms)) };
}
