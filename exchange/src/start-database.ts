/** The SQL database, embedded or by URL, with the tables of every service. */
import { join } from 'node:path';
import type { Changes } from '@orrery/foundation';
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { listenForChanges } from './changes.ts';
import { migrate, openDatabase, type Database, type DatabaseAddress, IDLE_IN_TRANSACTION_MS } from './database.ts';
import { startPostgres } from './embedded/postgres/postgres.ts';
import { type Surroundings, troubleOf } from './surroundings.ts';

const CONNECTIONS = 10;
/** For lists that anybody may page through. */
const READ_CONNECTIONS = 4;
/** For keys of persons. */
const KEY_CONNECTIONS = 2;
/** For signed calls, each a statement of one row: no transaction of others keeps an order waiting. */
const MARK_CONNECTIONS = 4;
/** Below the time-out of callers: a database that hangs is reported before they give up. */
const PATIENCE_MS = 8_000;

export interface StartedDatabase extends Database {
  readonly address: DatabaseAddress;
  /** The pool behind `readsOf`. */
  readonly reads: Pick<Database, 'connections'>;
  /** For a service: `Tables` are those that its own migrations create. */
  of<Tables>(): Kysely<Tables>;
  /** What other processes change in it; undefined with the embedded one, which is this process's alone. */
  readonly changes: Changes | undefined;
  /** For signed calls that another process may have taken; undefined with the embedded database. */
  readonly marks: Database['counts'] | undefined;
  /** For keys, which are read while a transaction of `of` is open. */
  keysOf<Tables>(): Kysely<Tables>;
  /** For what the public reads: a statement that takes too long is cancelled by the server. */
  readsOf<Tables>(): Kysely<Tables>;
}

export async function startDatabase(surroundings: Surroundings, migrations: Readonly<Record<string, Migration>>): Promise<StartedDatabase> {
  const { config, closing } = surroundings;
  const address = config.databaseUrl === undefined ? await startEmbedded(surroundings) : { url: config.databaseUrl };
  const limits = { patienceMs: PATIENCE_MS, idleInTransactionMs: IDLE_IN_TRANSACTION_MS };
  const database = await openDatabase(address, { connections: CONNECTIONS, ...limits });
  closing.add({ name: 'the database connections', stop: () => database.close() });
  await migrate(database, migrations);
  const reads = await openDatabase(address, { connections: READ_CONNECTIONS, ...limits, statementMs: PATIENCE_MS });
  closing.add({ name: 'the database connections for reads', stop: () => reads.close() });
  const keys = await openDatabase(address, { connections: KEY_CONNECTIONS, ...limits });
  closing.add({ name: 'the database connections for keys', stop: () => keys.close() });
  const marks = 'url' in address ? await openDatabase(address, { connections: MARK_CONNECTIONS, ...limits }) : undefined;
  if (marks !== undefined) closing.add({ name: 'the database connections for signed calls', stop: () => marks.close() });
  const changes = 'url' in address ? await hearChanges(address, surroundings) : undefined;
  return {
    ...database,
    changes,
    marks: marks?.counts,
    address,
    reads,
    of: <Tables>() => database.sql as Kysely<Tables>,
    keysOf: <Tables>() => keys.sql as Kysely<Tables>,
    readsOf: <Tables>() => reads.sql as Kysely<Tables>,
  };
}

async function hearChanges(address: DatabaseAddress, surroundings: Surroundings): Promise<Changes> {
  const changes = await listenForChanges(address, { monotonicMs: () => performance.now(), onTrouble: troubleOf(surroundings, 'database') });
  surroundings.closing.add({ name: 'the connection that hears changes', stop: () => changes.close() });
  return changes;
}

async function startEmbedded({ config, closing }: Surroundings): Promise<DatabaseAddress> {
  const server = await startPostgres({ directory: join(config.dataDirectory, 'postgres') });
  closing.add({ name: 'the database', stop: () => server.stop() });
  return server.connection;
}
