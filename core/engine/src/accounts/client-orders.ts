/** By what name a client knows its orders, and for how long: while they are open, and a while after. */
import { NO_LOTS, NO_TICKS, type Millis, type OrderId } from '@orrery/units';
import type { AmendOrder, Order } from '@orrery/protocol';
import { CLOSED_CLIENT_ORDERS_REMEMBERED, CLOSED_CLIENT_ORDERS_REMEMBERED_MS } from '@orrery/rules';
import type { OpenOrder } from '../orders/open-order.ts';
import type { Account } from './account.ts';

/** What is remembered of a closed order: enough to know the command that placed it when it comes again. */
export interface ClosedClientOrder {
  readonly order: Order;
  /** The order it was an amendment of; 0 for none. */
  readonly replaces: OrderId | 0;
  readonly closedAt: Millis;
}

/** The order that this account named so and that is still known: the open one first. */
function knownOrder(account: Account, clientOrderId: string, at: Millis): Pick<ClosedClientOrder, 'order' | 'replaces'> | undefined {
  if (clientOrderId === '') return undefined;
  const open = account.clientOrders.get(clientOrderId);
  if (open !== undefined) return open;
  const closed = account.closedClientOrders.get(clientOrderId);
  return closed !== undefined && isRemembered(closed, at) ? closed : undefined;
}

/** The order that the same command placed before, if it did. */
export function placedBefore(account: Account, asked: Order): Order | undefined {
  const known = knownOrder(account, asked.clientOrderId, asked.createdAt);
  return known !== undefined && isSameBody(known.order, asked) ? known.order : undefined;
}

/** The order that the same amendment made before, if it did. */
export function amendedBefore(account: Account, command: AmendOrder, at: Millis): Order | undefined {
  const known = knownOrder(account, command.clientOrderId, at);
  if (known === undefined || known.replaces !== command.orderId) return undefined;
  const samePrice = command.price === NO_TICKS || command.price === known.order.price;
  const sameSize = command.size === NO_LOTS || command.size === known.order.size;
  return samePrice && sameSize ? known.order : undefined;
}

/** Forgets the oldest beyond the number and the time that are remembered, so that an account's memory is bounded. */
export function rememberClosed(account: Account, open: OpenOrder, at: Millis): void {
  const { clientOrderId } = open.order;
  if (clientOrderId === '') return;
  account.clientOrders.delete(clientOrderId);
  const closed = account.closedClientOrders;
  closed.delete(clientOrderId);
  closed.set(clientOrderId, { order: open.order, replaces: open.replaces, closedAt: at });
  for (const [name, order] of closed) {
    if (closed.size <= CLOSED_CLIENT_ORDERS_REMEMBERED && isRemembered(order, at)) break;
    closed.delete(name);
  }
}

function isRemembered(closed: ClosedClientOrder, at: Millis): boolean {
  return at - closed.closedAt < CLOSED_CLIENT_ORDERS_REMEMBERED_MS;
}

function isSameBody(left: Order, right: Order): boolean {
  return (
    left.market === right.market &&
    left.side === right.side &&
    left.orderType === right.orderType &&
    left.timeInForce === right.timeInForce &&
    left.price === right.price &&
    left.size === right.size &&
    left.funds === right.funds &&
    left.triggerPrice === right.triggerPrice &&
    left.slippagePpm === right.slippagePpm &&
    left.selfTradePrevention === right.selfTradePrevention
  );
}
