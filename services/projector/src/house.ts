/**
 * The accounts of the house, whose own clients quote and trade with one another all day. Of them history keeps what persons need and sums of the rest: a closed order
 * leaves no row; a trade within the house stands on the tape until newer ones take its place; fills, and bills of trades, are summed by the UTC day.
 */
import type { Event, Trade } from '@orrery/protocol';
import { type AccountId, accountId, type MarketId } from '@orrery/units';
import { TRADES_KEPT } from '@orrery/views';
import { type Batch, DAY_MS, type Row } from './batch.ts';

/** What trades move. Every other bill of the house has its row. */
const SUMMED: ReadonlySet<string> = new Set(['TRADE', 'FEE', 'PROFIT']);

export class House {
  readonly #addresses: ReadonlySet<string>;
  readonly #accounts = new Set<AccountId>();
  /** By market, the number of its trades within the house. */
  readonly #trades = new Map<MarketId, number>();

  /** @param addresses hexadecimal, of either case. History is written by them: other addresses give other rows. */
  constructor(addresses: readonly string[]) {
    this.#addresses = new Set(addresses.map((address) => address.toLowerCase()));
  }

  /** An account is never given to another address: to know of it early does no harm. */
  apply(event: Event): void {
    if (event.type === 'AccountOpened' && this.#addresses.has(event.address.toLowerCase())) this.#accounts.add(event.account);
  }

  restoreTrades(market: MarketId, count: number): void {
    this.#trades.set(market, count);
  }

  has(account: AccountId): boolean {
    return this.#accounts.has(account);
  }

  /** Counts the two fills of a trade. */
  fill(trade: Trade, fills: readonly Row<'projector_fill'>[], batch: Batch): void {
    for (const row of fills) if (this.has(accountId(row.account))) batch.house.fills.push(row);
    if (!this.has(trade.takerAccount) || !this.has(trade.makerAccount)) return;
    for (const row of fills) batch.house.rowless.add(row);
    const { market, tradeId, price, size, takerSide } = trade;
    const number = (this.#trades.get(market) ?? 0) + 1;
    this.#trades.set(market, number);
    const [taker] = fills;
    const slot = number % TRADES_KEPT;
    const common = { market, slot, number, trade_id: tradeId, price, size, side: takerSide };
    batch.house.trades.set(`${market}:${slot}`, { ...common, at: taker?.at ?? 0, seq: taker?.seq ?? 0 });
  }

  /** @returns whether the bill is in a sum and has no row */
  bill(row: Row<'projector_bill'>, batch: Batch): boolean {
    if (!this.has(accountId(row.account)) || !SUMMED.has(row.kind)) return false;
    const { account, wallet, asset, kind, amount, at } = row;
    const day = at - (at % DAY_MS);
    const key = `${account}:${wallet}:${asset}:${kind}:${day}`;
    const sum = batch.house.bills.get(key);
    batch.house.bills.set(key, {
      account,
      wallet,
      asset,
      kind,
      day_at: day,
      bills: (sum?.bills ?? 0) + 1,
      amount: String(BigInt(sum?.amount ?? '0') + BigInt(amount)),
    });
    return true;
  }
}

/** Fills by account, market and day. They are summed when a batch is written: what a trade realised is known after it. */
export function sumFills(fills: readonly Row<'projector_fill'>[]): readonly Row<'projector_house_fill'>[] {
  const sums = new Map<string, Row<'projector_house_fill'>>();
  for (const { account, market, at, size, notional, fee, contract_volume: volume, close_profit: profit } of fills) {
    const day = at - (at % DAY_MS);
    const key = `${account}:${market}:${day}`;
    const sum = sums.get(key);
    sums.set(key, {
      account,
      market,
      day_at: day,
      fills: (sum?.fills ?? 0) + 1,
      size: added(sum?.size, String(size)),
      notional: added(sum?.notional, notional),
      fee: added(sum?.fee, fee),
      contract_volume: added(sum?.contract_volume, volume ?? '0'),
      close_profit: added(sum?.close_profit, profit ?? '0'),
    });
  }
  return [...sums.values()];
}

const added = (sum: string | undefined, amount: string): string => String(BigInt(sum ?? '0') + BigInt(amount));
