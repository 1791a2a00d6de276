/** The tables of this service. Money and shares are atoms, times unix milliseconds. */
import { statements } from '@orrery/foundation';
import type { Kysely, Transaction } from 'kysely';
import type { Migration } from 'kysely/migration';

export interface FundRow {
  /** The asset of its shares. */
  fund: number;
  account: number;
  leader: number;
  asset: number;
  capacity: string;
  /** The last one above 0. */
  open_capacity: string;
  /** Since when nobody can subscribe, because the capacity is 0. */
  paused_at: number | null;
  /** When a pause ended last; 0 where none did. */
  reopened_at: number;
  status: 'OPEN' | 'CLOSING' | 'ENDED';
  reason: string | null;
  opened_at: number;
  /** Of the last valuation; before the first one as it was opened. */
  worth: string;
  shares: string;
  nav: string;
  cash: string;
  valued_at: number | null;
  /** The first valuation without a fresh price, while none followed that had. */
  missed_at: number | null;
  peak: string;
  /** Deepest fall below `peak` so far. */
  max_drawdown_ppm: number;
}

export interface ValuationRow {
  fund: number;
  time: number;
  worth: string;
  shares: string;
  nav: string;
  /** The highest NAV until then. */
  peak: string;
  /** Index price of BTC in ticks; null where none was known. */
  btc: string | null;
}

export interface HolderRow {
  fund: number;
  account: number;
  shares: string;
  /** What was paid for the shares that are left. */
  cost: string;
  /** What redemptions paid above what their shares had cost. */
  realised: string;
  high_water_mark: string;
  locked_until: number;
}

export interface EntryRow {
  /** In the order of history: the number of the command, and the place of the event in it. */
  seq: number;
  place: number;
  fund: number;
  account: number;
  kind: 'SUBSCRIPTION' | 'REDEMPTION' | 'FEE' | 'PAYOUT';
  request_id: string;
  status: 'WAITING' | 'PARTIAL' | 'DONE' | 'RETURNED';
  amount: string | null;
  shares: string | null;
  /** Of a redemption: shares that wait. */
  left_shares: string;
  fee: string;
  nav: string | null;
  earliest: number | null;
  reason: string | null;
  created_at: number;
  done_at: number | null;
}

export interface FundTables {
  /** How far history is folded, and the last index price of BTC in ticks. */
  fund_offset: { id: number; seq: number; btc: string | null };
  fund: FundRow;
  fund_valuation: ValuationRow;
  /** The last NAV of each UTC day. */
  fund_day: { fund: number; day: number; nav: string };
  fund_holder: HolderRow;
  fund_entry: EntryRow;
  /** What a fund had, minute by minute, until it is shown. */
  fund_holdings: { fund: number; at: number; holdings: string };
  /** `since`: when the pause ended after which it was traded, else 0. */
  fund_dealing: { fund: number; account: number; hour: number; since: number; trades: number; volume: string; gain: string };
  /** The mark of each contract and the index of each spot market, as of the offset. */
  fund_mark: { market: number; price: number };
}

export type FundDb = Kysely<FundTables>;
export type FundTx = Transaction<FundTables>;

const first = statements([
  `create table fund_offset (id int primary key check (id = 1), seq bigint not null, btc numeric)`,
  `create table fund (
    fund int primary key, account bigint not null, leader bigint not null, asset int not null, capacity numeric not null, status text not null, reason text,
    opened_at bigint not null, worth numeric not null, shares numeric not null, nav numeric not null, cash numeric not null, valued_at bigint, missed_at bigint,
    peak numeric not null, max_drawdown_ppm int not null)`,
  `create table fund_valuation (
    fund int not null, time bigint not null, worth numeric not null, shares numeric not null, nav numeric not null, peak numeric not null, btc numeric,
    primary key (fund, time))`,
  `create table fund_day (fund int not null, day bigint not null, nav numeric not null, primary key (fund, day))`,
  `create table fund_holder (
    fund int not null, account bigint not null, shares numeric not null, cost numeric not null, realised numeric not null, high_water_mark numeric not null,
    locked_until bigint not null, primary key (fund, account))`,
  `create index fund_holder_account on fund_holder (account)`,
  `create table fund_entry (
    seq bigint not null, place int not null, fund int not null, account bigint not null, kind text not null, request_id text not null, status text not null,
    amount numeric, shares numeric, left_shares numeric not null, fee numeric not null, nav numeric, earliest bigint, reason text, created_at bigint not null,
    done_at bigint, primary key (seq, place))`,
  `create index fund_entry_account on fund_entry (account, seq desc, place desc)`,
  `create unique index fund_entry_request on fund_entry (account, kind, request_id) where request_id <> ''`,
  `create index fund_entry_waiting on fund_entry (fund) where status in ('WAITING', 'PARTIAL')`,
  `create table fund_holdings (fund int not null, at bigint not null, holdings text not null, primary key (fund, at))`,
]);

const dealings = statements([
  `create table fund_dealing (
    fund int not null, account bigint not null, hour bigint not null, trades bigint not null, volume numeric not null, gain numeric not null,
    primary key (fund, account, hour))`,
  `create table fund_mark (market int primary key, price bigint not null)`,
]);

const pauses = statements([
  `alter table fund add column open_capacity numeric not null default 0, add column paused_at bigint, add column reopened_at bigint not null default 0`,
  `update fund set open_capacity = capacity, paused_at = case when capacity = 0 then opened_at end`,
  `alter table fund_dealing add column since bigint not null default 0, drop constraint fund_dealing_pkey, add primary key (fund, account, hour, since)`,
]);

const ages = statements([`create index fund_holdings_at on fund_holdings (at)`, `create index fund_dealing_hour on fund_dealing (hour)`]);

export const migrations: Record<string, Migration> = {
  'fund-001-first': first,
  'fund-002-dealings': dealings,
  'fund-003-pauses': pauses,
  'fund-004-ages': ages,
};
