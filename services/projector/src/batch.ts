/** Everything some commands in a row change in SQL, gathered to be written in one transaction. */
import type { Wallet } from '@orrery/protocol';
import { type AccountId, type AssetId, type Atoms, type MarketId, type Millis, NO_ATOMS, type OrderId, type Ticks } from '@orrery/units';
import { type Candle, joinCandles, type OrderState } from '@orrery/views';
import type { Insertable } from 'kysely';
import { ContractBatch } from './contract-batch.ts';
import type { OrderMarks } from './order-marks.ts';
import type { ProjectorTables } from './tables.ts';

export type Row<Table extends keyof ProjectorTables> = Insertable<ProjectorTables[Table]>;

export interface WithdrawalStep {
  readonly withdrawalId: string;
  readonly state: 'SENT' | 'POSTED' | 'REFUNDED';
  /** Undefined leaves it as it is. */
  readonly txHash: string | undefined;
  readonly at: Millis;
}

type FirstTime = 'deposit' | 'transfer' | 'order' | 'fill' | 'claim';

export interface Activity {
  orders: number;
  volume: Atoms;
  readonly first: Partial<Record<FirstTime, Millis>>;
}

/** What an account did in one UTC day: see `projector_day`. */
export interface Day {
  readonly account: AccountId;
  readonly dayAt: number;
  orders: number;
  trades: number;
  volume: Atoms;
  contractOrders: number;
  contractTrades: number;
  contractVolume: Atoms;
  contractMakerVolume: Atoms;
}

/** One account, one asset, one hour. Values are USDC atoms. */
export interface AssetHour {
  readonly account: AccountId;
  readonly asset: AssetId;
  /** Unix milliseconds. */
  readonly endsAt: number;
  /** In all wallets, free and held, at the end. */
  total: Atoms;
  /** Deposits less withdrawals in the hour, by index prices. */
  netDeposits: Atoms;
  /** In which this asset was received. */
  trades: number;
  volume: Atoms;
  /** Taken in this asset. */
  fees: Atoms;
  feesValue: Atoms;
  /** The part of `total` that lies in the wallets of futures. */
  futuresTotal: Atoms;
  /** Transfers into the wallets of futures less those out of them in the hour, by index prices. */
  futuresNet: Atoms;
  /** The part of `trades`, `volume`, `fees` and `feesValue` that came of contracts. */
  contractTrades: number;
  contractVolume: Atoms;
  contractFees: Atoms;
  contractFeesValue: Atoms;
}

export interface WrittenOrder {
  readonly state: OrderState;
  readonly unfilledNumber: number | undefined;
  /** What happened to it in these commands. */
  readonly marks: OrderMarks;
}

/** What came of the accounts of the house: see `house.ts`. */
interface HouseBatch {
  /** Orders that closed, and may have a row of the time when they were open. */
  readonly closed: Set<OrderId>;
  /** All of theirs. */
  readonly fills: Row<'projector_fill'>[];
  /** Fills that are not written one by one: both sides are the house. */
  readonly rowless: Set<Row<'projector_fill'>>;
  /** By market and slot. */
  readonly trades: Map<string, Row<'projector_house_trade'>>;
  readonly bills: Map<string, Row<'projector_house_bill'>>;
}

export const DAY_MS = 86_400_000;

export class Batch {
  readonly orders = new Map<OrderId, WrittenOrder>();
  readonly fills: Row<'projector_fill'>[] = [];
  readonly bills: Row<'projector_bill'>[] = [];
  readonly totals = new Map<string, { account: AccountId; wallet: Wallet; asset: AssetId; total: Atoms }>();
  readonly transfers: Row<'projector_transfer'>[] = [];
  readonly withdrawals: Row<'projector_withdrawal'>[] = [];
  readonly withdrawalSteps: WithdrawalStep[] = [];
  readonly candles = new Map<string, { readonly market: MarketId; readonly candle: Candle }>();
  readonly activity = new Map<AccountId, Activity>();
  readonly days = new Map<string, Day>();
  readonly awards: Row<'projector_award'>[] = [];
  readonly hours = new Map<string, AssetHour>();
  /** The last index price of each market in each hour. */
  readonly prices = new Map<string, { readonly market: MarketId; readonly endsAt: number; readonly price: Ticks }>();
  /** The last unfilled number of each account that got one. */
  readonly unfilled = new Map<AccountId, number>();
  readonly contracts = new ContractBatch();
  readonly house: HouseBatch = { closed: new Set(), fills: [], rowless: new Set(), trades: new Map(), bills: new Map() };

  addCandle(market: MarketId, part: Candle): void {
    const key = `${market}:${part.openTime}`;
    const before = this.candles.get(key)?.candle;
    this.candles.set(key, { market, candle: before === undefined ? part : joinCandles(before, part) });
  }

  activityOf(account: AccountId): Activity {
    const found = this.activity.get(account) ?? { orders: 0, volume: NO_ATOMS, first: {} };
    this.activity.set(account, found);
    return found;
  }

  dayOf(account: AccountId, at: Millis): Day {
    const dayAt = at - (at % DAY_MS);
    const key = `${account}:${dayAt}`;
    const found = this.days.get(key) ?? {
      account,
      dayAt,
      orders: 0,
      trades: 0,
      volume: NO_ATOMS,
      contractOrders: 0,
      contractTrades: 0,
      contractVolume: NO_ATOMS,
      contractMakerVolume: NO_ATOMS,
    };
    this.days.set(key, found);
    return found;
  }

  /** Keeps the earliest. */
  seen(account: AccountId, what: FirstTime, at: Millis): void {
    this.activityOf(account).first[what] ??= at;
  }
}
