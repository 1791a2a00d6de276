import type { Event, SetMarketState } from '@orrery/protocol';
import type { Millis } from '@orrery/units';
import { reject } from '@orrery/rules';
import { forgetRounds } from '../prices/contract-prices.ts';
import { pricesSet } from './prices-set.ts';
import type { Listings } from './listings.ts';

/**
 * Open orders stay as they are, whatever the state. X4: a contract that trades again is open after three fresh rounds, as after an outage: its owners could not close
 * until now. Since rules 7.
 */
export function setMarketState(listings: Listings, { market, state }: SetMarketState, at: Millis): Event[] {
  const contract = listings.contracts.get(market);
  const listed = listings.markets.get(market) ?? contract;
  if (listed === undefined) return [reject('UnknownMarket', 'market')];
  // After this point nothing fails.
  const resumes = listings.rules >= 7 && contract !== undefined && state === 'TRADING' && listed.state !== 'TRADING';
  listed.state = state;
  const changed: Event = { type: 'MarketStateChanged', market, state };
  if (!resumes) return [changed];
  forgetRounds(contract.contract.prices);
  return [changed, pricesSet(listings, contract, at)];
}
