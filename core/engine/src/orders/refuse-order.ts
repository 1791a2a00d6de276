/** Why an order is refused before it is held against the book: malformed, unknown or not allowed, in this order. */
import { NO_TICKS, unreachable, type AccountId, type Ticks } from '@orrery/units';
import type { CommandRejected, Order } from '@orrery/protocol';
import { checkOrder, isStop, referencePrice, reject, stopDirection } from '@orrery/rules';
import { refuseFundMarket } from '../funds/refuse-fund.ts';
import type { Listed } from '../instruments/listed-market.ts';
import type { Trading } from './trading.ts';
import type { OpenOrder } from './open-order.ts';

/**
 * @param market undefined when there is none of the order's
 * @param leaving the order that this one replaces: its clientOrderId may be taken over
 */
export function refuseOrder(
  trading: Trading,
  order: Order,
  market: Listed | undefined,
  leaving: OpenOrder | undefined,
): CommandRejected | undefined {
  const malformed =
    market === undefined
      ? checkOrder(order, undefined, NO_TICKS, NO_TICKS)
      : checkOrder(order, market.terms, furthestPrice(market, order), referencePrice(trading.rules, market, market.terms, order.createdAt));
  if (malformed !== undefined) return malformed;
  if (market === undefined) return reject('UnknownMarket', 'market');
  return (
    refuseTrader(trading, order.account) ??
    refuseFundMarket(trading, order.account, order.market) ??
    refuseState(market) ??
    refuseName(trading, order, leaving)
  );
}

/** The last price, or a further one that reached triggers which have not all fired: a stop that it reaches would trigger at once. */
function furthestPrice({ lastPrice, triggers }: Listed, order: Order): Ticks {
  if (!triggers.isPending || !isStop(order)) return lastPrice;
  const { side, spot } = order;
  const { high, low } = triggers.marks('last');
  if ((spot?.triggerDirection ?? stopDirection(side)) === 'rise') return high > lastPrice ? high : lastPrice;
  return low !== NO_TICKS && low < lastPrice ? low : lastPrice;
}

/** Trading is open to an account that exists, accepted the terms, is whitelisted, established a connection and is not blocked. */
export function refuseTrader({ accounts }: Trading, account: AccountId): CommandRejected | undefined {
  if (!accounts.has(account)) return reject('UnknownAccount', 'account');
  if (accounts.is(account, 'blocked')) return reject('AccountBlocked', 'account');
  if (!accounts.is(account, 'termsAccepted')) return reject('TermsNotAccepted', 'account');
  if (!accounts.is(account, 'whitelisted')) return reject('NotWhitelisted', 'account');
  return accounts.is(account, 'connected') ? undefined : reject('ConnectionMissing', 'account');
}

export function refuseState(market: Listed): CommandRejected | undefined {
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

export function refuseName(
  { orders }: Trading,
  { account, clientOrderId }: Pick<Order, 'account' | 'clientOrderId'>,
  leaving: OpenOrder | undefined,
): CommandRejected | undefined {
  const named = orders.named.open(account, clientOrderId);
  return named === undefined || named === leaving ? undefined : reject('DuplicateClientOrderId', 'clientOrderId');
}
