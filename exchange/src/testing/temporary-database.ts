/** For tests: a database of its own on the shared PostgreSQL of the run, gone afterwards. */
import { createHash, randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Migration } from 'kysely/migration';
import { Client } from 'pg';
import { inject } from 'vitest';
import { type Database, type DatabaseAddress, type DatabaseOptions, migrate, openDatabase } from '../database.ts';
import type { RunningPostgres } from '../embedded/postgres/postgres.ts';

type Connection = RunningPostgres['connection'];
type Migrations = Readonly<Record<string, Migration>>;

/** Files that migrate at the same time wait for one another. */
const TEMPLATES_LOCK = 1;

export interface TemporaryDatabase<Tables> extends Database<Tables> {
  /** For another pool of connections to it. */
  readonly address: DatabaseAddress;
}

export async function temporaryDatabase<Tables>(
  migrations: Migrations,
  options: Pick<DatabaseOptions, 'idleInTransactionMs'> = {},
): Promise<TemporaryDatabase<Tables>> {
  const server = await sharedServer();
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const template = await migratedTemplate(server, migrations);
  await asAdmin(server, (admin) => admin.query(`create database ${name} template ${template}`));
  const address = { ...server, database: name };
  const database = await openDatabase<Tables>(address, { connections: 20, ...options });
  return {
    ...database,
    address,
    async close() {
      await database.close();
      await asAdmin(server, (admin) => admin.query(`drop database ${name} with (force)`));
    },
  };
}

export interface TemporaryPlace {
  readonly url: string;
  drop(): Promise<void>;
}

/** An empty database, for what opens its own connections. */
export async function temporaryPlace(): Promise<TemporaryPlace> {
  const server = await sharedServer();
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await asAdmin(server, (admin) => admin.query(`create database ${name}`));
  return {
    url: `postgres://${server.user}@/${name}?host=${encodeURIComponent(server.host)}`,
    drop: () => asAdmin(server, async (admin) => void (await admin.query(`drop database ${name} with (force)`))),
  };
}

async function sharedServer(): Promise<Connection> {
  const answer = JSON.parse(await text(connect(inject('sharedPostgres'), '127.0.0.1'))) as Connection | { readonly error: string };
  if ('error' in answer) throw new Error(`there is no PostgreSQL for tests: ${answer.error}`);
  return answer;
}

/** Made once in a run for each set of migrations, by whichever file needs it first. */
async function migratedTemplate(server: Connection, migrations: Migrations): Promise<string> {
  const name = `template_${createHash('sha256').update(Object.keys(migrations).sort().join()).digest('hex').slice(0, 20)}`;
  await asAdmin(server, async (admin) => {
    await admin.query('select pg_advisory_lock($1)', [TEMPLATES_LOCK]);
    const { rowCount } = await admin.query('select from pg_database where datname = $1 and datistemplate', [name]);
    if (rowCount !== 0) return;
    await admin.query(`drop database if exists ${name}`);
    await admin.query(`create database ${name}`);
    const database = await openDatabase({ ...server, database: name }, { connections: 1 });
    try {
      await migrate(database, migrations);
    } finally {
      await database.close();
    }
    await admin.query(`alter database ${name} is_template true`);
  });
  return name;
}

async function asAdmin<Result>(server: Connection, use: (admin: Client) => Promise<Result>): Promise<Result> {
  const admin = new Client(server);
  await admin.connect();
  try {
    return await use(admin);
  } finally {
    await admin.end();
  }
}
