/** The tables of the lucky blocks: what was decided about them, and what looked improbable. Times are unix milliseconds. */
import type { Generated, JSONColumnType } from 'kysely';

export interface LuckyTables {
  /** One row for each block about whose sender there was something to decide. `day` is the UTC day of the block's time. */
  campaign_lucky_decision: {
    block_hash: string;
    block_number: number;
    day: string;
    sender: string;
    decision: 'won' | 'refused';
    /** Empty when it won. */
    reason: string;
    decided_at: number;
    /** When the points were given. */
    paid_at: number | null;
  };
  /** One row: how far blocks are decided and looked at, and which announcement was the last. */
  campaign_lucky_cursor: { id: number; decided_id: number; examined_id: number; announced_at: number };
  campaign_lucky_alarm: {
    kind: 'SENDER' | 'CHAIN' | 'REORGED';
    /** An address, or the hash of a block. */
    subject: string;
    /** A UTC day or month, such as 2026-11-22 or 2026-11. */
    period: string;
    evidence: JSONColumnType<LuckyEvidence>;
    raised_at: number;
    /** The number of lucky blocks at which an operator has looked. */
    looked_lucky: Generated<number>;
  };
}

/** The number of successes and draws, and the probability of at least that many. */
export interface LuckyEvidence {
  readonly draws: number;
  readonly lucky: number;
  readonly probability: number;
}

export const LUCKY_STATEMENTS = [
  `create table campaign_lucky_decision (
    block_hash text primary key, block_number bigint not null, day text not null, sender text not null, decision text not null,
    reason text not null, decided_at bigint not null, paid_at bigint)`,
  `create unique index campaign_lucky_winner on campaign_lucky_decision (day, sender) where decision = 'won'`,
  `create index campaign_lucky_unpaid on campaign_lucky_decision (block_number) where decision = 'won' and paid_at is null`,
  `create table campaign_lucky_cursor (
    id int primary key check (id = 1), decided_id bigint not null, examined_id bigint not null, announced_at bigint not null)`,
  `insert into campaign_lucky_cursor values (1, 0, 0, 0)`,
  `create table campaign_lucky_alarm (
    kind text not null, subject text not null, period text not null, evidence jsonb not null, raised_at bigint not null,
    primary key (kind, subject, period))`,
];

export const LUCKY_PAUSE_STATEMENTS = [`alter table campaign_lucky_alarm add looked_lucky int not null default 0`];
