import type { Event, UpgradeRules } from '@orrery/protocol';
import { reject, rulesVersion, startAverage } from '@orrery/rules';
import type { Millis } from '@orrery/units';
import { collateralPriced, type Collaterals } from '../margin/collaterals.ts';
import type { Listings } from './listings.ts';

/** Switches the rules for every later command. Repeated when the exchange has this version or a newer one already. */
export function upgradeRules(listings: Listings & { readonly collaterals: Collaterals }, { version }: UpgradeRules, at: Millis): Event[] {
  const rules = rulesVersion(version);
  if (rules === undefined) return [reject('InvalidField', 'version')];
  if (rules <= listings.rules) return [{ type: 'CommandRepeated', key: `rules ${version}` }];
  // After this point nothing fails.
  // The slow average begins with rules 2, and goes on under later ones.
  if (listings.rules === 1) for (const market of listings.markets.values()) startAverage(market, at);
  const before = listings.rules;
  listings.rules = rules;
  const upgraded: Event = { type: 'RulesUpgraded', version };
  return before < 7 && rules >= 7 ? [upgraded, ...startPrices(listings.collaterals, at)] : [upgraded];
}

/** Since rules 7 a collateral has a price of its own: it begins with the one that it had. */
function startPrices(collaterals: Collaterals, at: Millis): Event[] {
  const events: Event[] = [];
  for (const collateral of collaterals) {
    collateral.own = { price: collateral.market.indexPrice, at };
    events.push(collateralPriced(collateral.terms, collateral.own));
  }
  return events;
}
