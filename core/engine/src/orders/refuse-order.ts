/** Why an order is refused before it is held against the book: malformed, unknown or not allowed, in this order. */
import { NO_TICKS, unreachable } from '@orrery/units';
import type { CommandRejected, Order } from '@orrery/protocol';
import { checkOrder, referencePrice, reject } from '@orrery/rules';
import type { Account } from '../accounts/account.ts';
import type { ListedMarket } from '../markets/listed-market.ts';
import type { OpenOrder } from './open-order.ts';

/**
 * @param account undefined when there is none of this id, as for the market
 * @param leaving the order that this one replaces: its clientOrderId may be taken over
 */
export function refuseOrder(
  order: Order,
  account: Account | undefined,
  market: ListedMarket | undefined,
  leaving: OpenOrder | undefined,
): CommandRejected | undefined {
  const malformed =
    market === undefined
      ? checkOrder(order, undefined, NO_TICKS, NO_TICKS)
      : checkOrder(order, market.terms, market.lastPrice, referencePrice(market, order.createdAt));
  if (malformed !== undefined) return malformed;
  if (market === undefined) return reject('UnknownMarket', 'market');
  if (account === undefined) return reject('UnknownAccount', 'account');
  return refuseTrader(account) ?? refuseState(market) ?? refuseName(account, order.clientOrderId, leaving);
}

/** Trading is open to an account that accepted the terms, is whitelisted, established a connection and is not blocked. */
export function refuseTrader(account: Account): CommandRejected | undefined {
  if (account.blocked) return reject('AccountBlocked', 'account');
  if (!account.termsAccepted) return reject('TermsNotAccepted', 'account');
  if (!account.whitelisted) return reject('NotWhitelisted', 'account');
  return account.connected ? undefined : reject('ConnectionMissing', 'account');
}

export function refuseState(market: ListedMarket): CommandRejected | undefined {
  switch (market.state) {
    case 'TRADING':
      return undefined;
    case 'HALT':
      return reject('MarketHalted', 'market');
    case 'CANCEL_ONLY':
      return reject('MarketCancelOnly', 'market');
    default:
      return unreachable(market.state);
  }
}

export function refuseName(account: Account, clientOrderId: string, leaving: OpenOrder | undefined): CommandRejected | undefined {
  const named = account.clientOrders?.open(clientOrderId);
  return named === undefined || named === leaving ? undefined : reject('DuplicateClientOrderId', 'clientOrderId');
}
