/** What an order trades, holds and costs, by the rules of the exchange and the book as it stands. */
import { addAtoms, addLots, NO_ATOMS, NO_LOTS, NO_TICKS } from '@orrery/units';
import type { Atoms, Lots } from '@orrery/units';
import type { Market, Order } from '@orrery/protocol';
import { baseAmount, feeOn, hasLimit, holdOf, isByFunds, isStop, notional, worstPrice } from '@orrery/rules';
import { levelPrice, walkBook } from '../../shared/ticket/book-walk.ts';
import type { BookWalk } from '../../shared/ticket/book-walk.ts';
import type { TicketContext } from './ticket-context.ts';

export interface Cost {
  /** What trades at once and what rests. */
  readonly size: Lots;
  /** Quote atoms: what trades at once at the prices of the book, what rests at its own. */
  readonly value: Atoms;
  /** Of the asset that is given: what is paid at once and what is held for the rest. */
  readonly spent: Atoms;
  /** Of the asset that is received: as a taker of what trades at once, as a maker of the rest. */
  readonly fee: Atoms;
  /** Of orders that may trade at once. */
  readonly walk: BookWalk | undefined;
}

type CostContext = Pick<TicketContext, 'market' | 'bids' | 'asks' | 'reference'>;

/** `undefined` while the order lacks a size or a price. */
export function costOf(order: Order, context: CostContext): Cost | undefined {
  const isSized = order.size > NO_LOTS || isByFunds(order);
  const isPriced = !hasLimit(order) || order.price > NO_TICKS;
  if (!isSized || !isPriced) return undefined;
  if (isStop(order)) return order.triggerPrice === NO_TICKS ? undefined : costOfStop(order, context.market.terms);
  return order.timeInForce === 'GTX' ? costOfRest(order, order.size, context.market.terms) : costAtOnce(order, context);
}

/** A stop holds what it may cost when it triggers; what it then meets is not known yet. */
function costOfStop(order: Order, terms: Market): Cost {
  const { side, size } = order;
  const value = notional(order.price === NO_TICKS ? order.triggerPrice : order.price, size, terms);
  const received = side === 'buy' ? baseAmount(size, terms) : value;
  return { size, value, spent: holdOf(order, size, terms), fee: feeOn(received, terms.takerFeePpm), walk: undefined };
}

/** What rests is taken at its own price, by others. */
function costOfRest(order: Order, size: Lots, terms: Market): Cost {
  const value = notional(order.price, size, terms);
  const received = order.side === 'buy' ? baseAmount(size, terms) : value;
  return { size, value, spent: holdOf(order, size, terms), fee: feeOn(received, terms.makerFeePpm), walk: undefined };
}

function costAtOnce(order: Order, { market: { terms }, bids, asks, reference }: CostContext): Cost {
  const levels = order.side === 'buy' ? asks : bids;
  const bound = worstPrice(order, levelPrice(levels, 0), reference, terms);
  const walk = walkBook({ levels, order, bound, terms });
  const rest = hasLimit(order) && order.timeInForce === 'GTC' ? costOfRest(order, walk.remaining, terms) : undefined;
  const paid = order.side === 'buy' ? walk.traded : baseAmount(walk.filled, terms);
  return {
    size: addLots(walk.filled, rest?.size ?? NO_LOTS),
    value: addAtoms(walk.traded, rest?.value ?? NO_ATOMS),
    spent: addAtoms(paid, rest?.spent ?? NO_ATOMS),
    fee: addAtoms(walk.fee, rest?.fee ?? NO_ATOMS),
    walk,
  };
}
