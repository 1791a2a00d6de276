/** History in SQL. Amounts are whole atoms in `numeric`, prices ticks, sizes lots, times unix milliseconds. */
import { statements } from '@orrery/foundation';
import type { Migration } from 'kysely/migration';
import { EXPORT_STATEMENTS, type ExportTables } from './export-tables.ts';
import { HOUSE_STATEMENTS, HOUSE_TABLES, type HouseTables } from './house-tables.ts';
import {
  CONTRACT_STATEMENTS,
  CONTRACT_TABLES,
  INSURANCE_STATEMENTS,
  SPOT_TERMS_STATEMENTS,
  TWAP_STATEMENTS,
  type ContractOrderColumns,
  type ContractTables,
} from './contract-tables.ts';

export interface ProjectorTables extends ContractTables, ExportTables, HouseTables {
  /** One row: how far history is written. */
  projector_offset: { id: number; seq: number; at: number; bills: number };
  projector_order: ContractOrderColumns & {
    order_id: number;
    account: number;
    market: number;
    client_order_id: string;
    side: string;
    order_type: string;
    time_in_force: string;
    price: number;
    size: number;
    funds: string;
    trigger_price: number;
    slippage_ppm: number;
    self_trade_prevention: string;
    created_at: number;
    status: string;
    remaining: number;
    filled: number;
    filled_notional: string;
    updated_at: number;
    close_reason: string | null;
    /** Counts the account's orders that closed without a fill: only the latest of them are kept. */
    unfilled_number: number | null;
    /** The commands that accepted, triggered and closed it; null where it did not happen, or was written before they were kept. */
    accepted_seq: number | null;
    triggered_seq: number | null;
    triggered_at: number | null;
    closed_seq: number | null;
  };
  projector_fill: {
    trade_id: number;
    role: string;
    account: number;
    order_id: number;
    client_order_id: string;
    market: number;
    side: string;
    price: number;
    size: number;
    notional: string;
    fee: string;
    at: number;
    seq: number;
    /** USDC atoms of a trade in a contract, whose fee is in settle atoms; null on the spot market. */
    contract_volume: string | null;
    /** Settle atoms that the trade realised of a position; null on the spot market. */
    close_profit: string | null;
    position_side: string | null;
  };
  projector_bill: {
    id: number;
    seq: number;
    at: number;
    account: number;
    wallet: string;
    asset: number;
    kind: string;
    amount: string;
    after_amount: string;
    reference: string;
    /** The contract it came from; null where it came from none. */
    market: number | null;
  };
  /** Free and held together, as the bills add up to it. */
  projector_total: { account: number; wallet: string; asset: number; total: string };
  projector_transfer: {
    account: number;
    transfer_id: string;
    asset: number;
    amount: string;
    from_wallet: string;
    to_wallet: string;
    at: number;
    seq: number;
  };
  projector_withdrawal: {
    withdrawal_id: string;
    account: number;
    asset: number;
    amount: string;
    to_address: string;
    state: string;
    tx_hash: string | null;
    created_at: number;
    updated_at: number;
    seq: number;
  };
  projector_candle: {
    market: number;
    open_time: number;
    open: number;
    high: number;
    low: number;
    close: number;
    volume: number;
    quote_volume: string;
  };
  /** What an account has done so far, for tasks. */
  projector_activity: {
    account: number;
    orders: number;
    volume: string;
    first_deposit_at: number | null;
    first_transfer_at: number | null;
    first_order_at: number | null;
    first_fill_at: number | null;
    first_claim_at: number | null;
  };
  /**
   * What an account did in one UTC day, by `day_at`, its 00:00. Trades and volume count only where a fee was paid; nobody
   * trades with themselves. What was done in contracts is apart, in USDC atoms.
   */
  projector_day: {
    account: number;
    day_at: number;
    orders: number;
    trades: number;
    volume: string;
    contract_orders: number;
    contract_trades: number;
    contract_volume: string;
    /** As the maker, whether or not a fee was paid. */
    contract_maker_volume: string;
  };
  /** What a portfolio is read from: see `AssetHour`. */
  projector_hour: {
    account: number;
    asset: number;
    ends_at: number;
    total: string;
    net_deposits: string;
    trades: number;
    volume: string;
    fees: string;
    fees_value: string;
    futures_total: string;
    futures_net: string;
    contract_trades: number;
    contract_volume: string;
    contract_fees: string;
    contract_fees_value: string;
  };
  /** The last index price before the end of an hour. */
  projector_index_price: { market: number; ends_at: number; price: number };
  /** What was taken back is a row of its own, below zero. */
  projector_award: { key: string; account: number; asset: number; amount: string; at: number; seq: number };
}

/** All that follows the journal. */
export const TABLES = [
  'projector_order',
  'projector_fill',
  'projector_bill',
  'projector_total',
  'projector_transfer',
  'projector_withdrawal',
  'projector_candle',
  'projector_activity',
  'projector_day',
  'projector_hour',
  'projector_index_price',
  'projector_award',
  ...CONTRACT_TABLES,
  ...HOUSE_TABLES,
  'projector_offset',
] as const satisfies readonly (keyof ProjectorTables)[];

const STATEMENTS = [
  `create table projector_offset (id int primary key check (id = 1), seq bigint not null, at bigint not null, bills bigint not null)`,
  `create table projector_order (
    order_id bigint primary key, account bigint not null, market int not null, client_order_id text not null, side text not null,
    order_type text not null, time_in_force text not null, price bigint not null, size bigint not null, funds numeric not null,
    trigger_price bigint not null, slippage_ppm int not null, self_trade_prevention text not null, created_at bigint not null,
    status text not null, remaining bigint not null, filled bigint not null, filled_notional numeric not null, updated_at bigint not null,
    close_reason text, unfilled_number bigint)`,
  `create index projector_order_closed on projector_order (account, order_id desc) where status = 'closed'`,
  `create index projector_order_waiting on projector_order (order_id) where status <> 'closed'`,
  `create index projector_order_unfilled on projector_order (account, unfilled_number) where unfilled_number is not null`,
  `create table projector_fill (
    trade_id bigint not null, role text not null, account bigint not null, order_id bigint not null, client_order_id text not null,
    market int not null, side text not null, price bigint not null, size bigint not null, notional numeric not null, fee numeric not null,
    at bigint not null, seq bigint not null, primary key (trade_id, role))`,
  `create index projector_fill_account on projector_fill (account, trade_id desc)`,
  `create index projector_fill_order on projector_fill (order_id)`,
  `create index projector_fill_tape on projector_fill (market, trade_id desc) where role = 'TAKER'`,
  `create table projector_bill (
    id bigint primary key, seq bigint not null, at bigint not null, account bigint not null, wallet text not null, asset int not null,
    kind text not null, amount numeric not null, after_amount numeric not null, reference text not null)`,
  `create index projector_bill_account on projector_bill (account, id desc)`,
  `create table projector_total (
    account bigint not null, wallet text not null, asset int not null, total numeric not null, primary key (account, wallet, asset))`,
  `create table projector_transfer (
    account bigint not null, transfer_id text not null, asset int not null, amount numeric not null, from_wallet text not null,
    to_wallet text not null, at bigint not null, seq bigint not null, primary key (account, transfer_id))`,
  `create index projector_transfer_account on projector_transfer (account, seq desc)`,
  `create table projector_withdrawal (
    withdrawal_id text primary key, account bigint not null, asset int not null, amount numeric not null, to_address text not null,
    state text not null, tx_hash text, created_at bigint not null, updated_at bigint not null, seq bigint not null)`,
  `create index projector_withdrawal_account on projector_withdrawal (account, seq desc)`,
  `create table projector_candle (
    market int not null, open_time bigint not null, open bigint not null, high bigint not null, low bigint not null, close bigint not null,
    volume bigint not null, quote_volume numeric not null, primary key (market, open_time))`,
  `create table projector_activity (
    account bigint primary key, orders bigint not null, volume numeric not null, first_deposit_at bigint, first_transfer_at bigint,
    first_order_at bigint, first_fill_at bigint, first_claim_at bigint)`,
  `create table projector_award (
    key text primary key, account bigint not null, asset int not null, amount numeric not null, at bigint not null, seq bigint not null)`,
  `create index projector_award_account on projector_award (account, seq desc)`,
  `insert into projector_offset values (1, 0, 0, 0)`,
];

/** Counts the days already in history. */
export const COUNT_DAYS = [
  `insert into projector_day (account, day_at, orders, trades, volume)
    select account, created_at - created_at % 86400000, count(*), 0, 0 from projector_order group by 1, 2`,
  `insert into projector_day (account, day_at, orders, trades, volume)
    select account, at - at % 86400000, 0, count(*), sum(notional) from projector_fill where fee > 0 group by 1, 2
    on conflict (account, day_at) do update set trades = excluded.trades, volume = excluded.volume`,
];

const DAY_STATEMENTS = [
  `create table projector_day (
    account bigint not null, day_at bigint not null, orders bigint not null, trades bigint not null, volume numeric not null,
    primary key (account, day_at))`,
  ...COUNT_DAYS,
];

/** Portfolios begin with what there is. Index prices of the past are not in SQL, so what was before is written by `npm run rebuild-history` only. */
export const BEGIN_HOURS = `insert into projector_hour (account, asset, ends_at, total, net_deposits, trades, volume, fees, fees_value)
  select account, asset, (select at - at % 3600000 + 3600000 from projector_offset), sum(total), 0, 0, 0, 0, 0
  from projector_total group by account, asset`;

const HOUR_STATEMENTS = [
  `create table projector_hour (
    account bigint not null, asset int not null, ends_at bigint not null, total numeric not null, net_deposits numeric not null,
    trades bigint not null, volume numeric not null, fees numeric not null, fees_value numeric not null,
    primary key (account, ends_at, asset))`,
  `create index projector_hour_end on projector_hour (ends_at)`,
  `create table projector_index_price (
    market int not null, ends_at bigint not null, price bigint not null, primary key (market, ends_at))`,
  BEGIN_HOURS,
];

const ORDER_MARK_STATEMENTS = [
  `alter table projector_order add column accepted_seq bigint`,
  `alter table projector_order add column triggered_seq bigint`,
  `alter table projector_order add column triggered_at bigint`,
  `alter table projector_order add column closed_seq bigint`,
];

/** What was traded before them counts as spot until history is rebuilt. */
const CONTRACT_HOUR_STATEMENTS = [
  `alter table projector_hour add column contract_trades bigint not null default 0`,
  `alter table projector_hour add column contract_volume numeric not null default 0`,
  `alter table projector_hour add column contract_fees numeric not null default 0`,
  `alter table projector_hour add column contract_fees_value numeric not null default 0`,
];

const FUND_BILL_STATEMENTS = [
  `create index projector_bill_fund on projector_bill (account, id) where kind in ('SUBSCRIPTION', 'REDEMPTION', 'PERFORMANCE_FEE')`,
];

export const migrations: Record<string, Migration> = {
  'projector-001-first': statements(STATEMENTS),
  'projector-002-day': statements(DAY_STATEMENTS),
  'projector-003-hour': statements(HOUR_STATEMENTS),
  'projector-004-contracts': statements(CONTRACT_STATEMENTS),
  'projector-005-order-marks': statements(ORDER_MARK_STATEMENTS),
  'projector-006-insurance': statements(INSURANCE_STATEMENTS),
  'projector-007-contract-hours': statements(CONTRACT_HOUR_STATEMENTS),
  'projector-009-exports': statements(EXPORT_STATEMENTS),
  'projector-010-twaps': statements(TWAP_STATEMENTS),
  'projector-011-spot-terms': statements(SPOT_TERMS_STATEMENTS),
  'projector-012-fund-bills': statements(FUND_BILL_STATEMENTS),
  'projector-013-house': statements(HOUSE_STATEMENTS),
};
