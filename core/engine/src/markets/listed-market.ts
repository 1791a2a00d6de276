/** A market at work: its terms, its state, its prices, its book and its waiting stop orders. */
import { millis, NO_TICKS, type Millis, type Ticks } from '@orrery/units';
import type { Market, MarketState } from '@orrery/protocol';
import { Book } from '../book/book.ts';
import { StopOrders } from '../orders/stop-orders.ts';

export interface ListedMarket {
  readonly terms: Market;
  state: MarketState;
  /** Of the last trade; 0 before the first. */
  lastPrice: Ticks;
  lastTradeAt: Millis;
  /** 0 until it is known. */
  indexPrice: Ticks;
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
    book: new Book(),
    stops: new StopOrders(),
  };
}
