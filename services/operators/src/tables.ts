/** The tables of this service. Times are unix milliseconds; codes and tokens are there as hashes. */
import type { NoticeKind, OperatorRole, ProposalKind } from '@orrery/api';
import { sendChanges, statements } from '@orrery/foundation';
import type { Generated, Kysely, Transaction } from 'kysely';
import type { Migration } from 'kysely/migration';

export interface OperatorsTables {
  operators_operator: {
    operator_id: string;
    name: string;
    role: OperatorRole;
    created_at: number;
    ended_at: number | null;
    reviewer: Generated<boolean>;
  };
  operators_passkey: { credential_id: string; operator_id: string; public_key: string; counter: number; created_at: number };
  operators_session: { token_hash: string; operator_id: string; created_at: number; last_seen_at: number; ends_at: number };
  /** Codes; one that waits for a second person or for its time opens nothing yet. `alone`: issued without an approver. */
  operators_code: {
    code_hash: string;
    name: string;
    role: OperatorRole;
    opens: boolean;
    expires_at: number;
    used_at: number | null;
    alone: Generated<boolean>;
  };
  operators_proposal: {
    proposal_id: Generated<number>;
    kind: ProposalKind;
    /** Canonical JSON of what will be done, and of what it was proposed on. */
    change: string;
    base: string;
    hash: string;
    proposer_id: string;
    proposer: string;
    proposed_at: number;
    expires_at: number;
    state: 'WAITING' | 'APPROVED' | 'DONE' | 'REJECTED' | 'CANCELLED' | 'OUTDATED' | 'EXPIRED';
    decided_by: string | null;
    decided_at: number | null;
    approver_id: Generated<string | null>;
    /** Of an approved one: when it is done, or was. */
    effective_at: Generated<number | null>;
    cancelled_by: Generated<string | null>;
  };
  /** Changes outside these tables: decided here together with their audit row, then done until they are done. */
  operators_action: {
    action_id: Generated<number>;
    kind: string;
    change: string;
    made_at: number;
    done_at: number | null;
    proposal_id: Generated<number | null>;
    /** Why it was refused and so will never be done. */
    refusal: Generated<string | null>;
  };
  operators_audit: {
    seq: number;
    at: number;
    operator: string;
    action: string;
    detail: string;
    previous_hash: string;
    hash: string;
  };
  /** One row: the end of the chain. An append locks it. */
  operators_audit_head: { id: number; seq: number; hash: string };
  operators_notice: {
    notice_id: Generated<number>;
    kind: NoticeKind;
    title: string;
    text: string;
    link: string | null;
    starts_at: number;
    ends_at: number | null;
    created_by: string;
  };
  /** Accounts of the exchange that operators said are theirs. */
  operators_arbiter: { operator_id: string; addresses: string[]; declared_at: number };
  /** What operators blocked; that it is blocked is the engine's to say. */
  operators_block: { address: string; operator: string; reason: string; at: number };
  /** Challenges to make a passkey with: for whom. */
  operators_creation: { id: Generated<number>; hash: string; operator_id: string; name: string; code_hash: string; expires_at: number };
  /** Challenges to sign in with that were answered. */
  operators_spent_challenge: { hash: string; expires_at: number };
}

export type OperatorsDb = Kysely<OperatorsTables>;
export type OperatorsTx = Transaction<OperatorsTables>;

/** The chain begins with a hash of nothing. */
export const FIRST_PREVIOUS_HASH = `0x${'0'.repeat(64)}`;

const STATEMENTS = [
  `create table operators_operator (
    operator_id text primary key, name text not null unique, role text not null, created_at bigint not null, ended_at bigint)`,
  `create table operators_passkey (
    credential_id text primary key, operator_id text not null references operators_operator, public_key text not null,
    counter bigint not null, created_at bigint not null)`,
  `create table operators_session (
    token_hash text primary key, operator_id text not null references operators_operator, created_at bigint not null,
    last_seen_at bigint not null, ends_at bigint not null)`,
  `create index operators_session_operator on operators_session (operator_id)`,
  `create table operators_code (
    code_hash text primary key, name text not null, role text not null, opens boolean not null, expires_at bigint not null, used_at bigint)`,
  `create table operators_proposal (
    proposal_id bigint generated always as identity primary key, kind text not null, change text not null, base text not null,
    hash text not null, proposer_id text not null references operators_operator, proposer text not null, proposed_at bigint not null,
    expires_at bigint not null, state text not null, decided_by text, decided_at bigint)`,
  `create table operators_action (
    action_id bigint generated always as identity primary key, kind text not null, change text not null, made_at bigint not null,
    done_at bigint)`,
  `create index operators_action_open on operators_action (action_id) where done_at is null`,
  `create table operators_audit (
    seq bigint primary key, at bigint not null, operator text not null, action text not null, detail text not null,
    previous_hash text not null, hash text not null)`,
  `create table operators_audit_head (id int primary key check (id = 1), seq bigint not null, hash text not null)`,
  `insert into operators_audit_head values (1, 0, '${FIRST_PREVIOUS_HASH}')`,
  `create table operators_notice (
    notice_id bigint generated always as identity primary key, kind text not null, title text not null, text text not null, link text,
    starts_at bigint not null, ends_at bigint, created_by text not null)`,
  `create table operators_block (address text primary key, operator text not null, reason text not null, at bigint not null)`,
];

/** Before it, what was approved was done at once. */
const TIMELOCK = [
  `alter table operators_proposal
    add column approver_id text references operators_operator, add column effective_at bigint, add column cancelled_by text`,
  `update operators_proposal set state = 'DONE', effective_at = decided_at where state = 'APPROVED'`,
  `create index operators_proposal_approved on operators_proposal (effective_at) where state = 'APPROVED'`,
  `alter table operators_action add column proposal_id bigint references operators_proposal, add column refusal text`,
  `create index operators_action_proposal on operators_action (proposal_id) where proposal_id is not null`,
];

const ALONE = ['alter table operators_code add column alone boolean not null default false'];

const VIEWS = [
  `create index operators_audit_unmask on operators_audit (operator, at) where action = 'UNMASK'`,
  `create index operators_audit_alarm on operators_audit (seq) where action = 'ALARM'`,
  `create index operators_proposal_report on operators_proposal ((change::jsonb ->> 'id')) where kind = 'BUG_REPORT'`,
];

const RIGHTS = ['alter table operators_operator add column reviewer boolean not null default false'];

const ARBITERS = [`create table operators_arbiter (operator_id text primary key, addresses text[] not null, declared_at bigint not null)`];

const CHALLENGES = [
  `create table operators_creation (
    id bigint generated always as identity primary key, hash text not null unique, operator_id text not null, name text not null,
    code_hash text not null, expires_at bigint not null)`,
  'create index operators_creation_code on operators_creation (code_hash, id)',
  'create index operators_creation_expires on operators_creation (expires_at)',
  'create table operators_spent_challenge (hash text primary key, expires_at bigint not null)',
  'create index operators_spent_challenge_expires on operators_spent_challenge (expires_at)',
];

export const migrations: Record<string, Migration> = {
  'operators-001-first': statements(STATEMENTS),
  'operators-002-timelock': statements(TIMELOCK),
  'operators-003-alone': statements(ALONE),
  'operators-004-views': statements(VIEWS),
  'operators-005-rights': statements(RIGHTS),
  'operators-006-arbiters': statements(ARBITERS),
  'operators-007-challenges': statements(CHALLENGES),
  'operators-008-changed': statements(sendChanges('operators_notice', 'notice_id', 'insert or update')),
};
