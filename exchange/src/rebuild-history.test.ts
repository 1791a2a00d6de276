import { mkdtemp, rename, rm } from 'node:fs/promises';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ProjectorTables, startProjector } from '@orrery/projector';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openMarket, seededRandom, trade } from '../../services/projector/src/testing/market-day.ts';
import { checkOffsets } from './check-offsets.ts';
import { Closing } from './closing.ts';
import { type Config, readConfig } from './config.ts';
import { registerListing } from './listing.ts';
import { rebuildHistory } from './rebuild-history.ts';
import { MIGRATIONS } from './services/services.ts';
import { startDatabase, type StartedDatabase } from './start-database.ts';
import { historyDirectory, startHeart } from './start-heart.ts';
import type { Surroundings } from './surroundings.ts';

let config: Config;
let last: number;
let grown: Readonly<Record<string, readonly string[]>>;

const newClosing = (): Closing => new Closing((part, error) => expect.fail(`${part}: ${String(error)}`));

/** One part of the program, stopped at the end of `work`. */
async function within<Result>(work: (surroundings: Surroundings) => Promise<Result>): Promise<Result> {
  const closing = newClosing();
  try {
    return await work({ config, closing, log: pino({ level: 'silent' }), onFatal: (error) => expect.fail(error.message) });
  } finally {
    await closing.run();
  }
}

/** Every row of every table of every service, as text. */
async function everything({ sql: db }: StartedDatabase): Promise<Readonly<Record<string, readonly string[]>>> {
  const { rows: tables } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public' and tablename not like 'kysely%' order by 1`.execute(db);
  const all: Record<string, readonly string[]> = {};
  for (const { name } of tables) {
    const { rows } = await sql<{ row: string }>`select t::text as row from ${sql.table(name)} t order by 1`.execute(db);
    all[name] = rows.map(({ row }) => row);
  }
  return all;
}

async function rebuild(): Promise<unknown> {
  const closing = newClosing();
  try {
    return await rebuildHistory({ config, say: () => undefined, closing });
  } finally {
    await closing.run();
  }
}

beforeAll(async () => {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'orrery-rebuild-'));
  config = readConfig({ ORRERY_DATA: dataDirectory, ORRERY_LOG: 'silent' });
  await within(async (surroundings) => {
    const { heart } = await startHeart(surroundings);
    await registerListing(heart);
    await openMarket(heart);
    await trade(heart, { random: seededRandom(7), commands: 400, label: 'day' });
    const database = await startDatabase(surroundings, MIGRATIONS);
    const source = {
      seq: () => heart.status().seq,
      covers: () => true,
      present: () => heart.open(),
      subscribe: heart.subscribe.bind(heart),
    };
    const projector = await startProjector({
      source,
      db: database.of<ProjectorTables>(),
      onTrouble: (error) => expect.fail(String(error)),
    });
    last = heart.status().seq;
    await projector.reached(heart.status().seq);
    await projector.stop();
    // What no journal can bring back.
    await sql`insert into campaign_award values ('T', 1, 'TASK', '{}', 5, 1, null, 1)`.execute(database.sql);
    await sql`insert into indexer_offset values ('heart', ${last})`.execute(database.sql);
    await sql`insert into accounts_collection (account, kind, symbol) values (1, 'spot', 'BTC_USDC')`.execute(database.sql);
    grown = await everything(database);
  });
  expect(grown['projector_fill']?.length).toBeGreaterThan(20);
}, 120_000);

afterAll(() => rm(config.dataDirectory, { recursive: true, force: true }));

const withDatabase = <Result>(work: (database: StartedDatabase) => Promise<Result>): Promise<Result> =>
  within(async (surroundings) => work(await startDatabase(surroundings, MIGRATIONS)));

const check = (): Promise<string> =>
  withDatabase((database) =>
    checkOffsets(database, { directory: historyDirectory(config.dataDirectory), last: () => last }).then(
      () => 'fits',
      (error: Error) => `${error.name}: ${error.message}`,
    ),
  );

test('history that was lost or changed is rebuilt from the journal, and no other table is touched', async () => {
  await withDatabase(async ({ sql: db }) => {
    await sql`delete from projector_fill where trade_id % 2 = 0`.execute(db);
    await sql`update projector_bill set amount = amount + 1`.execute(db);
    await sql`delete from projector_offset`.execute(db);
  });
  expect(await check()).toBe(
    'StartError: History in SQL has rows, but the row that says how far it is written is missing: stop the exchange and run `npm run rebuild-history`.',
  );
  expect(await rebuild()).toMatchObject({ seq: last, rows: { projector_fill: grown['projector_fill']?.length } });
  expect(await withDatabase(everything)).toEqual(grown);
  expect(await check()).toBe('fits');
});

test('history newer than the journal, as after a restore, is refused in one sentence and rebuilt by the command', async () => {
  await withDatabase(({ sql: db }) => sql`update projector_offset set seq = 1000000`.execute(db));
  expect(await check()).toBe(
    `StartError: History in SQL is written up to command 1000000, but the journal ends with command ${last}, so one of the two was restored from an older backup: stop the exchange and run \`npm run rebuild-history\`.`,
  );
  await rebuild();
  expect(await withDatabase(everything)).toEqual(grown);
});

test.each([
  ["The campaign's record of claims and points", 'update campaign_offset set seq = 1000000', 'update campaign_offset set seq = 0'],
  ["The leaderboard's record of trades", 'update campaign_flow_offset set seq = 1000000', 'update campaign_flow_offset set seq = 0'],
  [
    "The indexer's record of credits and payouts",
    'update indexer_offset set value = 1000000',
    (): string => `update indexer_offset set value = ${last}`,
  ],
])('%s that is newer than the journal is refused: no command can rebuild it', async (name, spoil, mend) => {
  const run = (text: string): Promise<unknown> => withDatabase(({ sql: db }) => sql.raw(text).execute(db));
  await run(spoil);
  expect(await check()).toBe(
    `StartError: ${name} is written up to command 1000000, but the journal ends with command ${last}, so one of the two was restored from an older backup: restore a backup of the database that is not newer than the journal, or a newer journal.`,
  );
  await run(typeof mend === 'string' ? mend : mend());
  expect(await check()).toBe('fits');
});

test('while the exchange runs history is not rebuilt', async () => {
  await within(async (surroundings) => {
    await startHeart(surroundings);
    await expect(rebuild()).rejects.toThrow(/ is in use by another process \(pid \d+\): stop the exchange first\.$/);
  });
  expect(await withDatabase(everything)).toEqual(grown);
});

test('from a journal without its beginning history is not rebuilt, and what is there stays', async () => {
  const folder = join(historyDirectory(config.dataDirectory), 'journal');
  const [first = ''] = readdirSync(folder).toSorted();
  expect(first).toMatch(/^0{15}1\./);
  await rename(join(folder, first), join(config.dataDirectory, first));
  onTestFinished(() => rename(join(config.dataDirectory, first), join(folder, first)));
  await expect(rebuild()).rejects.toThrow(/^(the journal is damaged|The journal in .* does not begin with the first command)/);
  expect(await withDatabase(everything)).toEqual(grown);
});

test('a folder without a journal is named', async () => {
  const empty = await mkdtemp(join(tmpdir(), 'orrery-rebuild-'));
  onTestFinished(() => rm(empty, { recursive: true, force: true }));
  const closing = newClosing();
  const options = { config: readConfig({ ORRERY_DATA: empty }), say: () => undefined, closing };
  await expect(rebuildHistory(options)).rejects.toThrow(
    `There is no journal in ${join(empty, 'history')}: name the data folder in ORRERY_DATA.`,
  );
});
