/** How an order leaves: out of the book or the waiting stops, its hold back to its account, and the fact told. */
import { assert, NO_LOTS, NO_TICKS, type Lots } from '@orrery/units';
import type { CloseReason } from '@orrery/protocol';
import { holdOf } from '@orrery/rules';
import { NO_SLOT } from '../book/book.ts';
import { release } from '../ledger/movements.ts';
import type { Exchange } from '../exchange.ts';
import type { OpenOrder } from './open-order.ts';
import type { Turn } from './turn.ts';

/** Cancels an order wherever it stands. */
export function cancelOpenOrder(turn: Turn, open: OpenOrder, reason: CloseReason): void {
  const rested = open.status === 'resting';
  const removed = rested ? open.remaining : NO_LOTS;
  recall(turn.exchange, open);
  closeOrder(turn, open, { reason, rested, removed });
}

/** Takes a waiting order from where it stands and gives back what it holds: it is acting now. */
function recall(exchange: Exchange, open: OpenOrder): void {
  const { market } = open;
  if (open.status === 'resting') market.book.remove(open.slot);
  if (open.status === 'armed') market.stops.remove(open);
  releaseHold(exchange, open);
}

/** For a stop that its trigger price has taken out of the waiting ones already. */
export function releaseHold(exchange: Exchange, open: OpenOrder): void {
  assert(open.status !== 'acting', 'only a waiting order holds money');
  release(exchange.ledger, open.spends, holdOf(open.order, open.remaining, open.market.terms));
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

/** Tells that an order is over. It stands nowhere any more and holds nothing. */
export function closeOrder({ exchange, at, events }: Turn, open: OpenOrder, closing: Closing): void {
  assert(open.status === 'acting', 'an order is closed when it stands nowhere any more');
  const { order } = open;
  exchange.orders.close(open, at);
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
}
