import type { Event, SetPracticeAsset } from '@orrery/protocol';
import { PRACTICE, reject } from '@orrery/rules';
import { NO_ATOMS, type AssetId } from '@orrery/units';
import type { Ledger } from '../ledger/ledger.ts';
import type { Listings } from './listings.ts';

/** Once, and of an asset that nobody has and nothing is settled in: money that was somebody's does not become worthless by a name. */
export function setPracticeAsset(state: Listings & { readonly ledger: Ledger }, { asset: id }: SetPracticeAsset): Event[] {
  if (state.rules < 7) return [reject('RulesTooOld')];
  if (state.practiceAssets.has(id)) return [{ type: 'CommandRepeated', key: `practice ${id}` }];
  const asset = state.assets.get(id);
  if (asset === undefined) return [reject('UnknownAsset', 'asset')];
  if (asset.code !== PRACTICE || asset.kind !== 'internal') return [reject('InvalidField', 'asset')];
  if (state.practiceAssets.size > 0 || isInUse(state, id)) return [reject('AlreadyRegistered', 'asset')];
  // After this point nothing fails.
  state.practiceAssets.add(id);
  return [{ type: 'PracticeAssetSet', asset: id }];
}

/** An internal asset is issued by EXTERNAL alone: while that owes nothing, nobody has any. */
export function isInUse({ markets, contracts, ledger }: Listings & { readonly ledger: Ledger }, id: AssetId): boolean {
  for (const { terms } of markets.values()) if (terms.base === id || terms.quote === id) return true;
  for (const { terms } of contracts.values()) if (terms.settle === id) return true;
  return ledger.free(ledger.system('EXTERNAL', id)) !== NO_ATOMS;
}
