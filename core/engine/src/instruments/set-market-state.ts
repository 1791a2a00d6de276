import type { Event, SetMarketState } from '@orrery/protocol';
import { reject } from '@orrery/rules';
import type { Exchange } from '../exchange.ts';

/** Open orders stay as they are, whatever the state. */
export function setMarketState(exchange: Exchange, { market, state }: SetMarketState): Event[] {
  const listed = exchange.markets.get(market);
  if (listed === undefined) return [reject('UnknownMarket', 'market')];
  // After this point nothing fails.
  listed.state = state;
  return [{ type: 'MarketStateChanged', market, state }];
}
