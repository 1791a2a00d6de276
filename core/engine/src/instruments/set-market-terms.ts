import type { Event, SetMarketTerms } from '@orrery/protocol';
import { invalidMarketField, reject } from '@orrery/rules';
import { assert } from '@orrery/units';
import type { Listings } from './listings.ts';

/** Open orders stay as they were accepted. What their holds are computed from does not change, and fees are never part of a hold. */
export function setMarketTerms(listings: Listings, command: SetMarketTerms): Event[] {
  const { type: _, ...changed } = command;
  const listed = listings.markets.get(changed.market);
  if (listed === undefined) return [reject('UnknownMarket', 'market')];
  const terms = { ...listed.terms, ...changed };
  const base = listings.assets.get(terms.base);
  const quote = listings.assets.get(terms.quote);
  assert(base !== undefined && quote !== undefined, 'the assets of a listed market are registered');
  const invalid = invalidMarketField(terms, base, quote);
  if (invalid !== undefined) return [reject('InvalidField', invalid)];
  if (listings.rules < 4) return [reject('RulesTooOld')];
  // After this point nothing fails.
  listed.terms = terms;
  listed.clearing = listings.clearingOf(terms);
  return [{ type: 'MarketTermsChanged', ...changed }];
}
