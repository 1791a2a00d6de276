import type { AccountId, MarketId, Millis } from '@orrery/units';
import type { CancelAllOrders, CloseReason, Event } from '@orrery/protocol';
import { reject } from '@orrery/rules';
import { listedMarket } from '../instruments/listings.ts';
import type { Trading } from './trading.ts';
import { closeIfOpen } from './close-order.ts';
import type { CommandScope } from './command-scope.ts';
import type { OpenOrder } from './open-order.ts';

/** Cancels in the order of the ids. Without a market, the orders in halted markets stay. */
export function cancelAllOrders(trading: Trading, command: CancelAllOrders, at: Millis): Event[] {
  const market = command.market === 0 ? undefined : (trading.markets.get(command.market) ?? trading.contracts.get(command.market));
  if (command.market !== 0 && market === undefined) return [reject('UnknownMarket', 'market')];
  const { account } = command;
  if (!trading.accounts.has(account)) return [reject('UnknownAccount', 'account')];
  if (trading.accounts.is(account, 'blocked')) return [reject('AccountBlocked', 'account')];
  if (market?.state === 'HALT') return [reject('MarketHalted', 'market')];
  // After this point nothing fails.
  const isOpenFor = (id: MarketId): boolean => (command.market === 0 ? listedMarket(trading, id).state !== 'HALT' : id === command.market);
  const scope: CommandScope = { trading, at, events: [] };
  closeOrdersOf(scope, account, ({ order }) => isOpenFor(order.market), 'canceledByAccount');
  return scope.events;
}

/** At most as many as an account may have open. */
export function closeOrdersOf(scope: CommandScope, account: AccountId, isChosen: (open: OpenOrder) => boolean, reason: CloseReason): void {
  const chosen = scope.trading.orders.ofAccounts.of(account).filter(isChosen);
  for (const open of chosen.sort((left, right) => left.order.orderId - right.order.orderId)) closeIfOpen(scope, open, reason);
}
