/** What a fund is worth: its money in all wallets, its positions at mark with the funding they are owed, and what it holds of coins at the index. */
import {
  addAtoms,
  NO_ATOMS,
  NO_POSITION,
  NO_TICKS,
  type AccountId,
  type AssetId,
  type Atoms,
  type MarketId,
  type Millis,
  type Ticks,
} from '@orrery/units';
import { WALLETS, type Market } from '@orrery/protocol';
import { isIndexFresh, valueAt, type MarketPrices, type RulesVersion } from '@orrery/rules';
import type { Ledger } from '../ledger/ledger.ts';
import { markNotional, unrealisedOf } from '../margin/cross-margin.ts';
import type { Holder } from '../positions/position-row.ts';
import { unpaidOf } from '../positions/unpaid-funding.ts';
import { isOpenBy } from '../prices/contract-prices.ts';
import type { Fund } from './funds.ts';

/** A spot market by its outside price. */
export interface SpotPrices extends MarketPrices {
  readonly terms: Market;
}

/** The part of the state on which it depends. */
export interface WorthState {
  readonly ledger: Ledger;
  readonly rules: RulesVersion;
  readonly positions: { known(account: AccountId): Holder | undefined };
  readonly markets: ReadonlyMap<MarketId, SpotPrices>;
}

export interface FundWorth {
  /** Rounded down; from 0. */
  readonly worth: Atoms;
  /** Of the settle asset. */
  readonly cash: Atoms;
  /** Notional of all contracts at mark. */
  readonly notional: Atoms;
  /** A market whose price is not fresh, of something that the fund holds. */
  readonly stale: MarketId | undefined;
}

export function worthOfFund(state: WorthState, fund: Pick<Fund, 'account' | 'asset'>, at: Millis): FundWorth {
  const cash = totalOf(state, fund.account, fund.asset);
  let worth = cash;
  let notional = NO_ATOMS;
  let stale: MarketId | undefined;
  for (const { contract, rows } of state.positions.known(fund.account)?.exposures ?? []) {
    for (const row of rows) {
      if (row === undefined || row.size === NO_POSITION) continue;
      worth = addAtoms(worth, addAtoms(unrealisedOf(row), unpaidOf(row)));
      notional = addAtoms(notional, markNotional(row));
      if (!isOpenBy(state.rules, contract.prices, at)) stale ??= contract.terms.market;
    }
  }
  for (const { market, amount, price, isFresh } of holdingsOf(state, fund, at)) {
    if (price !== NO_TICKS) worth = addAtoms(worth, valueAt(amount, price, market));
    // Less than a lot nobody can sell: it counts at its last price, and stops nothing.
    if (!isFresh && amount >= market.lotAtoms) stale ??= market.market;
  }
  return { worth: worth > NO_ATOMS ? worth : NO_ATOMS, cash, notional, stale };
}

export interface Holding {
  /** Where the coin is sold for the settle asset. */
  readonly market: Market;
  readonly amount: Atoms;
  readonly price: Ticks;
  readonly isFresh: boolean;
}

/** What a fund holds of coins, by market: of several markets of a coin the one with the lowest id counts. */
export function holdingsOf(
  { ledger, markets }: Pick<WorthState, 'ledger' | 'markets'>,
  { account, asset }: Pick<Fund, 'account' | 'asset'>,
  at: Millis,
): readonly Holding[] {
  const quoted = [...markets.values()]
    .filter(({ terms }) => terms.quote === asset)
    .sort((left, right) => left.terms.market - right.terms.market);
  const seen = new Set<AssetId>();
  const holdings: Holding[] = [];
  for (const prices of quoted) {
    const { terms, indexPrice } = prices;
    if (seen.has(terms.base)) continue;
    seen.add(terms.base);
    const amount = totalOf({ ledger }, account, terms.base);
    if (amount > NO_ATOMS) holdings.push({ market: terms, amount, price: indexPrice, isFresh: isIndexFresh(prices, at) });
  }
  return holdings;
}

/** Free and held, in all wallets. */
export function totalOf({ ledger }: Pick<WorthState, 'ledger'>, account: AccountId, asset: AssetId): Atoms {
  let total = NO_ATOMS;
  for (const wallet of WALLETS) {
    const balance = ledger.of(account, wallet, asset);
    total = addAtoms(total, addAtoms(ledger.free(balance), ledger.held(balance)));
  }
  return total;
}
