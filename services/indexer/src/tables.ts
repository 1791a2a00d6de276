/** The tables of this service: the chain as it is now, what was read from the heart, and what was sent. Times are unix milliseconds. */
import { statements } from '@orrery/foundation';
import { type Generated, type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

export type DepositState = 'pending' | 'credited' | 'suspended' | 'refused';
export type PayoutState = 'held' | 'sent' | 'posted' | 'refunded';
/** Of a payout; null until it is looked at for the first time. See `Reviews`. */
export type ReviewState = 'free' | 'waiting' | 'approved' | 'refused' | 'cancelled' | 'signed';
export type ReviewCause = 'aboveLimit' | 'firstEver';
export type ClaimState = 'reserved' | 'paid' | 'failed';
export type ParcelState = 'queued' | 'sent' | 'succeeded' | 'failed';
/** A halt that ends automatically, one that a person ends, or what the chain must never show, which a person ends too. */
export type HaltKind = 'self' | 'human' | 'alarm';

export interface IndexerTables {
  /** Every block since the contracts, newest branch only. Rows of a block go with it. */
  indexer_block: { number: number; hash: string; parent_hash: string; time: number };
  indexer_transaction: {
    hash: string;
    block_number: number;
    position: number;
    sender: string;
    recipient: string | null;
    nonce: number;
    value: string;
    status: 'success' | 'failed';
    /** Whether it carries more than a value: a call, or a contract. */
    has_data: boolean;
    /** Names the function that was called; null without a call, and for those read before it was kept. */
    selector: string | null;
  };
  indexer_deposit: {
    key: string;
    block_number: number;
    tx_hash: string;
    log_index: number;
    address: string;
    token: string;
    amount: string;
    state: DepositState;
  };
  indexer_release: {
    withdrawal_id: string;
    block_number: number;
    tx_hash: string;
    token: string;
    recipient: string;
    amount: string;
    /** Whether it was compared with what the ledger requested. */
    judged: Generated<boolean>;
  };
  /** Withdrawals that the vault will pay when their dispute delay is over: a request for each deadline that was signed. */
  indexer_request: {
    withdrawal_id: string;
    block_number: number;
    tx_hash: string;
    token: string;
    recipient: string;
    amount: string;
    /** As it was signed; both in unix seconds of chain time. */
    deadline: number;
    releasable_at: number;
    judged: Generated<boolean>;
  };
  /** Payouts whose block is gone, until they are final in another one. */
  indexer_recall: { withdrawal_id: string };
  /** Credited deposits whose block is gone. */
  indexer_orphan: {
    key: string;
    address: string;
    token: string;
    amount: string;
    suspended: boolean;
    /** Null for those that left the chain before it was kept. */
    since: number | null;
    settled_at: number | null;
  };
  /** Orphaned deposits that two operators wrote off, until they are credited after all. */
  indexer_write_off: {
    key: string;
    tx_hash: string;
    log_index: number;
    account: number;
    address: string;
    token: string;
    asset: number;
    amount: string;
    /** By the exchange: what its account had spent. */
    paid: string;
    written_at: number;
    returned_at: number | null;
  };
  /** One row, once it was compared: what the vault and the ledger hold, as JSON, for the processes that do not read the chain. */
  indexer_solvency: { id: number; report: string };
  /** What lies in the ledger's SUSPENSE of deposits whose block is gone, until they are credited again. */
  indexer_suspense: { key: string; account: number; asset: number; amount: string };
  indexer_halt: {
    id: Generated<number>;
    kind: HaltKind;
    reason: string;
    block_number: number;
    since: number;
    ended_at: number | null;
    /** What an alarm is about: it is raised once. */
    key: string | null;
  };
  /** How far the heart's history is folded into the tables below. */
  indexer_offset: { name: string; value: number };
  indexer_account: { account: number; address: string };
  /** What entered the ledger from the chain. */
  indexer_credit: {
    key: string;
    asset: number;
    amount: string;
    /** Of a blocked account: it waits in suspense until the account is no longer blocked. */
    suspended: Generated<boolean>;
  };
  indexer_payout: {
    withdrawal_id: string;
    account: number;
    asset: number;
    amount: string;
    recipient: string;
    state: PayoutState;
    /** Unix seconds of chain time; set before anything is signed, and moved only when a posted payout is signed again. */
    deadline: number | null;
    /** Before it is `signed` the vault can not pay it. */
    review: ReviewState | null;
    /** Why an operator decides, or has decided. */
    review_cause: ReviewCause | null;
    review_since: number | null;
    /** What the operator who refused it wrote. */
    review_answer: string | null;
  };
  indexer_claim: { claim_id: string; account: number; state: ClaimState };
  /** Transactions of the operator: each with one nonce, known by its hashes before it is sent. */
  indexer_parcel: {
    id: Generated<number>;
    purpose: 'request' | 'release' | 'claim';
    reference: string;
    recipient: string;
    data: string;
    gas: number;
    state: ParcelState;
    nonce: number | null;
    max_fee: string | null;
    /** The newest last: one sent again with a higher fee has another hash. */
    hashes: string[];
    raw: string | null;
    sent_at: number | null;
    signed_at: number | null;
    not_before: number;
  };
  /** Every lucky block that was final once, with the transaction that comes first in it. */
  indexer_lucky_block: {
    id: Generated<number>;
    block_number: number;
    block_hash: string;
    block_time: number;
    tx_hash: string | null;
    sender: string | null;
    recipient: string | null;
    value: string | null;
    has_data: boolean | null;
    found_at: number;
    /** When the chain took it back although it was final. */
    taken_back_at: number | null;
  };
}

const first: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      create table indexer_block (number bigint primary key, hash text not null, parent_hash text not null, time bigint not null)`.execute(
      db,
    );
    await sql`
      create table indexer_transaction (
        hash text primary key, block_number bigint not null references indexer_block on delete cascade, position int not null,
        sender text not null, recipient text, nonce bigint not null, value numeric not null, status text not null
      )`.execute(db);
    await sql`create index indexer_transaction_place on indexer_transaction (block_number, position)`.execute(db);
    await sql`create index indexer_transaction_sender on indexer_transaction (sender, block_number)`.execute(db);
    await sql`create index indexer_transaction_recipient on indexer_transaction (recipient, block_number)`.execute(db);
    await sql`
      create table indexer_deposit (
        key text primary key, block_number bigint not null references indexer_block on delete cascade, tx_hash text not null,
        log_index int not null, address text not null, token text not null, amount numeric not null, state text not null
      )`.execute(db);
    await sql`create index indexer_deposit_address on indexer_deposit (address, block_number)`.execute(db);
    await sql`create index indexer_deposit_pending on indexer_deposit (block_number) where state = 'pending'`.execute(db);
    await sql`
      create table indexer_release (
        withdrawal_id text primary key, block_number bigint not null references indexer_block on delete cascade, tx_hash text not null,
        token text not null, recipient text not null, amount numeric not null
      )`.execute(db);
    await sql`
      create table indexer_orphan (
        key text primary key, address text not null, token text not null, amount numeric not null, frozen boolean not null, settled_at bigint
      )`.execute(db);
    await sql`
      create table indexer_halt (
        id bigint generated always as identity primary key, kind text not null, reason text not null, block_number bigint not null,
        since bigint not null, ended_at bigint
      )`.execute(db);
    await sql`create table indexer_offset (name text primary key, value bigint not null)`.execute(db);
    await sql`create table indexer_account (account bigint primary key, address text not null unique, blocked boolean not null)`.execute(
      db,
    );
    await sql`create table indexer_credit (key text primary key, asset bigint not null, amount numeric not null)`.execute(db);
    await sql`
      create table indexer_payout (
        withdrawal_id text primary key, account bigint not null, asset bigint not null, amount numeric not null, recipient text not null,
        state text not null, deadline bigint
      )`.execute(db);
    await sql`create index indexer_payout_open on indexer_payout (withdrawal_id) where state in ('held', 'sent')`.execute(db);
    await sql`create table indexer_claim (claim_id text primary key, account bigint not null, state text not null)`.execute(db);
    await sql`
      create table indexer_parcel (
        id bigint generated always as identity primary key, purpose text not null, reference text not null, recipient text not null,
        data text not null, gas bigint not null, state text not null, nonce bigint unique, max_fee numeric, hashes text[] not null,
        raw text, sent_at bigint, signed_at bigint, not_before bigint not null
      )`.execute(db);
    await sql`create index indexer_parcel_reference on indexer_parcel (purpose, reference)`.execute(db);
    await sql`create index indexer_parcel_open on indexer_parcel (id) where state in ('queued', 'sent')`.execute(db);
  },
};

const recall: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`create table indexer_recall (withdrawal_id text primary key)`.execute(db);
    await sql`
      insert into indexer_recall select withdrawal_id from indexer_payout p
      where state = 'posted' and not exists (select 1 from indexer_release r where r.withdrawal_id = p.withdrawal_id)`.execute(db);
  },
};

const lucky: Migration = {
  async up(db: Kysely<unknown>) {
    // Unknown for transactions read before: they count as calls.
    await sql`alter table indexer_transaction add column has_data boolean not null default true`.execute(db);
    await sql`create index indexer_block_time on indexer_block (time)`.execute(db);
    await sql`
      create table indexer_lucky_block (
        id bigint generated always as identity primary key, block_number bigint not null, block_hash text not null unique,
        block_time bigint not null, tx_hash text, sender text, recipient text, value numeric, has_data boolean, found_at bigint not null,
        taken_back_at bigint
      )`.execute(db);
    await sql`create index indexer_lucky_block_number on indexer_lucky_block (block_number)`.execute(db);
    await sql`create index indexer_lucky_block_sender on indexer_lucky_block (sender, block_number)`.execute(db);
  },
};

const suspense: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table indexer_orphan rename column frozen to suspended`.execute(db);
    // The earlier version blocked the account instead: nothing is in suspense yet.
    await sql`update indexer_orphan set suspended = false where settled_at is null`.execute(db);
    await sql`alter table indexer_account drop column blocked`.execute(db);
    await sql`create table indexer_suspense (key text primary key, account bigint not null, asset bigint not null, amount numeric not null)`.execute(
      db,
    );
  },
};

const suspendedCredit: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table indexer_credit add column suspended boolean not null default false`.execute(db);
    await sql`update indexer_credit set suspended = true where key in (select key from indexer_deposit where state = 'suspended')`.execute(
      db,
    );
  },
};

const alarms: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table indexer_halt add column key text`.execute(db);
    await sql`create unique index indexer_halt_key on indexer_halt (key)`.execute(db);
    // Releases read before are judged too.
    await sql`alter table indexer_release add column judged boolean not null default false`.execute(db);
    await sql`create index indexer_release_unjudged on indexer_release (withdrawal_id) where not judged`.execute(db);
  },
};

const requests: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      create table indexer_request (
        withdrawal_id text not null, block_number bigint not null references indexer_block on delete cascade, tx_hash text not null,
        token text not null, recipient text not null, amount numeric not null, deadline bigint not null,
        releasable_at bigint not null,
        judged boolean not null default false, primary key (withdrawal_id, deadline)
      )`.execute(db);
    await sql`create index indexer_request_unjudged on indexer_request (withdrawal_id) where not judged`.execute(db);
  },
};

const selectors: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table indexer_transaction add column selector text`.execute(db);
  },
};

const reviews: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table indexer_payout add column review text`.execute(db);
    await sql`alter table indexer_payout add column review_cause text`.execute(db);
    await sql`alter table indexer_payout add column review_since bigint`.execute(db);
    await sql`alter table indexer_payout add column review_answer text`.execute(db);
    // A signature may be under way for each that has a deadline.
    await sql`update indexer_payout set review = 'signed' where deadline is not null or state <> 'held'`.execute(db);
    await sql`create index indexer_payout_review on indexer_payout (review_since) where review = 'waiting'`.execute(db);
    await sql`create index indexer_payout_account on indexer_payout (account)`.execute(db);
  },
};

const writeOffs: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table indexer_orphan add column since bigint`.execute(db);
    await sql`
      create table indexer_write_off (
        key text primary key, tx_hash text not null, log_index int not null, account bigint not null, address text not null,
        token text not null, asset bigint not null, amount numeric not null, paid numeric not null, written_at bigint not null,
        returned_at bigint
      )`.execute(db);
    await sql`create index indexer_write_off_address on indexer_write_off (address)`.execute(db);
  },
};

/** What is to be done is found without reading what is done. */
const openWork = statements([
  `create index indexer_halt_open on indexer_halt (kind, id) where ended_at is null`,
  `create index indexer_orphan_open on indexer_orphan (key) where settled_at is null`,
  `create index indexer_claim_reserved on indexer_claim (claim_id) where state = 'reserved'`,
  `create index indexer_lucky_block_taken_back on indexer_lucky_block (block_hash) where taken_back_at is not null`,
]);

const solvency = statements(['create table indexer_solvency (id integer primary key check (id = 1), report text not null)']);

export const migrations: Record<string, Migration> = {
  'indexer-001-first': first,
  'indexer-002-recall': recall,
  'indexer-003-lucky': lucky,
  'indexer-004-suspense': suspense,
  'indexer-005-alarms': alarms,
  'indexer-006-suspended-credit': suspendedCredit,
  'indexer-007-requests': requests,
  'indexer-008-selectors': selectors,
  'indexer-009-reviews': reviews,
  'indexer-010-write-offs': writeOffs,
  'indexer-011-open-work': openWork,
  'indexer-012-solvency': solvency,
};

/** Joins a transaction to the parcel that was sent as it. */
export const CARRIES_PARCEL = sql<boolean>`indexer_transaction.hash = any(indexer_parcel.hashes)`;
