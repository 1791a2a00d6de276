import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { temporaryDatabase } from '../../../../exchange/src/testing/temporary-database.ts';
import { migrations } from '../migrations.ts';
import type { AccountsTables } from '../tables.ts';
import { diskFileStore, type FileStore } from './file-store.ts';
import { ORPHAN_AGE_MS, removeOrphans } from './orphans.ts';

const NOW = Date.UTC(2026, 10, 25, 12);
const [OLD, YOUNG] = [NOW - ORPHAN_AGE_MS, NOW - ORPHAN_AGE_MS + 1_000];
const [ONE, TWO, THREE] = ['1', '2', '3'].map((digit) => digit.repeat(32)) as [string, string, string];

let db: Awaited<ReturnType<typeof temporaryDatabase<AccountsTables>>>;
let directory: string;
let store: FileStore;
beforeEach(async () => {
  db = await temporaryDatabase<AccountsTables>(migrations);
  directory = await mkdtemp(join(tmpdir(), 'orrery-orphans-'));
  store = diskFileStore(directory);
});
afterEach(async () => {
  await db.close();
  await rm(directory, { recursive: true, force: true });
});

async function file(name: string, writtenAt: number): Promise<void> {
  await writeFile(join(directory, name), 'encrypted');
  await utimes(join(directory, name), writtenAt / 1_000, writtenAt / 1_000);
}
const row = (fileId: string, createdAt: number) =>
  db.sql.insertInto('accounts_file').values({ file_id: fileId, account: 7, type: 'image/png', bytes: 9, created_at: createdAt }).execute();
const sweep = (): Promise<number> => removeOrphans({ db: db.sql, store, now: () => NOW });
const onDisk = async (): Promise<string[]> => (await readdir(directory)).toSorted();
const rows = async (): Promise<string[]> =>
  (await db.sql.selectFrom('accounts_file').select('file_id').orderBy('file_id').execute()).map(({ file_id }) => file_id);

describe('the sweep of the files', () => {
  test('K1: a file without a row, and a draft, are removed once they are an hour old; what has a row stays, and what is not ours', async () => {
    await file(ONE, OLD);
    await row(ONE, OLD);
    await file(TWO, OLD);
    await file(THREE, YOUNG);
    await file(`${ONE}.0badcafe`, OLD);
    await file('README', OLD);
    expect(await sweep()).toBe(2);
    expect(await onDisk()).toEqual([ONE, THREE, 'README']);
    expect(await sweep()).toBe(0);
  });

  test('a row without a file is reported by its id, also in a store that is empty or not there, and is not removed', async () => {
    await row(ONE, OLD);
    await row(TWO, YOUNG);
    await file(THREE, OLD);
    await expect(sweep()).rejects.toThrow(`1 files are not in the store of files: ${ONE}`);
    expect(await onDisk()).toEqual([]);
    await rm(directory, { recursive: true });
    await expect(sweep()).rejects.toThrow(ONE);
    expect(await rows()).toEqual([ONE, TWO]);
  });
});
