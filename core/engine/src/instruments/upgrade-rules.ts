import type { Event, UpgradeRules } from '@orrery/protocol';
import { reject, rulesVersion, startAverage } from '@orrery/rules';
import type { Millis } from '@orrery/units';
import type { Exchange } from '../exchange.ts';

/** Switches the rules for every later command. Repeated when the exchange has this version or a newer one already. */
export function upgradeRules(exchange: Exchange, { version }: UpgradeRules, at: Millis): Event[] {
  const rules = rulesVersion(version);
  if (rules === undefined) return [reject('InvalidField', 'version')];
  if (rules <= exchange.rules) return [{ type: 'CommandRepeated', key: `rules ${version}` }];
  // After this point nothing fails.
  exchange.rules = rules;
  for (const market of exchange.markets.values()) startAverage(market, at);
  return [{ type: 'RulesUpgraded', version }];
}
