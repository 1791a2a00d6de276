/** What is listed: assets, markets, and the rules that hold for them. */
import { assert, type AssetId, type MarketId } from '@orrery/units';
import type { Asset, Market } from '@orrery/protocol';
import type { RulesVersion } from '@orrery/rules';
import type { Funds } from '../funds/funds.ts';
import type { Clearing } from '../clearing/clearing.ts';
import type { ContractState } from '../positions/contract-state.ts';
import type { Listed, ListedContract, ListedMarket } from './listed-market.ts';

export interface Listings {
  /** The rules by which commands are applied; `UpgradeRules` switches them. */
  rules: RulesVersion;
  readonly assets: Map<AssetId, Asset>;
  /** Settle assets of practice contracts: nothing outside has them, and they never leave. Since rules 7. */
  readonly practiceAssets: Set<AssetId>;
  /** Accounts that a strategy trades and share holders own. Since rules 9. */
  readonly funds: Funds;
  readonly markets: Map<MarketId, ListedMarket>;
  /** Their ids are of the same numbers as those of the markets. */
  readonly contracts: Map<MarketId, ListedContract>;
  /** The clearing of a market with these terms. */
  clearingOf(terms: Market): Clearing;
  clearingOfContract(contract: ContractState): Clearing;
}

/** The market or contract of an order or another record of the state: it must be listed. */
export function listedMarket({ markets, contracts }: Pick<Listings, 'markets' | 'contracts'>, id: MarketId): Listed {
  const market = markets.get(id) ?? contracts.get(id);
  assert(market !== undefined, 'a market that the state names is listed');
  return market;
}

export function assetByCode({ assets }: Pick<Listings, 'assets'>, code: string): Asset | undefined {
  for (const asset of assets.values()) if (asset.code === code) return asset;
  return undefined;
}
