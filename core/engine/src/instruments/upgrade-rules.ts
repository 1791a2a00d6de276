import type { Event, UpgradeRules } from '@orrery/protocol';
import { reject, rulesVersion, startAverage } from '@orrery/rules';
import type { Millis } from '@orrery/units';
import type { Listings } from './listings.ts';

/** Switches the rules for every later command. Repeated when the listings has this version or a newer one already. */
export function upgradeRules(listings: Listings, { version }: UpgradeRules, at: Millis): Event[] {
  const rules = rulesVersion(version);
  if (rules === undefined) return [reject('InvalidField', 'version')];
  if (rules <= listings.rules) return [{ type: 'CommandRepeated', key: `rules ${version}` }];
  // After this point nothing fails.
  listings.rules = rules;
  for (const market of listings.markets.values()) startAverage(market, at);
  return [{ type: 'RulesUpgraded', version }];
}
