/** How an order leaves: out of the book or the triggers, its reservation released, and the event emitted. */
import { assert, NO_LOTS, NO_TICKS, type Lots } from '@orrery/units';
import type { CloseReason } from '@orrery/protocol';
import { NO_SLOT } from '../book/book.ts';
import { hasAttached } from './attached-terms.ts';
import type { CommandScope } from './command-scope.ts';
import type { OpenOrder } from './open-order.ts';
import { endOfPartner, partnerOf } from './pair.ts';
import { followParent } from './count-purchase.ts';

/** Cancels an order wherever it stands. */
export function cancelOpenOrder(scope: CommandScope, open: OpenOrder, reason: CloseReason): void {
  const rested = open.status === 'resting';
  const removed = rested ? open.remaining : NO_LOTS;
  if (rested) open.market.book.remove(open.slot);
  else if (open.status === 'matching') scope.trading.matching.delete(open.order.market);
  else if (open.status === 'armed') open.market.triggers.remove(open.order, open.slot);
  releaseOrder(open);
  closeOrder(scope, open, { reason, rested, removed });
}

/** Cancels one of several orders: the one before it may have ended it. */
export function closeIfOpen(scope: CommandScope, open: OpenOrder, reason: CloseReason): void {
  if (scope.trading.orders.get(open.order.orderId) === open) cancelOpenOrder(scope, open, reason);
}

/** Releases what a waiting order has reserved: it acts from now on. It has left the book or the triggers already. */
export function releaseOrder(open: OpenOrder): void {
  assert(open.status !== 'acting', 'only a waiting order has a reservation');
  open.market.clearing.release(open, open.remaining);
  open.status = 'acting';
  open.slot = NO_SLOT;
}

interface Closing {
  readonly reason: CloseReason;
  /** Whether it stood in the book until now. */
  readonly rested: boolean;
  /** What this closing took out of the book. */
  readonly removed: Lots;
}

/** Ends an order that stands nowhere any more and has nothing reserved. */
export function closeOrder(scope: CommandScope, open: OpenOrder, closing: Closing): void {
  const { trading, at, events } = scope;
  assert(open.status === 'acting', 'an order is closed when it stands nowhere any more');
  const { order } = open;
  trading.orders.close(open, at);
  if (open.filled > NO_LOTS && hasAttached(order)) trading.ended.push(open);
  events.push({
    type: 'OrderClosed',
    orderId: order.orderId,
    account: order.account,
    market: order.market,
    clientOrderId: order.clientOrderId,
    reason: closing.reason,
    side: order.side,
    price: closing.rested ? order.price : NO_TICKS,
    removed: closing.removed,
    filled: open.filled,
    filledNotional: open.filledNotional,
  });
  if (order.spot === undefined) return;
  followParent(trading, open, closing.reason);
  const partner = partnerOf(trading, open);
  if (partner !== undefined && partner.status !== 'acting') cancelOpenOrder(scope, partner, endOfPartner(closing.reason));
}
