import type { Event, SetIndexPrice } from '@orrery/protocol';
import { reject } from '@orrery/rules';
import type { Exchange } from '../state/exchange.ts';

export function setIndexPrice(exchange: Exchange, { market, price }: SetIndexPrice): Event[] {
  const listed = exchange.markets.get(market);
  if (listed !== undefined && (price < listed.terms.minPrice || price > listed.terms.maxPrice)) return [reject('InvalidPrice', 'price')];
  if (listed === undefined) return [reject('UnknownMarket', 'market')];
  // After this point nothing fails.
  listed.indexPrice = price;
  return [{ type: 'IndexPriceSet', market, price }];
}
