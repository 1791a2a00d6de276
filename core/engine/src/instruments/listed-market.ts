/** A market or contract at work: its terms, its state, its prices, its book, the triggers that wait for a price, and how its orders are paid for. */
import { millis, NO_TICKS } from '@orrery/units';
import type { BookTerms, Contract, Market, MarketState } from '@orrery/protocol';
import type { MarketPrices } from '@orrery/rules';
import { Book } from '../book/book.ts';
import type { Clearing } from '../clearing/clearing.ts';
import type { ContractState } from '../positions/contract-state.ts';
import { Triggers } from '../triggers/triggers.ts';

/** What orders need of an instrument, of either kind. All are objects of one shape. */
export interface Listed extends MarketPrices {
  terms: BookTerms;
  clearing: Clearing;
  state: MarketState;
  readonly book: Book;
  readonly triggers: Triggers;
  /** Undefined for a spot market. */
  readonly contract: ContractState | undefined;
}

/** A spot market. */
export interface ListedMarket extends Listed {
  /** `SetMarketTerms` replaces both. */
  terms: Market;
  clearing: Clearing;
  readonly contract: undefined;
}

export interface ListedContract extends Listed {
  terms: Contract;
  readonly contract: ContractState;
}

export const newListedMarket = (terms: Market, clearing: Clearing): ListedMarket => newListed(terms, clearing, undefined);

export const newListedContract = (contract: ContractState, clearing: Clearing): ListedContract =>
  newListed(contract.terms, clearing, contract);

function newListed<Terms extends BookTerms, Of>(terms: Terms, clearing: Clearing, contract: Of) {
  return {
    terms,
    clearing,
    state: 'TRADING' as MarketState,
    lastPrice: NO_TICKS,
    lastTradeAt: millis(0),
    indexPrice: NO_TICKS,
    indexAt: millis(0),
    average: 0,
    averageAt: millis(0),
    book: new Book(),
    triggers: new Triggers(),
    contract,
  };
}
