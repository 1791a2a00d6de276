/** How the tables of this service came to be what `tables.ts` says, oldest first. */
import { statements } from '@orrery/foundation';
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const first: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      create table accounts_nonce (
        nonce text primary key, address text not null, purpose text not null, origin text not null, browser_hash text not null,
        expires_at bigint not null, id bigint generated always as identity
      )`.execute(db);
    await sql`create index accounts_nonce_address on accounts_nonce (address, id)`.execute(db);
    await sql`
      create table accounts_session (
        session_id text primary key, account bigint not null, address text not null, created_at bigint not null, last_seen_at bigint not null,
        ends_at bigint not null, user_agent text not null, ip text not null, revoked_at bigint
      )`.execute(db);
    await sql`create index accounts_session_account on accounts_session (account)`.execute(db);
    await sql`
      create table accounts_access_token (
        hash text primary key, session_id text not null references accounts_session on delete cascade, expires_at bigint not null
      )`.execute(db);
    await sql`create index accounts_access_token_session on accounts_access_token (session_id)`.execute(db);
    await sql`
      create table accounts_refresh_token (
        hash text primary key, session_id text not null references accounts_session on delete cascade, created_at bigint not null, used_at bigint
      )`.execute(db);
    await sql`create index accounts_refresh_token_session on accounts_refresh_token (session_id)`.execute(db);
    await sql`
      create table accounts_agreement (
        account bigint not null, address text not null, terms_code text not null, terms_version text not null, terms_hash text not null,
        message text not null, signature text not null, agreed_at bigint not null, primary key (address, terms_code, terms_hash)
      )`.execute(db);
    await sql`
      create table accounts_api_key (
        access_key text primary key, account bigint not null, address text not null, label text not null, permission text not null,
        tier text not null, ip_list text[] not null, enabled boolean not null, sealed_secret bytea not null, created_at bigint not null,
        last_used_at bigint, ends_at bigint
      )`.execute(db);
    await sql`create index accounts_api_key_account on accounts_api_key (account)`.execute(db);
    await sql`
      create table accounts_collection (
        account bigint not null, symbol text not null, id bigint generated always as identity, primary key (account, symbol)
      )`.execute(db);
  },
};

const traces: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      create table accounts_trace (
        account bigint not null, kind text not null, mark text not null, seen_at bigint not null, primary key (account, kind, mark)
      )`.execute(db);
  },
};

/** Nonces are evicted by browser. */
const nonceBrowsers: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`drop index accounts_nonce_address`.execute(db);
    await sql`create index accounts_nonce_browser on accounts_nonce (browser_hash, id)`.execute(db);
    await sql`create index accounts_nonce_expires on accounts_nonce (expires_at)`.execute(db);
  },
};

/** Keys made before there was another scheme keep the one they know. */
const legacySigning: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table accounts_api_key add legacy_signing boolean not null default true`.execute(db);
    await sql`alter table accounts_api_key alter legacy_signing drop default`.execute(db);
  },
};

const logins: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      create table accounts_login (
        id bigint generated always as identity primary key, account bigint not null, at bigint not null, way text not null, result text not null,
        device text not null, ip text not null, new_device boolean not null
      )`.execute(db);
    await sql`create index accounts_login_account on accounts_login (account, id)`.execute(db);
    await sql`create index accounts_login_at on accounts_login (at)`.execute(db);
  },
};

/** Spot markets and contracts have symbols in common, such as BTC_USDC. */
const collectionKinds: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table accounts_collection add kind text not null default 'spot'`.execute(db);
    await sql`alter table accounts_collection alter kind drop default`.execute(db);
    await sql`alter table accounts_collection drop constraint accounts_collection_pkey`.execute(db);
    await sql`alter table accounts_collection add primary key (account, kind, symbol)`.execute(db);
  },
};

const factors: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      create table accounts_totp (
        account bigint primary key, sealed_secret bytea, bound_at bigint, last_step bigint not null, pending_secret bytea, pending_until bigint
      )`.execute(db);
    await sql`create table accounts_wrong_code (account bigint not null, at bigint not null)`.execute(db);
    await sql`create index accounts_wrong_code_account on accounts_wrong_code (account, at)`.execute(db);
    await sql`create table accounts_backup_code (account bigint not null, salt bytea not null, hash bytea not null)`.execute(db);
    await sql`create index accounts_backup_code_account on accounts_backup_code (account)`.execute(db);
    await sql`create table accounts_hold (account bigint primary key, until bigint not null)`.execute(db);
    await sql`
      create table accounts_pending_login (
        hash text primary key, browser_hash text not null, address text not null, way text not null, expires_at bigint not null
      )`.execute(db);
  },
};

const names: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      create table accounts_name (
        mark text primary key, account bigint not null, kind text not null, sealed bytea not null, tel_country_code text, bound_at bigint not null,
        unique (account, kind)
      )`.execute(db);
    await sql`create table accounts_without_wallet (account bigint primary key)`.execute(db);
    await sql`
      create table accounts_password (account bigint primary key, salt bytea not null, hash bytea not null, changed_at bigint not null)`.execute(
      db,
    );
    await sql`
      create table accounts_password_try (
        id bigint generated always as identity primary key, mark text not null, network text not null, at bigint not null
      )`.execute(db);
    await sql`create index accounts_password_try_at on accounts_password_try (at)`.execute(db);
    await sql`
      create table accounts_code (
        purpose text not null, mark text not null, hash text not null, browser_hash text not null, expires_at bigint not null,
        tries integer not null, primary key (purpose, mark)
      )`.execute(db);
    await sql`create table accounts_code_sent (mark text not null, network text not null, at bigint not null)`.execute(db);
    await sql`create index accounts_code_sent_mark on accounts_code_sent (mark, at)`.execute(db);
    await sql`create index accounts_code_sent_network on accounts_code_sent (network, at)`.execute(db);
    await sql`create table accounts_wrong_name_code (mark text not null, at bigint not null)`.execute(db);
    await sql`create index accounts_wrong_name_code_mark on accounts_wrong_name_code (mark, at)`.execute(db);
    await sql`create table accounts_captcha (id text primary key, expires_at bigint not null)`.execute(db);
  },
};

const withdrawAddresses: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      create table accounts_withdraw_address (
        account bigint not null, address text not null, label text not null, created_at bigint not null, usable_at bigint not null,
        id bigint generated always as identity, primary key (account, address)
      )`.execute(db);
  },
};

/** Keys that traded before there were rights over money keep their transfers. */
const moneyRights: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table accounts_api_key add money_rights text[] not null default '{}'`.execute(db);
    await sql`alter table accounts_api_key add public_key text`.execute(db);
    await sql`alter table accounts_api_key add withdraws_from bigint`.execute(db);
    await sql`alter table accounts_api_key add chosen_end bigint`.execute(db);
    await sql`update accounts_api_key set money_rights = '{TRANSFER}' where permission = 'TRADE'`.execute(db);
  },
};

const files: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`create table accounts_person_key (account bigint primary key, sealed bytea not null)`.execute(db);
    await sql`
      create table accounts_file (
        file_id text primary key, account bigint not null, type text not null, bytes bigint not null, created_at bigint not null
      )`.execute(db);
    await sql`create index accounts_file_account on accounts_file (account, created_at)`.execute(db);
  },
};

const embeddedWallets: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      create table accounts_embedded_wallet (
        account bigint primary key, opened_from bigint not null unique, sealed_share bytea not null, sealed_recovery bytea not null,
        device_hash text not null, created_at bigint not null, renewed_at bigint not null
      )`.execute(db);
  },
};

const identities: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      create table accounts_identity (
        account bigint primary key, state text not null, sealed bytea not null, file_ids text[] not null, back_reason text,
        handed_in_at bigint not null, decided_at bigint
      )`.execute(db);
    await sql`create index accounts_identity_queue on accounts_identity (handed_in_at) where state = 'HANDED_IN'`.execute(db);
    await sql`create table accounts_identity_try (account bigint not null, kind text not null, at bigint not null)`.execute(db);
    await sql`create index accounts_identity_try_account on accounts_identity_try (account, kind, at)`.execute(db);
    await sql`create index accounts_identity_try_at on accounts_identity_try (at)`.execute(db);
  },
};

/** Names that are there are sealed by the master key: the next start encrypts them under the keys of their persons. */
const namesOfPersons: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table accounts_name add under_person_key boolean not null default false`.execute(db);
  },
};

/** Secrets of apps and shares of e-mail wallets go the same way as names. */
const secretsOfPersons: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table accounts_totp add under_person_key boolean not null default false`.execute(db);
    await sql`alter table accounts_embedded_wallet add under_person_key boolean not null default false`.execute(db);
  },
};

/** Sessions last five hours: those that are open show no browser until they end. */
const placesOfSessions: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table accounts_session add sealed_place bytea`.execute(db);
    await sql`alter table accounts_session drop column user_agent`.execute(db);
    await sql`alter table accounts_session drop column ip`.execute(db);
  },
};

/** Labels that are there are encrypted by the next start. */
const labelsOfPersons: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table accounts_withdraw_address add sealed_label bytea`.execute(db);
  },
};

const erasures: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      create table accounts_erasure (
        account bigint primary key, asked_by text not null, asked_at bigint not null, due_at bigint not null, abandon boolean not null
      )`.execute(db);
    await sql`create index accounts_erasure_due on accounts_erasure (due_at)`.execute(db);
  },
};

/** What is there is encrypted by the next start. */
const labelsOfKeys: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table accounts_api_key add sealed_label bytea`.execute(db);
    await sql`alter table accounts_login add sealed_place bytea`.execute(db);
  },
};

const passkeys: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      create table accounts_passkey (
        credential_id text primary key, account bigint not null, public_key text not null, counter bigint not null, site text not null,
        sealed_name bytea not null, created_at bigint not null, last_used_at bigint
      )`.execute(db);
    await sql`create index accounts_passkey_account on accounts_passkey (account, created_at)`.execute(db);
    await sql`
      create table accounts_passkey_challenge (purpose_hash text primary key, hash text not null, expires_at bigint not null)`.execute(db);
    await sql`create index accounts_passkey_challenge_expiry on accounts_passkey_challenge (expires_at)`.execute(db);
  },
};

const codeAlarm: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`create table accounts_code_alarm (id integer primary key, until bigint not null)`.execute(db);
  },
};

const codesOfKnown: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table accounts_code_sent add column known boolean not null default false`.execute(db);
    await sql`create index accounts_code_sent_at on accounts_code_sent (known, at)`.execute(db);
  },
};

const walletTries: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`create table accounts_wallet_try (account bigint not null, kind text not null, at bigint not null)`.execute(db);
    await sql`create index accounts_wallet_try_account on accounts_wallet_try (account, kind, at)`.execute(db);
  },
};

const push: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`create table accounts_push (
      session_id text primary key, account bigint not null, mark text not null unique, sealed_target bytea not null,
      categories text[] not null, show_amounts boolean not null, created_at bigint not null
    )`.execute(db);
    await sql`create index accounts_push_account on accounts_push (account)`.execute(db);
  },
};

/** Each sweep finds what is over without reading what is not. */
const ends = statements([
  `create index accounts_session_ends on accounts_session (ends_at)`,
  `create index accounts_session_unrevoked on accounts_session (ends_at) where revoked_at is null`,
  `create index accounts_access_token_expires on accounts_access_token (expires_at)`,
  `create index accounts_trace_seen on accounts_trace (seen_at)`,
  `create index accounts_wrong_code_at on accounts_wrong_code (at)`,
  `create index accounts_code_expires on accounts_code (expires_at)`,
  `create index accounts_code_sent_time on accounts_code_sent (at)`,
  `create index accounts_wrong_name_code_at on accounts_wrong_name_code (at)`,
  `create index accounts_captcha_expires on accounts_captcha (expires_at)`,
]);

/** What is handed in for an identity is listed, limited and deleted by its owner; what another service keeps here is not. */
const purposesOfFiles: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table accounts_file add column purpose text not null default 'identity'`.execute(db);
  },
};

/** In SQL, so that several processes have the same; `master` is the id of the master key. Of two current keys of a person one stands. */
const wrappedKeys = statements([
  `create table accounts_wrapping_key (generation integer primary key, wrapped bytea not null, master text not null)`,
  `create table accounts_wrapped_person_key (
    account bigint not null, mark bytea not null, wrapped bytea not null, generation integer not null references accounts_wrapping_key,
    is_current boolean not null, primary key (account, mark)
  )`,
  `create unique index accounts_wrapped_person_key_current on accounts_wrapped_person_key (account) where is_current`,
  `create index accounts_wrapped_person_key_generation on accounts_wrapped_person_key (generation)`,
  `create table accounts_taken_over (hash text primary key)`,
]);

/** What wakes the copies of other processes: only what a copy has of its table. */
const changesOf = (table: string, key: string, of: string): readonly string[] => [
  `create trigger ${table}_changed after ${of} on ${table} for each row execute function accounts_changed('${key}')`,
];

const changed = statements([
  `create function accounts_changed() returns trigger language plpgsql as $$
  declare
    before text := case when tg_op = 'INSERT' then null else to_jsonb(old) ->> tg_argv[0] end;
    after text := case when tg_op = 'DELETE' then null else to_jsonb(new) ->> tg_argv[0] end;
  begin
    if before is not null then perform pg_notify('accounts_changed', tg_table_name || ' ' || before); end if;
    if after is not null and after is distinct from before then perform pg_notify('accounts_changed', tg_table_name || ' ' || after); end if;
    return null;
  end $$`,
  ...changesOf('accounts_session', 'session_id', 'insert or update of revoked_at'),
  ...changesOf('accounts_api_key', 'access_key', 'insert or delete or update of enabled, ip_list, ends_at, withdraws_from, sealed_label'),
  ...changesOf('accounts_totp', 'account', 'insert or delete or update of account, bound_at'),
  ...changesOf('accounts_passkey', 'account', 'insert or delete or update of account'),
  ...changesOf('accounts_hold', 'account', 'insert or delete or update'),
  ...changesOf('accounts_name', 'account', 'insert or delete or update of account, sealed'),
  ...changesOf('accounts_without_wallet', 'account', 'insert or delete'),
  ...changesOf('accounts_password', 'account', 'insert or delete or update of account'),
  ...changesOf('accounts_identity', 'account', 'insert or delete or update of state, back_reason'),
  ...changesOf('accounts_embedded_wallet', 'account', 'insert or delete or update of opened_from'),
  ...changesOf('accounts_push', 'session_id', 'insert or delete or update'),
  ...changesOf('accounts_wrapped_person_key', 'account', 'delete'),
  ...changesOf('accounts_code_alarm', 'id', 'insert or update'),
]);

const wrongCodes = statements(['create table accounts_wrong_codes (at bigint primary key, codes bigint not null)']);

const walletTickets = statements([
  `create table accounts_wallet_ticket (
    hash text primary key, account bigint not null, credential text not null, use text not null, issued_at bigint not null)`,
  `create index accounts_wallet_ticket_issued on accounts_wallet_ticket (issued_at)`,
  `create index accounts_wallet_ticket_account on accounts_wallet_ticket (account)`,
]);

/** One row: the constraint keeps it so. */
const pushKeys = statements([
  `create table accounts_push_key (id integer primary key check (id = 1), public_key text not null, sealed_private bytea not null)`,
]);

export const migrations: Record<string, Migration> = {
  'accounts-001-first': first,
  'accounts-002-traces': traces,
  'accounts-003-nonce-browsers': nonceBrowsers,
  'accounts-004-legacy-signing': legacySigning,
  'accounts-005-logins': logins,
  'accounts-006-collection-kinds': collectionKinds,
  'accounts-007-factors': factors,
  'accounts-008-names': names,
  'accounts-020-withdraw-addresses': withdrawAddresses,
  'accounts-021-money-rights': moneyRights,
  'accounts-030-files': files,
  'accounts-031-embedded-wallets': embeddedWallets,
  'accounts-032-identities': identities,
  'accounts-033-names-of-persons': namesOfPersons,
  'accounts-034-secrets-of-persons': secretsOfPersons,
  'accounts-035-places-of-sessions': placesOfSessions,
  'accounts-036-labels-of-persons': labelsOfPersons,
  'accounts-037-erasures': erasures,
  'accounts-038-labels-of-keys': labelsOfKeys,
  'accounts-039-passkeys': passkeys,
  'accounts-040-code-alarm': codeAlarm,
  'accounts-041-codes-of-known': codesOfKnown,
  'accounts-042-wallet-tries': walletTries,
  'accounts-043-push': push,
  'accounts-044-purposes-of-files': purposesOfFiles,
  'accounts-045-ends': ends,
  'accounts-046-wrapped-keys': wrappedKeys,
  'accounts-047-changed': changed,
  'accounts-048-wallet-tickets': walletTickets,
  'accounts-049-push-keys': pushKeys,
  'accounts-050-wrong-codes': wrongCodes,
};
