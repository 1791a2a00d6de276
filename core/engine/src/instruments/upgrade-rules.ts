import type { Event, UpgradeRules } from '@orrery/protocol';
import { reject, rulesVersion, startAverage } from '@orrery/rules';
import type { Millis } from '@orrery/units';
import type { Listings } from './listings.ts';

/** Switches the rules for every later command. Repeated when the exchange has this version or a newer one already. */
export function upgradeRules(listings: Listings, { version }: UpgradeRules, at: Millis): Event[] {
  const rules = rulesVersion(version);
  if (rules === undefined) return [reject('InvalidField', 'version')];
  if (rules <= listings.rules) return [{ type: 'CommandRepeated', key: `rules ${version}` }];
  // After this point nothing fails.
  // The slow average begins with rules 2, and goes on under later ones.
  if (listings.rules === 1) for (const market of listings.markets.values()) startAverage(market, at);
  listings.rules = rules;
  return [{ type: 'RulesUpgraded', version }];
}
