/** An order and the parts of the state that it concerns, found once and not again at every step. */
import { assert } from '@orrery/units';
import type { Order } from '@orrery/protocol';
import type { Balance } from '../ledger/balance.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { ListedMarket } from '../instruments/listed-market.ts';
import { listedMarket, type Exchange } from '../exchange.ts';

export interface PlacedOrder {
  /** As it was accepted. */
  readonly order: Order;
  readonly market: ListedMarket;
  /** What it pays from: quote for a buy, base for a sell. */
  readonly spends: Balance;
}

/** Its account and its market must exist. */
export function placedOrder(exchange: Exchange, order: Order): PlacedOrder {
  assert(exchange.accounts.has(order.account), 'an account that the state speaks of exists');
  const market = listedMarket(exchange, order.market);
  return { order, market, spends: spentBy(exchange.ledger, order, market) };
}

/** The balance that an order pays from. */
export function spentBy(ledger: Ledger, { account, side }: Order, { terms }: ListedMarket): Balance {
  return ledger.of(account, 'spot', side === 'buy' ? terms.quote : terms.base);
}
