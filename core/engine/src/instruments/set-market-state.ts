import type { Event, SetMarketState } from '@orrery/protocol';
import { reject } from '@orrery/rules';
import type { Listings } from './listings.ts';

/** Open orders stay as they are, whatever the state. */
export function setMarketState(listings: Listings, { market, state }: SetMarketState): Event[] {
  const listed = listings.markets.get(market) ?? listings.contracts.get(market);
  if (listed === undefined) return [reject('UnknownMarket', 'market')];
  // After this point nothing fails.
  listed.state = state;
  return [{ type: 'MarketStateChanged', market, state }];
}
