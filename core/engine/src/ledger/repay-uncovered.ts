import { minAtoms, negateAtoms, NO_ATOMS, type AssetId } from '@orrery/units';
import type { RulesVersion } from '@orrery/rules';
import type { Ledger } from './ledger.ts';
import { pay } from './movements.ts';

/** Since rules 6: whatever the insurance fund takes in pays first what it could not pay before, so that it has money only while nothing is uncovered. */
export function repayUncovered(ledger: Ledger, rules: RulesVersion, asset: AssetId): void {
  if (rules < 6) return;
  const uncovered = ledger.system('UNCOVERED', asset);
  const fund = ledger.system('INSURANCE', asset);
  const repaid = minAtoms(negateAtoms(ledger.free(uncovered)), ledger.free(fund));
  if (repaid > NO_ATOMS) pay(ledger, fund, uncovered, repaid);
}
