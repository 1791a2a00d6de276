/** The tables of the leaderboard campaigns. Times are unix milliseconds, money is whole atoms in `numeric`. */
import type { Generated, JSONColumnType } from 'kysely';
import type { Evidence } from '../clusters/clusters.ts';
import type { LocalisedText } from './localised-text.ts';

/** What a campaign ranks by. */
export const BOARDS = ['VOLUME', 'PNL'] as const;
export type Board = (typeof BOARDS)[number];

/** For every rank from the first to the last of them. */
export interface Prize {
  readonly fromRank: number;
  readonly toRank: number;
  readonly points: number;
}

export interface LeaderboardTables {
  campaign_period: {
    campaign_id: string;
    name: JSONColumnType<LocalisedText>;
    starts_at: number;
    /** The first millisecond that does not count any more. */
    ends_at: number;
    pays_at: number;
    boards: JSONColumnType<readonly Board[]>;
    prizes: JSONColumnType<readonly Prize[]>;
    /** Quote atoms of one cluster that count on a UTC day; null where everything does. */
    volume_cap: string | null;
    /** When the ranks were written down for good, and when every prize of them was given. */
    decided_at: number | null;
    paid_at: number | null;
  };
  campaign_flow: {
    campaign_id: string;
    market: number;
    block: number;
    taker: number;
    maker: number;
    trades: number;
    quick: number;
    lots: string;
    net_lots: string;
    taker_volume: string;
    taker_cash: string;
    taker_base: string;
    taker_gift: string;
    maker_volume: string;
    maker_cash: string;
    maker_base: string;
    maker_gift: string;
    last_seq: number;
  };
  /** The last outside price of each market within the campaign, in ticks. */
  campaign_mark: { campaign_id: string; market: number; price: number };
  /** The outside price of each market at the offset, in ticks, and when it was set. */
  campaign_outside_price: { market: number; price: number; at: number };
  /** One row: how far history is folded into flows and marks. */
  campaign_flow_offset: { id: number; seq: number };
  /** Whose trades with one another did not count when the ranks were decided: those of one cluster have one root. */
  campaign_withheld: { campaign_id: string; account: number; root: number; evidence: JSONColumnType<readonly Evidence[]> };
  /** One for a campaign and account; `settled_at` when what it brings was paid, or it brings nothing. */
  campaign_appeal: {
    appeal_id: Generated<number>;
    campaign_id: string;
    account: number;
    /** Empty, but in rows of before there was a key per person until the next start. */
    text: string;
    /** Under the key of the person; null where that is erased. */
    sealed_text: Buffer | null;
    filed_at: number;
    state: 'WAITING' | 'ACCEPTED' | 'DECLINED';
    answer: string;
    decided_at: number | null;
    settled_at: number | null;
    members: JSONColumnType<readonly number[]>;
    evidence: JSONColumnType<readonly Evidence[]>;
  };
  /** Those of one accepted appeal are separate people: nothing joins them to one another any more. */
  campaign_apart: { appeal_id: number; account: number };
  /** The ranks as they were decided; `settled_at` when the prize was given, or will never be. */
  campaign_result: {
    campaign_id: string;
    board: Board;
    rank: number;
    account: number;
    value: string;
    points: number;
    settled_at: number | null;
  };
}

export const LEADERBOARD_STATEMENTS = [
  `create table campaign_period (
    campaign_id text primary key, name jsonb not null, starts_at bigint not null, ends_at bigint not null, pays_at bigint not null,
    boards jsonb not null, prizes jsonb not null, decided_at bigint, paid_at bigint)`,
  `create table campaign_flow (
    campaign_id text not null, market int not null, block int not null, taker bigint not null, maker bigint not null, trades bigint not null,
    quick bigint not null, lots numeric not null, net_lots numeric not null, taker_volume numeric not null, taker_cash numeric not null,
    taker_base numeric not null, maker_volume numeric not null, maker_cash numeric not null, maker_base numeric not null,
    last_seq bigint not null, primary key (campaign_id, market, block, taker, maker))`,
  `create table campaign_mark (campaign_id text not null, market int not null, price bigint not null, primary key (campaign_id, market))`,
  `create table campaign_flow_offset (id int primary key check (id = 1), seq bigint not null)`,
  `insert into campaign_flow_offset values (1, 0)`,
  `create table campaign_result (
    campaign_id text not null, board text not null, rank int not null, account bigint not null, value numeric not null, points bigint not null,
    settled_at bigint, primary key (campaign_id, board, account))`,
  `create unique index campaign_result_rank on campaign_result (campaign_id, board, rank)`,
];

export const VOLUME_CAP_STATEMENTS = [`alter table campaign_period add volume_cap numeric`];

export const APPEAL_STATEMENTS = [
  `create table campaign_withheld (
    campaign_id text not null, account bigint not null, root bigint not null, evidence jsonb not null, primary key (campaign_id, account))`,
  `create table campaign_appeal (
    appeal_id bigint generated always as identity primary key, campaign_id text not null, account bigint not null, text text not null,
    filed_at bigint not null, state text not null, answer text not null, decided_at bigint, settled_at bigint, members jsonb not null,
    evidence jsonb not null, unique (campaign_id, account))`,
  `create table campaign_apart (appeal_id bigint not null, account bigint not null, primary key (appeal_id, account))`,
];

/** What is there is encrypted by the next start. */
export const SEALED_APPEAL_STATEMENTS = [`alter table campaign_appeal add sealed_text bytea`];

export const WITHHELD_INDEX_STATEMENTS = [`create index campaign_withheld_account on campaign_withheld (account)`];

/** What was traded before has no gifts. */
export const GIFT_STATEMENTS = [
  `alter table campaign_flow add taker_gift numeric not null default 0, add maker_gift numeric not null default 0`,
  `create table campaign_outside_price (market int primary key, price bigint not null, at bigint not null)`,
];
