/** The one SQL database: any PostgreSQL from 15 on, by default the embedded one. Services get it as a Kysely of their own tables. */
import { FencedPostgresDialect } from '@orrery/foundation';
import { Kysely, sql } from 'kysely';
import { DEFAULT_MIGRATION_TABLE, type Migration, Migrator } from 'kysely/migration';
import { Pool, TypeOverrides, types } from 'pg';
import { answeringPool } from './answering-pool.ts';
import { StartError } from './start-error.ts';

const CONNECT_MS = 10_000;
const OLDEST_VERSION = 150_000;

/** Less than the term of a lease: what a process that stands still has locked is free when another one takes over its work. */
export const IDLE_IN_TRANSACTION_MS = 10_000;

/** Where the database is: the embedded server's connection, or a URL. */
export type DatabaseAddress = { readonly host: string; readonly user: string; readonly database: string } | { readonly url: string };

export interface Database<Tables = unknown> {
  readonly sql: Kysely<Tables>;
  /** The pool itself, for the library that counts calls. */
  readonly counts: Pick<Pool, 'query'>;
  /** Of the pool: those that answer a query, those that are idle, and callers that wait although none is idle and no other may be opened. */
  connections(): { readonly busy: number; readonly idle: number; readonly awaited: number };
  close(): Promise<void>;
}

export interface DatabaseOptions {
  readonly connections: number;
  /** The maximum wait for an answer; undefined waits without limit. */
  readonly patienceMs?: number;
  /** After it the server cancels a statement; undefined: never. */
  readonly statementMs?: number;
  /** After it the server ends a connection that asks nothing within a transaction, so that others get what it has locked; undefined: never. */
  readonly idleInTransactionMs?: number;
  /** Called with the server process behind each new connection. */
  readonly onConnect?: (pid: number) => void;
}

/** @throws StartError when it does not answer or is too old. */
export async function openDatabase<Tables = unknown>(address: DatabaseAddress, options: DatabaseOptions): Promise<Database<Tables>> {
  const pool = new Pool({
    ...('url' in address ? { connectionString: address.url } : address),
    max: options.connections,
    connectionTimeoutMillis: Math.min(CONNECT_MS, options.patienceMs ?? CONNECT_MS),
    ...(options.patienceMs === undefined ? {} : { query_timeout: options.patienceMs }),
    ...(options.statementMs === undefined ? {} : { statement_timeout: options.statementMs }),
    ...(options.idleInTransactionMs === undefined ? {} : { idle_in_transaction_session_timeout: options.idleInTransactionMs }),
    types: ourTypes(),
  });
  // A connection that breaks fails its queries and is replaced; without listeners it would end the program, idle or not.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
    if (options.onConnect !== undefined && 'processID' in client) options.onConnect(Number(client.processID));
  });
  try {
    const { rows } = await pool.query<{ server_version_num: string }>('show server_version_num');
    const version = Number(rows[0]?.server_version_num);
    if (version < OLDEST_VERSION)
      throw new StartError(`The database is PostgreSQL ${Math.floor(version / 10_000)}; 15 or newer is needed.`);
  } catch (cause) {
    await pool.end();
    if (cause instanceof StartError) throw cause;
    const name = 'url' in address ? 'The database of ORRERY_DATABASE_URL' : 'The database';
    throw new StartError(`${name} does not answer: ${cause instanceof Error ? cause.message : String(cause)}.`, { cause });
  }
  const kysely = new Kysely<Tables>({ dialect: new FencedPostgresDialect({ pool: answeringPool(pool) }) });
  return {
    sql: kysely,
    counts: pool,
    connections: () => connectionsOf(pool, options.connections),
    close: () => kysely.destroy(),
  };
}

/** A caller is in the queue of the pool until the next tick, also where a connection is free for it: such as a number of the same scrape that is read from the database. */
function connectionsOf({ totalCount, idleCount, waitingCount }: Pool, most: number): ReturnType<Database['connections']> {
  const free = idleCount + Math.max(0, most - totalCount);
  return { busy: totalCount - idleCount, idle: idleCount, awaited: Math.max(0, waitingCount - free) };
}

/** Counters and times are 8-byte integers in SQL and safe integers here; amounts are `numeric` and stay text. */
function ourTypes(): TypeOverrides {
  const overrides = new TypeOverrides();
  overrides.setTypeParser(types.builtins.INT8, safeInteger);
  return overrides;
}

function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`an integer of the database is too large: ${text}`);
  return value;
}

/**
 * Runs what has not run yet. Keys begin with the service's name; services grow independently of each other. What a later version has run stays as it is: a version that is rolled back to
 * finds more tables and columns than it needs.
 */
export async function migrate<Tables>(database: Database<Tables>, migrations: Readonly<Record<string, Migration>>): Promise<void> {
  const ran = await migrationsThatRan(database);
  const migrator = new Migrator({
    db: database.sql,
    provider: { getMigrations: () => Promise.resolve({ ...ran, ...migrations }) },
    allowUnorderedMigrations: true,
  });
  const { error } = await migrator.migrateToLatest();
  if (error === undefined) return;
  // The migrator waits for another process to end its own: a later version may have run some meanwhile.
  const later = Object.keys(await migrationsThatRan(database)).some((name) => !(name in ran) && !(name in migrations));
  if (later) return migrate(database, migrations);
  throw new Error('the tables of the database could not be brought up to date', { cause: error });
}

/** The migrator refuses a database that has run a migration of which it does not know. None of these runs again. */
async function migrationsThatRan<Tables>(database: Database<Tables>): Promise<Readonly<Record<string, Migration>>> {
  const { rows: tables } = await sql`select 1 where to_regclass(${DEFAULT_MIGRATION_TABLE}) is not null`.execute(database.sql);
  if (tables.length === 0) return {};
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(DEFAULT_MIGRATION_TABLE)}`.execute(database.sql);
  return Object.fromEntries(rows.map(({ name }) => [name, { up: () => Promise.resolve() }]));
}
