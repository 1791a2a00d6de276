/** An order and the parts of the state that it concerns, found once and not again at every step. */
import type { Order } from '@orrery/protocol';
import type { Account } from '../accounts/account.ts';
import type { Balance } from '../ledger/balance.ts';
import type { ListedMarket } from '../markets/listed-market.ts';
import { listedMarket, type Exchange } from '../state/exchange.ts';

export interface PlacedOrder {
  /** As it was accepted. */
  readonly order: Order;
  readonly account: Account;
  readonly market: ListedMarket;
  /** What it pays from: quote for a buy, base for a sell. */
  readonly spends: Balance;
}

/** Its account and its market must exist. */
export function placedOrder(exchange: Exchange, order: Order): PlacedOrder {
  const account = exchange.accounts.known(order.account);
  const market = listedMarket(exchange, order.market);
  const { base, quote } = market.terms;
  return { order, account, market, spends: exchange.ledger.of(account.id, 'spot', order.side === 'buy' ? quote : base) };
}
