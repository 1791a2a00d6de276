/** What a contract's prices are now, as a fact. */
import type { Millis } from '@orrery/units';
import type { PricesSet } from '@orrery/protocol';
import { predictedFunding, shownState } from '../prices/contract-prices.ts';
import type { Listings } from './listings.ts';
import type { ListedContract } from './listed-market.ts';

export function pricesSet({ rules }: Listings, { contract: { terms, prices } }: ListedContract, at: Millis): PricesSet {
  const { index, mark, freshRounds } = prices;
  const state = shownState(rules, prices, at);
  return { type: 'PricesSet', market: terms.market, index, mark, state, fundingPpb: predictedFunding({ terms, prices }), freshRounds };
}
