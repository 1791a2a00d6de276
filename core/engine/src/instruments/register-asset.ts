import type { Asset, Event, RegisterAsset } from '@orrery/protocol';
import { invalidAssetField, reject } from '@orrery/rules';
import { assetByCode, type Listings } from './listings.ts';

export function registerAsset(listings: Listings, command: RegisterAsset): Event[] {
  const { asset, code, decimals, kind } = command;
  const before = listings.assets.get(asset);
  if (before?.code === code && before.decimals === decimals && before.kind === kind) return [{ type: 'CommandRepeated', key: code }];
  const invalid = invalidAssetField(command);
  if (invalid !== undefined) return [reject('InvalidField', invalid)];
  if (before !== undefined) return [reject('AlreadyRegistered', 'asset')];
  if (assetByCode(listings, code) !== undefined) return [reject('AlreadyRegistered', 'code')];
  // After this point nothing fails.
  const registered: Asset = { asset, code, decimals, kind };
  listings.assets.set(asset, registered);
  return [{ type: 'AssetRegistered', ...registered }];
}
