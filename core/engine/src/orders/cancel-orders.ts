/** Cancels orders together, all or none. */
import type { Millis } from '@orrery/units';
import type { CancelOrders, Event } from '@orrery/protocol';
import { ORDERS_PER_BATCH, reject } from '@orrery/rules';
import { ownOrder } from './cancel-order.ts';
import { closeIfOpen } from './close-order.ts';
import type { CommandScope } from './command-scope.ts';
import type { Trading } from './trading.ts';

export function cancelOrders(trading: Trading, { account, orderIds }: CancelOrders, at: Millis): Event[] {
  if (trading.rules < 8) return [reject('RulesTooOld')];
  const named = new Set(orderIds);
  if (orderIds.length === 0 || orderIds.length > ORDERS_PER_BATCH || named.size < orderIds.length)
    return [reject('InvalidField', 'orderIds')];
  if (!trading.accounts.has(account)) return [reject('UnknownAccount', 'account')];
  const chosen = orderIds.map((orderId) => ownOrder(trading.orders, account, orderId));
  const unknown = chosen.indexOf(undefined);
  if (unknown >= 0) return [reject('UnknownOrder', String(unknown))];
  if (trading.accounts.is(account, 'blocked')) return [reject('AccountBlocked', 'account')];
  const halted = chosen.findIndex((open) => open?.market.state === 'HALT');
  if (halted >= 0) return [reject('MarketHalted', String(halted))];
  // After this point nothing fails.
  const scope: CommandScope = { trading, at, events: [] };
  for (const open of chosen) if (open !== undefined) closeIfOpen(scope, open, 'canceledByAccount');
  return scope.events;
}
