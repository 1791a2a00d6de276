import type { Migration } from 'kysely/migration';
import { expect, test } from 'vitest';
import { Chance } from '../chance.ts';
import { SimDatabase } from './sim-database.ts';

interface Tables {
  entry: { name: string };
}

const migration: Migration = { up: (db) => db.schema.createTable('entry').addColumn('name', 'text').execute() };

async function openDatabase() {
  const database = await SimDatabase.open([{ 'entry-001': migration }], new Chance('entries'));
  const sql = database.connect<Tables>(undefined);
  const enter = (name: string, by = sql) => by.insertInto('entry').values({ name }).execute();
  const names = async () => (await sql.selectFrom('entry').selectAll().execute()).map(({ name }) => name);
  return { database, sql, enter, names };
}

test('a crash forgets what was committed after the moment that is remembered', async () => {
  const { database, enter, names } = await openDatabase();
  await enter('before');
  const forget = database.remember();
  await enter('after');
  forget();
  expect(await names()).toEqual(['before']);
});

test('a transaction under way is remembered whole, as it ends, or not at all', async () => {
  const { database, sql, enter, names } = await openDatabase();
  let forget = (): void => undefined;
  await sql.transaction().execute(async (tx) => {
    await enter('one', tx);
    forget = database.remember();
    await enter('other', tx);
  });
  await enter('after');
  forget();
  expect(await names()).toEqual(['one', 'other']);
});

test('a transaction that the crash breaks leaves nothing', async () => {
  const { database, sql, enter, names } = await openDatabase();
  const broken = sql.transaction().execute(async (tx) => {
    await enter('one', tx);
    database.remember()();
  });
  await expect(broken).rejects.toThrow('no transaction is active');
  expect(await names()).toEqual([]);
});
