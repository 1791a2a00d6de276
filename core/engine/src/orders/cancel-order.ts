import type { AccountId, Millis, OrderId } from '@orrery/units';
import type { CancelOrder, CommandRejected, Event } from '@orrery/protocol';
import { isClientOrderId, reject } from '@orrery/rules';
import type { Trading } from './trading.ts';
import { cancelOpenOrder } from './close-order.ts';
import type { OpenOrder } from './open-order.ts';
import type { OpenOrders } from './open-orders.ts';
import type { CommandScope } from './command-scope.ts';

export function cancelOrder(trading: Trading, command: CancelOrder, at: Millis): Event[] {
  const malformed = checkNaming(command);
  if (malformed !== undefined) return [malformed];
  if (!trading.accounts.has(command.account)) return [reject('UnknownAccount', 'account')];
  const open = namedOrder(trading, command);
  if (open === undefined) return [reject('UnknownOrder', command.orderId === 0 ? 'clientOrderId' : 'orderId')];
  if (trading.accounts.is(command.account, 'blocked')) return [reject('AccountBlocked', 'account')];
  if (open.market.state === 'HALT') return [reject('MarketHalted', 'market')];
  // After this point nothing fails.
  const scope: CommandScope = { trading, at, events: [] };
  cancelOpenOrder(scope, open, 'canceledByAccount');
  return scope.events;
}

/** An order is named by one of its two ids. */
function checkNaming({ orderId, clientOrderId }: CancelOrder): CommandRejected | undefined {
  if (!isClientOrderId(clientOrderId)) return reject('InvalidField', 'clientOrderId');
  if (orderId === 0 && clientOrderId === '') return reject('InvalidField', 'orderId');
  return orderId !== 0 && clientOrderId !== '' ? reject('InvalidCombination', 'clientOrderId') : undefined;
}

function namedOrder({ orders }: Trading, { account, orderId, clientOrderId }: CancelOrder): OpenOrder | undefined {
  return orderId === 0 ? orders.named.open(account, clientOrderId) : ownOrder(orders, account, orderId);
}

/** The open order of this account, or none: other people's orders are unknown. */
export function ownOrder(orders: OpenOrders, account: AccountId, orderId: OrderId): OpenOrder | undefined {
  const open = orders.get(orderId);
  return open?.order.account === account ? open : undefined;
}
