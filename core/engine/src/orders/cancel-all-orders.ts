import type { AccountId, MarketId, Millis } from '@orrery/units';
import type { CancelAllOrders, CloseReason, Event } from '@orrery/protocol';
import { reject } from '@orrery/rules';
import { listedMarket, type Exchange } from '../exchange.ts';
import { cancelOpenOrder } from './close-order.ts';
import type { Turn } from './turn.ts';

/** Cancels in the order of the ids. Without a market, the orders in halted markets stay. */
export function cancelAllOrders(exchange: Exchange, command: CancelAllOrders, at: Millis): Event[] {
  const market = command.market === 0 ? undefined : exchange.markets.get(command.market);
  if (command.market !== 0 && market === undefined) return [reject('UnknownMarket', 'market')];
  const { account } = command;
  if (!exchange.accounts.has(account)) return [reject('UnknownAccount', 'account')];
  if (exchange.accounts.is(account, 'blocked')) return [reject('AccountBlocked', 'account')];
  if (market?.state === 'HALT') return [reject('MarketHalted', 'market')];
  // After this point nothing fails.
  const isOpenFor = (id: MarketId): boolean => (command.market === 0 ? listedMarket(exchange, id).state !== 'HALT' : id === command.market);
  const turn: Turn = { exchange, at, events: [] };
  closeOrdersOf(turn, account, isOpenFor, 'canceledByAccount');
  return turn.events;
}

/** At most as many as an account may have open. */
export function closeOrdersOf(turn: Turn, account: AccountId, inMarket: (market: MarketId) => boolean, reason: CloseReason): void {
  const chosen = turn.exchange.orders.ofAccounts.of(account).filter((open) => inMarket(open.order.market));
  for (const open of chosen.sort((left, right) => left.order.orderId - right.order.orderId)) cancelOpenOrder(turn, open, reason);
}
