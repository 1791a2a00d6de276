/** Keys of persons in SQL: the same for every process on the database, taken over from the file of before, and wrapped again when the master key changes. */
import { spawn } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { access, copyFile, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AccountId, accountId } from '@orrery/units';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type MasterKey, readMasterKey } from './keys/master-key.ts';
import { WrappingKeys } from './keys/wrapping-keys.ts';
import { TAKE_OVER_STEPS } from './keys-of-before.ts';
import { Browser, openTown, person, type Town } from './testing/town.ts';

const WORD = Buffer.from('a word of a person');
const IS = 'a word';
const [ALICE, BOB, CAROL] = [1, 2, 300_000].map(accountId) as [AccountId, AccountId, AccountId];

let town: Town;
let others: Town[];

beforeEach(async () => {
  town = await openTown();
  others = [];
});
afterEach(async () => {
  for (const other of others) await other.close();
  await town.close();
});

async function beside(files: Parameters<Town['beside']>[0] = {}): Promise<Town> {
  const other = await town.beside(files);
  others.push(other);
  return other;
}

const keyFile = (name = 'api-keys.key'): string => join(town.directory, name);
const masterKey = async (name?: string): Promise<MasterKey> =>
  (await readMasterKey(keyFile(name))) ?? expect.fail('there is no master key');
const read = async ({ accounts: { keys } }: Town, account: AccountId, encrypted: Buffer): Promise<string | undefined> =>
  (await keys.decrypt(account, encrypted, IS))?.toString();
const rows = () => town.db.sql.selectFrom('accounts_wrapped_person_key').selectAll().orderBy('account').execute();

describe('two processes on one database', () => {
  test('each reads what the other encrypts, under one key', async () => {
    const other = await beside();
    const [here, there] = await Promise.all([town.accounts.keys.encrypt(ALICE, WORD, IS), other.accounts.keys.encrypt(ALICE, WORD, IS)]);
    for (const each of [town, other])
      for (const encrypted of [here, there]) expect(await read(each, ALICE, encrypted)).toBe(WORD.toString());
    expect(await rows()).toHaveLength(1);
    const third = await beside();
    expect(await read(third, ALICE, here)).toBe(WORD.toString());
  });

  test('K1: what one erases the other encrypts nothing under any more; what comes later both read', async () => {
    const other = await beside();
    const before = await other.accounts.keys.encrypt(ALICE, WORD, IS);
    await town.accounts.keys.erase(ALICE);
    const after = await other.accounts.keys.encrypt(ALICE, WORD, IS);
    for (const each of [town, other]) {
      expect(await read(each, ALICE, after)).toBe(WORD.toString());
      expect(await read(each, ALICE, before)).toBeUndefined();
    }
  });

  test('the key of a program that was made in one opens in the other after its start', async () => {
    const alice = new Browser(town);
    await alice.agree(person(5));
    await alice.login(person(5));
    const wish = { label: 'bot', permission: 'READ' as const };
    const { accessKey, secret } = await alice.call(town.accounts.handlers.apiKey.createApiKey, {
      body: await alice.signKey(person(5), wish),
    });
    const other = await beside();
    expect(other.accounts.authenticator.apiKey(accessKey)).toMatchObject({ secret });
  });
});

describe('a process with another master key', () => {
  const SENTENCE = /^The keys in the database are wrapped by another master key than that of this process: /;

  test('does not start, and changes nothing', async () => {
    await writeFile(keyFile('other.key'), randomBytes(32), { mode: 0o600 });
    const before = await town.db.sql.selectFrom('accounts_wrapping_key').selectAll().execute();
    await expect(beside({ keyFile: keyFile('other.key') })).rejects.toThrow(SENTENCE);
    await expect(beside({ keyFile: keyFile('other.key'), formerKeyFile: keyFile('other.key') })).rejects.toThrow(SENTENCE);
    expect(await town.db.sql.selectFrom('accounts_wrapping_key').selectAll().execute()).toEqual(before);
  });

  test('makes no key in the place of one that is missing', async () => {
    await expect(beside({ keyFile: keyFile('missing.key') })).rejects.toThrow(
      'missing.key is not there, and the keys in the database are wrapped by it',
    );
    await expect(access(keyFile('missing.key'))).rejects.toThrow('ENOENT');
    const former = { formerKeyFile: keyFile('missing.key') };
    await expect(beside(former)).rejects.toThrow('The former master key');
  });
});

describe('a master key that changes', () => {
  const change = async (): Promise<Town> => {
    await writeFile(keyFile('new.key'), randomBytes(32), { mode: 0o600 });
    return beside({ keyFile: keyFile('new.key'), formerKeyFile: keyFile() });
  };

  test('reads all that was there, and nothing in SQL is wrapped by the former one, nor by a key that it wrapped', async () => {
    const { keys, box } = town.accounts;
    const encrypted = await Promise.all([ALICE, BOB].map((account) => keys.encrypt(account, WORD, IS)));
    const sealed = box.seal('secret', 'owner');
    const before = await rows();
    const changed = await change();
    for (const [place, account] of [ALICE, BOB].entries())
      expect(await read(changed, account, encrypted[place] ?? Buffer.alloc(0))).toBe(WORD.toString());
    expect(changed.accounts.box.open(sealed, 'owner')).toBe('secret');
    const after = await rows();
    expect(after.map(({ generation }) => generation)).toEqual(before.map(({ generation }) => generation + 1));
    const generations = await town.db.sql.selectFrom('accounts_wrapping_key').select('generation').orderBy('generation').execute();
    expect(generations.map(({ generation }) => generation)).toEqual([0, 2]);
    await expect(beside()).rejects.toThrow('another master key');
    // The former one is needed once.
    expect(await read(await beside({ keyFile: keyFile('new.key') }), BOB, encrypted[1] ?? Buffer.alloc(0))).toBe(WORD.toString());
  });

  test('K1: of who was erased before, not even the former key with an old copy of the row and the present database opens anything', async () => {
    const encrypted = await town.accounts.keys.encrypt(ALICE, WORD, IS);
    const copy = await rows();
    await town.accounts.keys.erase(ALICE);
    const changed = await change();
    const generation = copy[0]?.generation ?? expect.fail('there is no key');
    // Who brings the row back finds the key that wrapped it gone.
    await expect(town.db.sql.insertInto('accounts_wrapped_person_key').values(copy).execute()).rejects.toThrow('foreign key');
    await expect(
      town.db.sql.selectFrom('accounts_wrapping_key').selectAll().where('generation', '=', generation).execute(),
    ).resolves.toEqual([]);
    expect(await read(changed, ALICE, encrypted)).toBeUndefined();
  });

  test('goes on at the next start, without the former one, where a kill left keys under both', async () => {
    const encrypted = await Promise.all([ALICE, BOB].map((account) => town.accounts.keys.encrypt(account, WORD, IS)));
    await writeFile(keyFile('new.key'), randomBytes(32), { mode: 0o600 });
    // The first of the two steps alone.
    await WrappingKeys.open({ db: town.db.sql, master: await masterKey('new.key'), former: await masterKey() });
    expect((await rows()).map(({ generation }) => generation)).toEqual([1, 1]);
    const again = await beside({ keyFile: keyFile('new.key') });
    for (const [place, account] of [ALICE, BOB].entries())
      expect(await read(again, account, encrypted[place] ?? Buffer.alloc(0))).toBe(WORD.toString());
    expect((await rows()).map(({ generation }) => generation)).toEqual([2, 2]);
  });
});

describe('the file of keys of before', () => {
  const path = (): string => keyFile('person-keys');
  const isThere = (file: string): Promise<boolean> =>
    access(file).then(
      () => true,
      () => false,
    );

  /** As earlier versions left a folder: what is in SQL now goes back into the file. */
  async function asBefore(accounts: readonly AccountId[]): Promise<Map<AccountId, Buffer>> {
    const words = new Map<AccountId, Buffer>();
    const file = Buffer.alloc((Math.max(...accounts) + 1) * 128);
    for (const account of accounts) {
      words.set(account, await town.accounts.keys.encrypt(account, WORD, IS));
      const [key] = await keysOf(account);
      town.accounts.box.seal((key ?? Buffer.alloc(0)).toString('base64'), `person ${account}`).copy(file, account * 128);
    }
    await town.db.sql.deleteFrom('accounts_wrapped_person_key').execute();
    await writeFile(path(), file, { mode: 0o600 });
    return words;
  }

  /** What is wrapped, as the service itself opens it. */
  async function keysOf(account: AccountId): Promise<Buffer[]> {
    const wrapping = await WrappingKeys.open({ db: town.db.sql, master: await masterKey() });
    const found = (await rows()).filter((row) => row.account === account);
    return Promise.all(
      found.map(async ({ generation, wrapped }) => (await wrapping.box(generation)).openBytes(wrapped, `person ${account}`)),
    );
  }

  const takeOverAndDieAfter = async (step: string): Promise<NodeJS.Signals | number> => {
    const child = spawn(
      process.execPath,
      [join(import.meta.dirname, 'testing/take-over-child.ts'), JSON.stringify(town.address), town.directory, step],
      {
        stdio: ['ignore', 'inherit', 'inherit'],
      },
    );
    const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    return signal ?? code ?? -1;
  };

  test('is taken over at the start, overwritten and gone', async () => {
    const words = await asBefore([ALICE, BOB, CAROL]);
    await town.reopen();
    for (const [account, encrypted] of words) expect(await read(town, account, encrypted)).toBe(WORD.toString());
    expect([await isThere(path()), await isThere(`${path()}.taken-over`)]).toEqual([false, false]);
  });

  test('a kill -9 after any step loses no key, and none of who was erased meanwhile comes back', async () => {
    for (const step of TAKE_OVER_STEPS) {
      const accounts = [ALICE, BOB, accountId(randomInt(3, 5_000))];
      const words = await asBefore(accounts);
      expect(await takeOverAndDieAfter(step), step).toBe('SIGKILL');
      const isInSql = step !== 'inserted';
      // Another process goes on meanwhile, and erases one of them.
      if (isInSql) await town.accounts.keys.erase(BOB);
      await town.reopen();
      for (const [account, encrypted] of words)
        expect(await read(town, account, encrypted), `${step}, account ${account}`).toBe(
          isInSql && account === BOB ? undefined : WORD.toString(),
        );
      expect([await isThere(path()), await isThere(`${path()}.taken-over`)], step).toEqual([false, false]);
      await town.db.sql.deleteFrom('accounts_wrapped_person_key').execute();
    }
  });

  test('of two processes that had each a file of its own, both keys of a person open what was encrypted under them', async () => {
    const first = (await asBefore([ALICE])).get(ALICE) ?? Buffer.alloc(0);
    const file = await readFile(path());
    await rm(path());
    const second = await town.accounts.keys.encrypt(ALICE, WORD, IS);
    await writeFile(path(), file, { mode: 0o600 });
    await town.reopen();
    for (const encrypted of [first, second]) expect(await read(town, ALICE, encrypted)).toBe(WORD.toString());
    expect((await rows()).filter(({ is_current }) => is_current)).toHaveLength(1);
    expect(await rows()).toHaveLength(2);
    await town.accounts.keys.erase(ALICE);
    for (const encrypted of [first, second]) expect(await read(town, ALICE, encrypted)).toBeUndefined();
  });

  test('a copy of it that is put back brings back nobody who is erased', async () => {
    const encrypted = (await asBefore([ALICE])).get(ALICE) ?? Buffer.alloc(0);
    await copyFile(path(), keyFile('copy'));
    await town.reopen();
    await town.accounts.keys.erase(ALICE);
    await copyFile(keyFile('copy'), path());
    await town.reopen();
    expect(await read(town, ALICE, encrypted)).toBeUndefined();
  });
});
