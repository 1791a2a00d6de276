/** A market at work: its terms, its state, its prices, its book and its waiting stop orders. */
import { millis, NO_TICKS } from '@orrery/units';
import type { Market, MarketState } from '@orrery/protocol';
import type { MarketPrices } from '@orrery/rules';
import { Book } from '../book/book.ts';
import { StopOrders } from '../triggers/stop-orders.ts';

export interface ListedMarket extends MarketPrices {
  readonly terms: Market;
  state: MarketState;
  readonly book: Book;
  readonly stops: StopOrders;
}

export function newListedMarket(terms: Market): ListedMarket {
  return {
    terms,
    state: 'TRADING',
    lastPrice: NO_TICKS,
    lastTradeAt: millis(0),
    indexPrice: NO_TICKS,
    indexAt: millis(0),
    average: 0,
    averageAt: millis(0),
    book: new Book(),
    stops: new StopOrders(),
  };
}
