import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countOfTable, countUpTo } from '@orrery/foundation';
import { indexerService, type IndexerTables } from '@orrery/indexer';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../e2e/until.ts';
import { Closing } from './closing.ts';
import { readConfig } from './config.ts';
import { startDatabase, type StartedDatabase } from './start-database.ts';

const directory = mkdtempSync(join(tmpdir(), 'orrery-reads-'));
const closing = new Closing((part, error) => {
  throw new Error(`${part} did not stop`, { cause: error });
});
let database: StartedDatabase;

beforeAll(async () => {
  const config = { ...readConfig({}), dataDirectory: directory };
  const log = pino({ level: 'silent' });
  const onFatal = (error: Error): void => {
    throw error;
  };
  database = await startDatabase({ config, closing, log, onFatal }, indexerService.migrations);
});

afterAll(async () => {
  await closing.run();
  rmSync(directory, { recursive: true, force: true });
});

test('what the public reads keeps no sign-in waiting, however long it takes', async () => {
  const ended: string[] = [];
  const note = (name: string) => (): number => ended.push(name);
  const sleeping = () => sql`select pg_sleep(60)`.execute(database.readsOf<IndexerTables>());
  const slow = Array.from({ length: 20 }, () => sleeping().then(note('read'), note('read')));
  for (let call = 0; call < 20; call += 1) await sql`select 1`.execute(database.of<IndexerTables>()).then(note('sign-in'));
  expect(ended).toEqual(Array(20).fill('sign-in'));
  // The server cancels what the reader no longer waits for.
  await Promise.all(slow);
  await until('nothing sleeps', async () => {
    const { rows } = await sql`
      select query from pg_stat_activity where state = 'active' and query like 'select pg_sleep%'`.execute(database.of<IndexerTables>());
    return rows.length === 0;
  });
});

test('a long table is counted up to a bound, and estimated above it', async () => {
  const db = database.of<IndexerTables>();
  await sql`insert into indexer_block select i, 'hash' || i, 'parent', i from generate_series(1, 5000) as i`.execute(db);
  await sql`analyze indexer_block`.execute(db);
  const even = db
    .selectFrom('indexer_block')
    .select('number')
    .where(sql<boolean>`number % 2 = 0`);
  expect(await countUpTo(db, even)).toBe(2_500);
  expect(await countUpTo(db, even, 1_000)).toBe(1_000);
  expect(await countUpTo(db, even.where('number', '<', 0))).toBe(0);
  expect(await countOfTable(db, 'indexer_block')).toBe(5_000);
  expect(await countOfTable(db, 'indexer_block', 1_000)).toBe(5_000);
});
