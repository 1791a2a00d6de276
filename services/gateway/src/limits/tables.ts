/** The tables of the gateway. That of the counts is written and cleared by `rate-limiter-flexible`, whose columns these are. Times are unix milliseconds. */
import type { Principal } from '@orrery/api';
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

export const COUNT_TABLE = 'gateway_count';

export interface GatewayTables {
  gateway_count: { key: string; points: number; expire: number | null };
  gateway_ticket: GivenRow & { permission: Principal['permission'] };
  /** The key is derived from `salt` by a secret that is not in the database: it can be shown again, and a copy of the database opens nothing. */
  gateway_listen_key: GivenRow & { kind: string; salt: string };
}

/** What was given to a session or an API key, as a hash. */
interface GivenRow {
  hash: string;
  account: number;
  via: Principal['via'];
  credential: string;
  expires_at: number;
}

const first: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable(COUNT_TABLE)
      .addColumn('key', 'varchar(255)', (column) => column.primaryKey())
      .addColumn('points', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('expire', 'bigint')
      .execute();
    await db.schema.createIndex('gateway_count_expire').on(COUNT_TABLE).column('expire').execute();
  },
};

/** They named whose they are. What counts from here on is counted from 0. */
const hashedOwners: Migration = {
  async up(db: Kysely<GatewayTables>) {
    await db.deleteFrom(COUNT_TABLE).execute();
  },
};

const GIVEN = 'hash text primary key, account bigint not null, via text not null, credential text not null, expires_at bigint not null';

/** They are short: a server that crashed has none left, and clients ask for others. So they are not written to its log. */
const given: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of [
      `create unlogged table gateway_ticket (${GIVEN}, permission text not null)`,
      'create index gateway_ticket_expires on gateway_ticket (expires_at)',
      `create unlogged table gateway_listen_key (${GIVEN}, kind text not null, salt text not null, unique (credential, kind))`,
      'create index gateway_listen_key_expires on gateway_listen_key (expires_at)',
    ])
      await sql.raw(statement).execute(db);
  },
};

/** As of what is given: a crash empties both, and `since` is there again when a process has set it. */
const marks: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of [
      `create unlogged table gateway_mark (
        mark bytea primary key, signed_at bigint not null, taken_at bigint not null, legacy_read boolean not null, uses int not null default 1)`,
      'create index gateway_mark_signed on gateway_mark (signed_at)',
      'create unlogged table gateway_mark_since (id int primary key check (id = 1), since bigint not null)',
    ])
      await sql.raw(statement).execute(db);
  },
};

export const migrations: Record<string, Migration> = {
  'gateway-001-counts': first,
  'gateway-002-hashed-owners': hashedOwners,
  'gateway-003-given': given,
  'gateway-004-marks': marks,
};
