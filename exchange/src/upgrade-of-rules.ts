/** Which rules an exchange is switched to when it starts. */
import type { Command, Event } from '@orrery/protocol';
import { FIRST_RULES, LATEST_RULES } from '@orrery/rules';

/** Switches to the latest rules, where history has older ones. */
export function upgradeOf(facts: readonly Event[]): readonly Command[] {
  const rules = facts.find((fact) => fact.type === 'RulesUpgraded')?.version ?? FIRST_RULES;
  return rules < LATEST_RULES ? [{ type: 'UpgradeRules', version: LATEST_RULES }] : [];
}
