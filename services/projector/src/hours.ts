/**
 * What a portfolio is read from: for each full hour in which something happened, what an account has of an asset at its end, and what happened
 * to it. An hour without a row ends as the one before it did.
 */
import type { Contract, Event, IndexPriceSet, Trade } from '@orrery/protocol';
import { valueAt } from '@orrery/rules';
import {
  type AccountId,
  addAtoms,
  assert,
  type AssetId,
  type Atoms,
  type MarketId,
  type Millis,
  NO_ATOMS,
  type Ticks,
} from '@orrery/units';
import type { MarketsView } from '@orrery/views';
import type { AssetHour, Batch } from './batch.ts';
import type { ContractBatch } from './contract-batch.ts';
import { type Movement, opposite } from './movements.ts';
import { valueOf } from './valuation.ts';

export const HOUR_MS = 3_600_000;

/** The end of the hour that holds `at`. What happens at the end itself is part of the next hour. */
export const endOfHour = (at: number): number => at - (at % HOUR_MS) + HOUR_MS;

const DEPOSITS_AND_WITHDRAWALS: ReadonlySet<Movement['kind']> = new Set([
  'DEPOSIT',
  'DEPOSIT_SUSPENDED',
  'DEPOSIT_WRITTEN_OFF',
  'WITHDRAW',
  'INTERNAL',
  // What is bought or sold for money outside.
  'OTC',
  // What a fund has is no longer in the wallets; `fundGains` counts what it brings.
  'SUBSCRIPTION',
  'REDEMPTION',
] as const);

/** What an account has of an asset, in all wallets and in those of futures. */
export interface Totals {
  readonly all: Atoms;
  readonly futures: Atoms;
}

interface ContractTrade {
  readonly contract: Contract;
  /** USDC atoms. */
  readonly volume: Atoms;
  /** Of the settlement asset. */
  readonly totalsOf: (account: AccountId) => Totals;
}

export class Hours {
  readonly #markets: MarketsView;
  /** By index, as of this point of history. Those of `markets` may be of a later one. */
  readonly #prices = new Map<MarketId, Ticks>();
  /** Of the hour that is not over. */
  readonly #open = new Map<string, AssetHour>();
  #endsAt = 0;

  constructor(markets: MarketsView) {
    this.#markets = markets;
  }

  restorePrice(market: MarketId, price: Ticks): void {
    this.#prices.set(market, price);
  }

  /** A row of the hour that was not over when history was last written. */
  restoreOpen(row: AssetHour): void {
    this.#endsAt = row.endsAt;
    this.#open.set(keyOf(row), row);
  }

  price({ market, price }: IndexPriceSet, at: Millis, batch: Batch): void {
    this.#prices.set(market, price);
    const endsAt = endOfHour(at);
    batch.prices.set(`${market}:${endsAt}`, { market, endsAt, price });
  }

  /** @param totals what the account has of the asset in all wallets, and in those of futures, after the movement */
  move(movement: Movement, totals: Totals, at: Millis, batch: Batch): void {
    if (!this.#isMoney(movement.asset)) return;
    const row = this.#rowOf(movement, at, batch);
    row.total = totals.all;
    row.futuresTotal = totals.futures;
    const isTransfer = movement.kind === 'TRANSFER' && (movement.wallet === 'futures' || movement.wallet === 'coinFutures');
    if (!isTransfer && !DEPOSITS_AND_WITHDRAWALS.has(movement.kind)) return;
    // Before the first index price nothing says what a deposit is worth.
    const value = valueOf(movement, this.#markets, this.#prices) ?? NO_ATOMS;
    if (isTransfer) row.futuresNet = addAtoms(row.futuresNet, value);
    else row.netDeposits = addAtoms(row.netDeposits, value);
  }

  /** What a position is at the end of the hour, and the mark by which it is valued. */
  contract(event: Event, at: Millis, batch: ContractBatch): void {
    const endsAt = endOfHour(at);
    if (event.type === 'PricesSet') {
      batch.markPrices.set(`${event.market}:${endsAt}`, { market: event.market, ends_at: endsAt, price: event.mark });
    } else if (event.type === 'PositionChanged') {
      const { account, market, positionSide, size, cost } = event;
      const row = { account, market, position_side: positionSide, ends_at: endsAt, size, cost: String(cost) };
      batch.positionHours.set(`${account}:${market}:${positionSide}:${endsAt}`, row);
    }
  }

  /** Of a contract: both sides of it are counted in the settlement asset. */
  contractTrade(trade: Trade, { contract, volume, totalsOf }: ContractTrade, at: Millis, batch: Batch): void {
    const sides = [
      { account: trade.takerAccount, fee: trade.takerFee },
      { account: trade.makerAccount, fee: trade.makerFee },
    ];
    for (const { account, fee } of sides) {
      const row = this.#rowOf({ account, asset: contract.settle }, at, batch);
      const totals = totalsOf(account);
      row.total = totals.all;
      row.futuresTotal = totals.futures;
      row.trades += 1;
      row.volume = addAtoms(row.volume, volume);
      // A rebate takes back a part of what the fees of the hour were.
      row.fees = addAtoms(row.fees, fee);
      const feeValue = this.#valueOf(contract.settle, fee);
      row.feesValue = addAtoms(row.feesValue, feeValue);
      row.contractTrades += 1;
      row.contractVolume = addAtoms(row.contractVolume, volume);
      row.contractFees = addAtoms(row.contractFees, fee);
      row.contractFeesValue = addAtoms(row.contractFeesValue, feeValue);
    }
  }

  /** After its movements. */
  trade(trade: Trade, at: Millis, batch: Batch): void {
    const listed = this.#markets.market(trade.market);
    assert(listed !== undefined, `market ${trade.market} was registered before it was used`);
    const { market } = listed;
    const volume = this.#valueOf(market.quote, trade.notional);
    const sides = [
      { account: trade.takerAccount, side: trade.takerSide, fee: trade.takerFee },
      { account: trade.makerAccount, side: opposite(trade.takerSide), fee: trade.makerFee },
    ];
    for (const { account, side, fee } of sides) {
      const row = this.#rowOf({ account, asset: side === 'buy' ? market.base : market.quote }, at, batch);
      row.trades += 1;
      row.volume = addAtoms(row.volume, volume);
      if (fee <= NO_ATOMS) continue;
      row.fees = addAtoms(row.fees, fee);
      row.feesValue = addAtoms(row.feesValue, this.#valueOf(market.quote, side === 'buy' ? valueAt(fee, trade.price, market) : fee));
    }
  }

  #valueOf(asset: AssetId, amount: Atoms): Atoms {
    return valueOf({ asset, amount }, this.#markets, this.#prices) ?? NO_ATOMS;
  }

  /** Points and the like are no money. */
  #isMoney(asset: AssetId): boolean {
    return this.#markets.asset(asset)?.kind === 'chain';
  }

  #rowOf({ account, asset }: { account: AccountId; asset: AssetId }, at: Millis, batch: Batch): AssetHour {
    const endsAt = endOfHour(at);
    if (endsAt !== this.#endsAt) this.#open.clear();
    this.#endsAt = endsAt;
    const key = keyOf({ account, asset });
    const row = this.#open.get(key) ?? {
      account,
      asset,
      endsAt,
      total: NO_ATOMS,
      netDeposits: NO_ATOMS,
      trades: 0,
      volume: NO_ATOMS,
      fees: NO_ATOMS,
      feesValue: NO_ATOMS,
      futuresTotal: NO_ATOMS,
      futuresNet: NO_ATOMS,
      contractTrades: 0,
      contractVolume: NO_ATOMS,
      contractFees: NO_ATOMS,
      contractFeesValue: NO_ATOMS,
    };
    this.#open.set(key, row);
    batch.hours.set(`${key}:${endsAt}`, row);
    return row;
  }
}

const keyOf = ({ account, asset }: { account: AccountId; asset: AssetId }): string => `${account}:${asset}`;
