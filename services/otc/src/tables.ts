/** Texts, payment methods, chat and files of OTC trading, and its history. Amounts are whole atoms in `numeric`, totals cents, prices ten-thousandths of a fiat unit. */
import { sendChanges, statements } from '@orrery/foundation';
import type { Generated, Kysely, Transaction } from 'kysely';
import type { Migration } from 'kysely/migration';

export interface OtcTables {
  /** One row: how far history is folded. */
  otc_offset: { id: number; seq: number };
  /** The names by which others know somebody. */
  otc_trader: { account: number; trader_id: string };
  otc_advertisement: {
    advertisement: number;
    account: number;
    client_id: string;
    side: string;
    asset: number;
    currency: string;
    /** Of a fixed price; null where it is floating. */
    price: string | null;
    /** In ppm, of a floating one. */
    premium: number | null;
    min_total: string;
    max_total: string;
    pay_window_ms: number;
    available: string;
    version: number;
    state: string;
    created_at: number;
    updated_at: number;
  };
  /** What stands beside it in words, written before the command, under the id of the client; the last row counts. */
  otc_advertisement_text: {
    account: number;
    client_id: string;
    method_ids: string[];
    payment_kinds: string[];
    sealed: Buffer;
    created_at: number;
  };
  otc_payment_method: {
    method_id: string;
    account: number;
    kind: string;
    sealed: Buffer;
    masked: string;
    created_at: number;
    removed_at: number | null;
  };
  /** Which methods a seller named who takes an advertisement. */
  otc_order_wish: { account: number; client_order_id: string; method_ids: string[]; created_at: number };
  otc_order: {
    order_id: number;
    client_order_id: string;
    advertisement: number;
    advertiser: number;
    taker: number;
    buyer: number;
    seller: number;
    asset: number;
    currency: string;
    price: string;
    amount: string;
    total: string;
    status: string;
    /** 0 where no timer takes the next step. */
    deadline: number;
    /** 0 where no dispute can be opened. */
    disputable_at: number;
    created_at: number;
    paid_at: number | null;
    disputed_at: number | null;
    ended_at: number | null;
    updated_at: number;
    buyer_seen_at: number;
    seller_seen_at: number;
  };
  otc_step: { order_id: number; nth: number; status: string; at: number; by_role: string };
  /** Where the seller of an order is paid, as it was when the order was made; the bytes go when the order ends. */
  otc_order_method: { order_id: number; method_id: string; account: number; kind: string; sealed: Buffer | null; masked: string };
  otc_message: {
    nth: Generated<number>;
    message_id: string;
    order_id: number;
    /** Null of the exchange and of an arbiter. */
    account: number | null;
    by_role: string;
    kind: string;
    /** Under the key of its author. */
    sealed: Buffer | null;
    /** Of the exchange and of an arbiter. */
    plain: string | null;
    receipt_id: string | null;
    hint: boolean;
    client_message_id: string | null;
    at: number;
  };
  otc_receipt: {
    receipt_id: string;
    order_id: number;
    account: number;
    file_id: string;
    type: string;
    bytes: number;
    /** Named by a message or a statement: the other side and arbiters see it. */
    shown: boolean;
    created_at: number;
  };
  otc_statement: {
    nth: Generated<number>;
    order_id: number;
    account: number;
    by_role: string;
    kind: string;
    reason: string;
    sealed: Buffer;
    receipt_ids: string[];
    at: number;
  };
  /** Written before the command; `at` is null until history has it. */
  otc_decision: {
    order_id: number;
    nth: number;
    outcome: string;
    reason: string;
    at: number | null;
    executes_at: number | null;
    appealed_by: string | null;
  };
  otc_appraisal: { order_id: number; account: number; of_account: number; appraisal: string; sealed: Buffer | null; at: number };
  otc_merchant: {
    account: number;
    name: string;
    sealed: Buffer;
    state: string;
    answer: string | null;
    applied_at: number;
    decided_at: number | null;
    /** Names the deposit to the engine: counts on with each application. */
    nth: number;
  };
  otc_deposit: { account: number; asset: number; amount: string };
  otc_deposit_paid: { order_id: number; account: number; amount: string; at: number };
  /** A step that its person may have missed: gone when it was seen, or a letter is sent. */
  otc_notice: { account: number; order_id: number; status: string; at: number };
}

export type OtcDb = Kysely<OtcTables>;
export type OtcTx = Transaction<OtcTables>;

const first = statements([
  `create table otc_offset (id int primary key check (id = 1), seq bigint not null)`,
  `create table otc_trader (account bigint primary key, trader_id text not null unique)`,
  `create table otc_advertisement (
    advertisement bigint primary key, account bigint not null, client_id text not null, side text not null, asset int not null, currency text not null,
    price numeric, premium int, min_total numeric not null, max_total numeric not null, pay_window_ms bigint not null, available numeric not null,
    state text not null, created_at bigint not null, updated_at bigint not null)`,
  `create index otc_advertisement_account on otc_advertisement (account, advertisement)`,
  `create index otc_advertisement_live on otc_advertisement (advertisement) where state <> 'TAKEN_DOWN'`,
  `create table otc_advertisement_text (
    account bigint not null, client_id text not null, method_ids text[] not null, payment_kinds text[] not null, sealed bytea not null,
    created_at bigint not null, primary key (account, client_id))`,
  `create table otc_payment_method (
    method_id text primary key, account bigint not null, kind text not null, sealed bytea not null, masked text not null,
    created_at bigint not null, removed_at bigint)`,
  `create index otc_payment_method_account on otc_payment_method (account, created_at)`,
  `create table otc_order_wish (
    account bigint not null, client_order_id text not null, method_ids text[] not null, created_at bigint not null, primary key (account, client_order_id))`,
  `create table otc_order (
    order_id bigint primary key, client_order_id text not null, advertisement bigint not null, advertiser bigint not null, taker bigint not null,
    buyer bigint not null, seller bigint not null, asset int not null, currency text not null, price numeric not null, amount numeric not null,
    total numeric not null, status text not null, deadline bigint not null, disputable_at bigint not null, created_at bigint not null, paid_at bigint,
    disputed_at bigint, ended_at bigint, updated_at bigint not null, buyer_seen_at bigint not null, seller_seen_at bigint not null)`,
  `create index otc_order_buyer on otc_order (buyer, order_id)`,
  `create index otc_order_seller on otc_order (seller, order_id)`,
  `create index otc_order_client on otc_order (taker, client_order_id)`,
  `create index otc_order_disputed on otc_order (disputed_at) where disputed_at is not null`,
  `create index otc_order_ended on otc_order (ended_at) where ended_at is not null`,
  `create index otc_order_open on otc_order (order_id) where ended_at is null`,
  `create table otc_step (order_id bigint not null, nth int not null, status text not null, at bigint not null, by_role text not null, primary key (order_id, nth))`,
  `create table otc_order_method (
    order_id bigint not null, method_id text not null, account bigint not null, kind text not null, sealed bytea, masked text not null,
    primary key (order_id, method_id))`,
  `create index otc_order_method_account on otc_order_method (account)`,
  `create table otc_message (
    nth bigint generated always as identity primary key, message_id text not null unique, order_id bigint not null, account bigint, by_role text not null,
    kind text not null, sealed bytea, plain text, receipt_id text, hint boolean not null, client_message_id text, at bigint not null,
    unique (order_id, account, client_message_id))`,
  `create index otc_message_order on otc_message (order_id, nth)`,
  `create index otc_message_account on otc_message (account, at)`,
  `create table otc_receipt (
    receipt_id text primary key, order_id bigint not null, account bigint not null, file_id text not null, type text not null, bytes bigint not null,
    shown boolean not null, created_at bigint not null)`,
  `create index otc_receipt_order on otc_receipt (order_id)`,
  `create index otc_receipt_account on otc_receipt (account)`,
  `create table otc_statement (
    nth bigint generated always as identity primary key, order_id bigint not null, account bigint not null, by_role text not null, kind text not null,
    reason text not null, sealed bytea not null, receipt_ids text[] not null, at bigint not null)`,
  `create index otc_statement_order on otc_statement (order_id, nth)`,
  `create index otc_statement_account on otc_statement (account)`,
  `create table otc_decision (
    order_id bigint not null, nth int not null, outcome text not null, reason text not null, at bigint, executes_at bigint, appealed_by text,
    primary key (order_id, nth))`,
  `create table otc_appraisal (
    order_id bigint not null, account bigint not null, of_account bigint not null, appraisal text not null, sealed bytea, at bigint not null,
    primary key (order_id, account))`,
  `create index otc_appraisal_of on otc_appraisal (of_account, at)`,
  `create table otc_merchant (
    account bigint primary key, name text not null, sealed bytea not null, state text not null, answer text, applied_at bigint not null,
    decided_at bigint, nth int not null)`,
  `create unique index otc_merchant_name on otc_merchant (lower(name)) where state in ('WAITING', 'APPROVED')`,
  `create table otc_deposit (account bigint primary key, asset int not null, amount numeric not null)`,
  `create table otc_deposit_paid (order_id bigint primary key, account bigint not null, amount numeric not null, at bigint not null)`,
  `create table otc_notice (account bigint not null, order_id bigint not null, status text not null, at bigint not null, primary key (account, order_id))`,
  `create index otc_notice_at on otc_notice (at)`,
]);

const second = statements([`alter table otc_advertisement add column version bigint not null default 1`]);

const sought = statements([
  `create index otc_order_wish_at on otc_order_wish (created_at)`,
  `create index otc_merchant_refused on otc_merchant (account) where state = 'REFUSED'`,
]);

const changed = statements(sendChanges('otc_advertisement_text', 'account', 'insert or update or delete'));

const ofTraders = statements([
  ...sendChanges('otc_appraisal', 'of_account', 'insert or update or delete'),
  ...sendChanges('otc_merchant', 'account', 'insert or update or delete'),
]);

export const migrations: Record<string, Migration> = {
  'otc-001-first': first,
  'otc-002-version': second,
  'otc-003-sought': sought,
  'otc-004-changed': changed,
  'otc-005-traders': ofTraders,
};
