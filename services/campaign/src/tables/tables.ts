/** The tables of this service. Times are unix milliseconds. */
import { statements } from '@orrery/foundation';
import type { Generated, JSONColumnType } from 'kysely';
import type { Migration } from 'kysely/migration';
import { LUCKY_PAUSE_STATEMENTS, LUCKY_STATEMENTS, type LuckyTables } from './lucky.ts';
import {
  APPEAL_STATEMENTS,
  GIFT_STATEMENTS,
  LEADERBOARD_STATEMENTS,
  type LeaderboardTables,
  SEALED_APPEAL_STATEMENTS,
  VOLUME_CAP_STATEMENTS,
  WITHHELD_INDEX_STATEMENTS,
} from './leaderboard.ts';
import type { LocalisedText } from './localised-text.ts';

export interface CampaignTables extends LuckyTables, LeaderboardTables {
  /** Who waits, in the order in which they came; `told_at` when the engine knows of the admission. */
  campaign_whitelist: {
    id: Generated<number>;
    address: string;
    /** Of earlier versions: it is sealed at the next start. */
    email: string | null;
    sealed_email: Buffer | null;
    joined_at: number;
    admitted_at: number | null;
    told_at: number | null;
  };
  /** One row: the last Monday whose expansion is decided. */
  campaign_expansion: { id: number; last_at: number };
  /** Claims as the heart emits them. */
  campaign_claim: { claim_id: string; account: number; reserved_at: number; outcome: string | null };
  /** What a budget gets each day: decided here once, then given to the engine until it has it. */
  campaign_budget: { key: string; amount: number; funded: boolean };
  /** One row once operators have changed what the budgets get each day. */
  campaign_budget_terms: { id: number; points_per_day: number; faucet_claims_per_day: number };
  campaign_offset: { id: number; seq: number };
  /** Awards of points; `command_seq` when the ledger has it, `seen_at` when the person has seen its dialog. */
  campaign_award: {
    key: string;
    account: number;
    kind: string;
    name: JSONColumnType<LocalisedText>;
    points: number;
    at: number;
    seen_at: number | null;
    command_seq: number | null;
  };
  /** The task catalogue; `position` orders it. `rule`: see `tasks/plans.ts`. */
  campaign_task: {
    code: string;
    name: JSONColumnType<LocalisedText>;
    description: JSONColumnType<LocalisedText>;
    rule: string;
    goal: number;
    unit: string;
    period: string;
    /** In the task's unit: what counts of one cluster on a UTC day; null where everything does. */
    day_cap: number | null;
    reward: number;
    starts_at: number | null;
    ends_at: number | null;
    active: boolean;
    position: number;
  };
  campaign_invite_code: { account: number; code: string };
  campaign_invite: { invited: number; inviter: number; bound_at: number };
}

const STATEMENTS = [
  `create table campaign_whitelist (
    id bigint generated always as identity primary key, address text not null unique, email text, joined_at bigint not null,
    admitted_at bigint, told_at bigint)`,
  `create index campaign_whitelist_waiting on campaign_whitelist (id) where admitted_at is null`,
  `create index campaign_whitelist_untold on campaign_whitelist (id) where admitted_at is not null and told_at is null`,
  `create table campaign_expansion (id int primary key check (id = 1), last_at bigint not null)`,
  `create table campaign_claim (claim_id text primary key, account bigint not null, reserved_at bigint not null, outcome text)`,
  `create index campaign_claim_account on campaign_claim (account, reserved_at desc)`,
  `create table campaign_budget (key text primary key, amount bigint not null, funded boolean not null)`,
  `create table campaign_offset (id int primary key check (id = 1), seq bigint not null)`,
  `insert into campaign_offset values (1, 0)`,
];

const AWARD_STATEMENTS = [
  `create table campaign_award (
    key text primary key, account bigint not null, kind text not null, name jsonb not null, points bigint not null, at bigint not null,
    seen_at bigint, command_seq bigint)`,
  `create index campaign_award_account on campaign_award (account, at desc)`,
  `create index campaign_award_pending on campaign_award (at) where command_seq is null`,
];

const TASK_STATEMENTS = [
  `create table campaign_task (
    code text primary key, name jsonb not null, description jsonb not null, rule text not null, goal bigint not null, unit text not null,
    period text not null, reward bigint not null, starts_at bigint, ends_at bigint, active boolean not null, position int not null)`,
];

const INVITE_STATEMENTS = [
  `create table campaign_invite_code (account bigint primary key, code text not null unique)`,
  `create table campaign_invite (invited bigint primary key, inviter bigint not null, bound_at bigint not null)`,
  `create index campaign_invite_inviter on campaign_invite (inviter, bound_at)`,
];

const BUDGET_TERMS_STATEMENTS = [
  `create table campaign_budget_terms (
    id int primary key check (id = 1), points_per_day bigint not null, faucet_claims_per_day bigint not null)`,
];

const SEALED_EMAIL_STATEMENTS = [`alter table campaign_whitelist add sealed_email bytea`];

const DAY_CAP_STATEMENTS = [`alter table campaign_task add day_cap bigint`];

const CLAIM_DAY_STATEMENTS = [`create index campaign_claim_day on campaign_claim (reserved_at)`];

/** What waits is found without reading what is settled. */
const WAITING_STATEMENTS = [
  `create index campaign_appeal_unsettled on campaign_appeal (appeal_id) where settled_at is null`,
  `create index campaign_lucky_decision_unpaid on campaign_lucky_decision (block_number) where paid_at is null`,
];

export const migrations: Record<string, Migration> = {
  'campaign-001-first': statements(STATEMENTS),
  'campaign-002-award': statements(AWARD_STATEMENTS),
  'campaign-003-lucky': statements(LUCKY_STATEMENTS),
  'campaign-003-task': statements(TASK_STATEMENTS),
  'campaign-004-invite': statements(INVITE_STATEMENTS),
  'campaign-005-leaderboard': statements(LEADERBOARD_STATEMENTS),
  'campaign-005-budget-terms': statements(BUDGET_TERMS_STATEMENTS),
  'campaign-006-caps': statements([...VOLUME_CAP_STATEMENTS, ...DAY_CAP_STATEMENTS]),
  'campaign-007-appeals': statements(APPEAL_STATEMENTS),
  'campaign-008-withheld-by-account': statements(WITHHELD_INDEX_STATEMENTS),
  'campaign-009-lucky-pause': statements(LUCKY_PAUSE_STATEMENTS),
  'campaign-010-claim-day': statements(CLAIM_DAY_STATEMENTS),
  'campaign-011-sealed-email': statements(SEALED_EMAIL_STATEMENTS),
  'campaign-012-sealed-appeal': statements(SEALED_APPEAL_STATEMENTS),
  'campaign-013-gifts': statements(GIFT_STATEMENTS),
  'campaign-014-waiting': statements(WAITING_STATEMENTS),
};
