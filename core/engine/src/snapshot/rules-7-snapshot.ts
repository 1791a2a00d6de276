/**
 * What a snapshot holds beside what earlier rules kept: since layout 5, which came with rules 7. Each part is a list of its own, so that the parts of earlier
 * layouts keep their bytes. The order of the fields is the format of the layout.
 */
import { fields, list, type Field } from '@orrery/protocol';
import type { AssetId } from '@orrery/units';
import type { Exchange } from '../exchange.ts';

export interface Rules7Snapshot {
  readonly practiceAssets: readonly AssetId[];
}

export const NOTHING_OF_RULES_7: Rules7Snapshot = { practiceAssets: [] };

export const rules7Fields: { readonly [Part in keyof Rules7Snapshot]: Field<Rules7Snapshot[Part]> } = {
  practiceAssets: list(fields.asset),
};

export function takeRules7({ practiceAssets }: Exchange): Rules7Snapshot {
  return { practiceAssets: [...practiceAssets].sort((left, right) => left - right) };
}

/** Before the contracts. */
export function restorePracticeAssets({ practiceAssets }: Exchange, snapshot: Rules7Snapshot): void {
  for (const asset of snapshot.practiceAssets) practiceAssets.add(asset);
}
