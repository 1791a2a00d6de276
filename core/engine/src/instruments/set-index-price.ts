import type { Event, SetIndexPrice } from '@orrery/protocol';
import { recordIndex, reject } from '@orrery/rules';
import type { Millis } from '@orrery/units';
import type { Listings } from './listings.ts';

export function setIndexPrice(listings: Listings, { market, price }: SetIndexPrice, at: Millis): Event[] {
  const listed = listings.markets.get(market);
  if (listed !== undefined && (price < listed.terms.minPrice || price > listed.terms.maxPrice)) return [reject('InvalidPrice', 'price')];
  if (listed === undefined) return [reject('UnknownMarket', 'market')];
  // After this point nothing fails.
  recordIndex(listings.rules, listed, price, at);
  return [{ type: 'IndexPriceSet', market, price }];
}
