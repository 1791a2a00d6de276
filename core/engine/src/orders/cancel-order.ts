import type { Millis, OrderId } from '@orrery/units';
import type { CancelOrder, CommandRejected, Event } from '@orrery/protocol';
import { isClientOrderId, reject } from '@orrery/rules';
import type { Account } from '../accounts/account.ts';
import type { Exchange } from '../state/exchange.ts';
import { cancelOpenOrder } from './close-order.ts';
import type { OpenOrder } from './open-order.ts';
import type { Turn } from './turn.ts';

export function cancelOrder(exchange: Exchange, command: CancelOrder, at: Millis): Event[] {
  const malformed = checkNaming(command);
  if (malformed !== undefined) return [malformed];
  const account = exchange.accounts.get(command.account);
  if (account === undefined) return [reject('UnknownAccount', 'account')];
  const open = namedOrder(exchange, account, command);
  if (open === undefined) return [reject('UnknownOrder', command.orderId === 0 ? 'clientOrderId' : 'orderId')];
  if (account.blocked) return [reject('AccountBlocked', 'account')];
  if (open.market.state === 'HALT') return [reject('MarketHalted', 'market')];
  // After this point nothing fails.
  const turn: Turn = { exchange, at, events: [] };
  cancelOpenOrder(turn, open, 'canceledByAccount');
  return turn.events;
}

/** An order is named by one of its two ids. */
function checkNaming({ orderId, clientOrderId }: CancelOrder): CommandRejected | undefined {
  if (!isClientOrderId(clientOrderId)) return reject('InvalidField', 'clientOrderId');
  if (orderId === 0 && clientOrderId === '') return reject('InvalidField', 'orderId');
  return orderId !== 0 && clientOrderId !== '' ? reject('InvalidCombination', 'clientOrderId') : undefined;
}

function namedOrder(exchange: Exchange, account: Account, { orderId, clientOrderId }: CancelOrder): OpenOrder | undefined {
  return orderId === 0 ? account.clientOrders?.open(clientOrderId) : ownOrder(exchange, account, orderId);
}

/** The open order of this account, or none: other people's orders are unknown. */
export function ownOrder(exchange: Exchange, account: Account, orderId: OrderId): OpenOrder | undefined {
  const open = exchange.orders.get(orderId);
  return open?.order.account === account.id ? open : undefined;
}
