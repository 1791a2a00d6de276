import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiError } from '@orrery/api';
import { sql } from 'kysely';
import type { Pool } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { processesIn } from '../e2e/processes-in.ts';
import { migrate, openDatabase, type Database } from './database.ts';
import { startPostgres, type RunningPostgres } from './embedded/postgres/postgres.ts';

interface Tables {
  readonly reported: { readonly value: number };
}

const PATIENCE_MS = 500;

let directory: string;
let server: RunningPostgres;
let database: Database<Tables>;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'orrery-database-'));
  server = await startPostgres({ directory });
  database = await openDatabase<Tables>(server.connection, { connections: 2, patienceMs: PATIENCE_MS });
  await sql`create table reported (value int primary key)`.execute(database.sql);
});

afterAll(async () => {
  await database.close();
  await server.stop();
  await rm(directory, { recursive: true, force: true });
});

const signalAll = (signal: NodeJS.Signals): void => {
  for (const pid of processesIn(directory)) process.kill(pid, signal);
};
const add = (value: number) => database.sql.insertInto('reported').values({ value }).execute();
const reported = async () =>
  (await database.sql.selectFrom('reported').select('value').orderBy('value').execute()).map(({ value }) => value);
const reasonOf = (error: unknown): unknown => (error instanceof ApiError ? `${error.status} ${error.message}` : error);

test('a version that is rolled back to starts on what a later one has added, and each migration runs once', async () => {
  const ran: string[] = [];
  const named = (name: string) => ({ [name]: { up: () => Promise.resolve(void ran.push(name)) } });
  await migrate(database, named('one-001'));
  await migrate(database, { ...named('one-001'), ...named('one-002') });
  await migrate(database, named('one-001'));
  await migrate(database, { ...named('one-001'), ...named('one-002'), ...named('other-001') });
  expect(ran).toEqual(['one-001', 'one-002', 'other-001']);
});

test('a version that starts while a later one runs its migrations waits for it, and starts', async () => {
  const [begun, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const patient = await openDatabase<Tables>(server.connection, { connections: 4 });
  const waiting = async (): Promise<unknown> =>
    (await sql<{ count: number }>`select count(*)::int as count from pg_locks where not granted`.execute(patient.sql)).rows[0]?.count;
  try {
    const known = { 'two-001': { up: () => Promise.resolve() } };
    const slow = async (): Promise<void> => {
      begun.resolve();
      await go.promise;
    };
    const later = migrate(patient, { ...known, 'two-002': { up: slow } });
    await begun.promise;
    const earlier = migrate(patient, known);
    await expect.poll(waiting).toBe(1);
    go.resolve();
    await Promise.all([later, earlier]);
  } finally {
    go.resolve();
    await patient.close();
  }
});

test('callers wait where no connection is free for them, and not while the pool hands out one that is', async () => {
  const pool = database.counts as Pool;
  const asked = [pool.connect(), pool.connect()];
  expect(database.connections().awaited).toBe(0);
  asked.push(pool.connect());
  expect(database.connections().awaited).toBe(1);
  for (const connecting of asked) (await connecting).release();
  expect(database.connections()).toEqual({ busy: 0, idle: 2, awaited: 0 });
});

test('a database that hangs is reported in time, and no late answer reaches another query', async () => {
  await add(1);
  signalAll('SIGSTOP');
  const waiting = [
    reported(),
    reported(),
    database.sql.transaction().execute(async (tx) => tx.insertInto('reported').values({ value: 2 }).execute()),
    reported(),
  ].map((asked) => asked.catch(reasonOf));
  expect(await Promise.all(waiting)).toEqual(waiting.map(() => '502 the database does not answer'));
  signalAll('SIGCONT');
  await expect.poll(reported, { timeout: 20_000 }).toEqual([1]);
  await add(3);
  expect(await reported()).toEqual([1, 3]);
});

test('a database that died is reported until it is back', async () => {
  process.kill(server.pid(), 'SIGKILL');
  await expect.poll(() => reported().catch(reasonOf), { timeout: 20_000, interval: 5 }).toBe('502 the database does not answer');
  await expect.poll(() => reported().catch(reasonOf), { timeout: 20_000 }).toEqual([1, 3]);
});

test("what the server itself refuses is the statement's own matter", async () => {
  await expect(add(1)).rejects.toMatchObject({ code: '23505' });
  expect(await reported()).toEqual([1, 3]);
});

test('who stands still within a transaction loses it, and what it has locked is free', async () => {
  const other = await openDatabase<Tables>(server.connection, { connections: 1, patienceMs: 5_000, idleInTransactionMs: 200 });
  const [inserted, unblocked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const standing = other.sql
    .transaction()
    .execute(async (tx) => {
      await tx.insertInto('reported').values({ value: 4 }).execute();
      inserted.resolve();
      await unblocked.promise;
      await tx.insertInto('reported').values({ value: 5 }).execute();
    })
    .catch(reasonOf);
  await inserted.promise;
  await expect.poll(() => add(4).then(() => 'added', reasonOf), { timeout: 20_000 }).toBe('added');
  unblocked.resolve();
  expect(await standing).toBe('502 the database does not answer');
  expect(await other.sql.selectFrom('reported').select('value').where('value', '=', 5).execute()).toEqual([]);
  await other.close();
});
