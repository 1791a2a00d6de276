/** The whole state of the exchange. Commands change it, nothing else does. */
import { assert, type AssetId, type MarketId } from '@orrery/units';
import type { Asset } from '@orrery/protocol';
import { FIRST_RULES, type RulesVersion } from '@orrery/rules';
import { Accounts } from './accounts/accounts.ts';
import { Ledger } from './ledger/ledger.ts';
import type { ListedMarket } from './instruments/listed-market.ts';
import { MoneyRecords } from './money/money-records.ts';
import { MatchPlan } from './orders/match-plan.ts';
import { OpenOrders } from './orders/open-orders.ts';

export interface Exchange {
  /** The rules by which commands are applied; `UpgradeRules` switches them. */
  rules: RulesVersion;
  readonly assets: Map<AssetId, Asset>;
  readonly markets: Map<MarketId, ListedMarket>;
  readonly accounts: Accounts;
  readonly ledger: Ledger;
  readonly orders: OpenOrders;
  readonly money: MoneyRecords;
  /** Where the matching of one order is planned; not part of the state between commands. */
  readonly plan: MatchPlan;
}

export function emptyExchange(): Exchange {
  return {
    rules: FIRST_RULES,
    assets: new Map(),
    markets: new Map(),
    accounts: new Accounts(),
    ledger: new Ledger(),
    orders: new OpenOrders(),
    money: new MoneyRecords(),
    plan: new MatchPlan(),
  };
}

/** The market of an order or another record of the state: it must be listed. */
export function listedMarket(exchange: Exchange, id: MarketId): ListedMarket {
  const market = exchange.markets.get(id);
  assert(market !== undefined, 'a market that the state speaks of is listed');
  return market;
}

export function assetByCode(exchange: Exchange, code: string): Asset | undefined {
  for (const asset of exchange.assets.values()) if (asset.code === code) return asset;
  return undefined;
}
