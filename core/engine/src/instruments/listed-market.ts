/** A market at work: its terms, its state, its prices, its book, the triggers that wait for a price, and how its orders are paid for. */
import { millis, NO_TICKS } from '@orrery/units';
import type { Market, MarketState } from '@orrery/protocol';
import type { MarketPrices } from '@orrery/rules';
import { Book } from '../book/book.ts';
import type { Clearing } from '../clearing/clearing.ts';
import { Triggers } from '../triggers/triggers.ts';

export interface ListedMarket extends MarketPrices {
  /** `SetMarketTerms` replaces both. */
  terms: Market;
  clearing: Clearing;
  state: MarketState;
  readonly book: Book;
  readonly triggers: Triggers;
}

export function newListedMarket(terms: Market, clearing: Clearing): ListedMarket {
  return {
    terms,
    clearing,
    state: 'TRADING',
    lastPrice: NO_TICKS,
    lastTradeAt: millis(0),
    indexPrice: NO_TICKS,
    indexAt: millis(0),
    average: 0,
    averageAt: millis(0),
    book: new Book(),
    triggers: new Triggers(),
  };
}
