/** An account is deleted once its waiting time is over, and may be kept until then: afterwards nothing of the person is left, and the account is as new. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ERASURE_STATEMENT, SentFile } from '@orrery/api';
import { type AccountId, accountId, assetId, atoms } from '@orrery/units';
import { sql } from 'kysely';
import { generate } from 'otplib';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { TABLES_BY_ACCOUNT } from './erase-person.ts';
import { solved } from './testing/solve.ts';
import { Browser, ERASURE_WAIT_MS, openTown, person, refusalOf, type Town } from './testing/town.ts';

const EMAIL = 'canary-person@example.org';
const PASSWORD = 'correct horse battery';
const PDF = new TextEncoder().encode('%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n');

let town: Town;
let canary: Browser;
let account: AccountId;
let secret: string;

beforeEach(async () => {
  town = await openTown();
  town.accounts.erasures.begin([]);
  canary = new Browser(town);
  const { name, captcha, security, file, identity, collection } = town.accounts.handlers;
  const challenge = await canary.call(captcha.captchaInit, { query: { action: 'code' } });
  await canary.call(name.sendCode, { body: { purpose: 'register', username: EMAIL, captcha: solved(challenge) } });
  const code = await vi.waitFor(() => /Your code is (\d{6})/.exec(town.sent.at(-1)?.text ?? '')?.[1] ?? expect.fail('no letter came'));
  const token = await canary.call(name.register, { body: { username: EMAIL, password: PASSWORD, code } });
  canary.bearer = typeof token === 'string' ? token : expect.fail('a second step is asked for');
  ({ account } = canary.principal());
  ({ secret } = await canary.call(security.googleSecret));
  await canary.call(security.bindGoogle, { body: { code: await codeOfApp(), currentPassword: PASSWORD } });
  const { fileId } = await canary.call(file.uploadFile, { body: new SentFile('application/pdf', PDF) });
  const said = { realName: 'Canary Person', documentType: 'PASSPORT', documentNumber: 'C01', country: 'DE', fileIds: [fileId] };
  await canary.call(identity.identityAuth, { body: said });
  await canary.call(collection.addCollection, { body: { symbol: 'BTC_USDC' } });
  town.clock.now += 60_000;
  const address = `0x${'ab'.repeat(20)}`;
  await canary.call(town.accounts.handlers.addressBook.addWithdrawAddress, {
    body: { address, label: 'canary savings', google: await codeOfApp() },
  });
  town.clock.now += 60_000;
});
afterEach(() => town.close());

const codeOfApp = (): Promise<string> => generate({ secret, epoch: Math.floor(town.clock.now / 1_000) });
const erasure = () => town.accounts.handlers.erasure;

const waiting = async () => {
  const { waitSeconds, waiting: wish } = await canary.call(erasure().erasure);
  expect(waitSeconds).toBe(ERASURE_WAIT_MS / 1_000);
  return wish;
};

const ask = async (more: object = {}) =>
  canary.call(erasure().eraseAccount, { body: { currentPassword: PASSWORD, google: await codeOfApp(), ...more } });

/** The subjects of what was sent to the person. */
const subjects = async (): Promise<(string | undefined)[]> => {
  await vi.waitFor(() => expect(town.sent.length).toBeGreaterThan(0));
  return town.sent.map(({ subject }) => subject);
};

/** The waiting time passes. Sessions are over by then: it is the next sweep that deletes. */
async function waitUntilDue(): Promise<void> {
  town.clock.now += ERASURE_WAIT_MS;
  await town.accounts.sweep();
}

/** The tables of accounts. */
async function tablesByAccount(): Promise<string[]> {
  const columns = await sql<{ table_name: string }>`
    select table_name from information_schema.columns where column_name = 'account' and table_name like 'accounts\_%' order by table_name`.execute(
    town.db.sql,
  );
  return columns.rows.map(({ table_name: table }) => table);
}

/** Those that have rows of the account. */
async function tablesOf(owner: AccountId): Promise<string[]> {
  const found: string[] = [];
  for (const table of await tablesByAccount()) {
    const { rows } = await sql`select 1 from ${sql.table(table)} where account = ${owner}`.execute(town.db.sql);
    if (rows.length > 0) found.push(table);
  }
  return found;
}

/** As it lies in SQL, wrapped; empty where it is erased. */
const keyOf = async (owner: AccountId): Promise<string> => {
  const rows = await town.db.sql.selectFrom('accounts_wrapped_person_key').select('wrapped').where('account', '=', owner).execute();
  return rows.map(({ wrapped }) => wrapped.toString('hex')).join();
};

const deposit = () =>
  town.heart.submit({ type: 'CreditDeposit', address: canary.principal().address, asset: assetId(1), amount: atoms(5n), key: 'd:1' });

describe('K1: an account whose deletion is asked for', () => {
  test('asks for the password and the code of the app, waits seven days, and is kept by a call; its owner is mailed of both', async () => {
    expect(await waiting()).toBe(null);
    expect(await refusalOf(canary.call(erasure().eraseAccount, { body: { currentPassword: PASSWORD } }))).toBe('MissingField google');
    expect(await refusalOf(ask({ currentPassword: `${PASSWORD}!` }))).toBe('InvalidPassword');
    expect(await refusalOf(canary.call(erasure().keepAccount))).toBe('UnknownThing erasure');
    const asked = await ask();
    expect(asked).toEqual({ askedBy: 'OWNER', askedTime: town.clock.now, dueTime: town.clock.now + ERASURE_WAIT_MS, abandon: false });
    expect(await waiting()).toEqual(asked);
    town.clock.now += 60_000;
    expect(await refusalOf(ask())).toBe('AlreadyThere erasure');
    await town.accounts.sweep();
    await canary.call(erasure().keepAccount);
    expect(await waiting()).toBe(null);
    expect((await subjects()).slice(-2)).toEqual(['Orrery: Your account will be deleted', 'Orrery: Your account is kept']);
    expect(town.sent.at(-2)?.text).toContain(`Deleted at: ${new Date(asked.dueTime).toISOString()}`);
    await waitUntilDue();
    expect(await tablesOf(account)).toContain('accounts_name');
  });

  test('has no row, no file and no key when its time has come, also after a restart; nobody logs in by its name', async () => {
    await ask();
    expect(await tablesOf(account)).toEqual(expect.arrayContaining(['accounts_erasure', 'accounts_identity', 'accounts_session']));
    expect(await keyOf(account)).toMatch(/[1-9a-f]/);
    await waitUntilDue();
    for (const again of [false, true]) {
      if (again) await town.reopen();
      // That nobody has the key of its address stays known: money sent there would be lost.
      expect(await tablesOf(account)).toEqual(['accounts_without_wallet']);
      expect(await keyOf(account)).toBe('');
      expect(await readdir(join(town.directory, 'files'))).toEqual([]);
      const stranger = new Browser(town);
      const login = stranger.call(town.accounts.handlers.name.loginFirst, { body: { username: EMAIL, password: PASSWORD } });
      expect(await refusalOf(login)).toBe('InvalidPassword');
    }
    expect((await subjects()).at(-1)).toBe('Orrery: your account was deleted');
  });

  test('is deleted although a sweep before it fails', async () => {
    await ask();
    const troubles: string[] = [];
    town.trouble.to = (error) => void troubles.push(String(error));
    await sql`alter table accounts_captcha rename to accounts_away`.execute(town.db.sql);
    await waitUntilDue();
    expect(await tablesOf(account)).toEqual(['accounts_without_wallet']);
    expect(troubles).toEqual([expect.stringContaining('accounts_captcha')]);
    await sql`alter table accounts_away rename to accounts_captcha`.execute(town.db.sql);
    town.trouble.to = undefined;
  });

  test('leaves no table out: each that names accounts is emptied of the account, or said here to stay', async () => {
    const staying = ['accounts_without_wallet', 'accounts_erasure', 'accounts_person_key', 'accounts_wrapped_person_key'];
    expect(await tablesByAccount()).toEqual([...TABLES_BY_ACCOUNT, ...staying].toSorted());
  });

  test('is refused while it has money, unless it is given up', async () => {
    await deposit();
    expect(await refusalOf(ask())).toBe('AccountNotEmpty abandon');
    expect(await ask({ abandon: true })).toMatchObject({ abandon: true });
    await canary.call(erasure().keepAccount);
    await waitUntilDue();
    expect(await tablesOf(account)).toContain('accounts_name');
  });

  test('is kept where money came after it was asked for, and its owner is mailed', async () => {
    await ask();
    await deposit();
    await waitUntilDue();
    expect(await tablesOf(account)).toContain('accounts_name');
    expect((await subjects()).at(-1)).toBe('Orrery: Your account was not deleted');
  });

  test('is deleted with its money where that is given up', async () => {
    await deposit();
    await ask({ abandon: true });
    await waitUntilDue();
    expect(await tablesOf(account)).toEqual(['accounts_without_wallet']);
  });

  test('is deleted by the next try after a failure elsewhere', async () => {
    await ask();
    const elsewhere = vi.fn(() => Promise.resolve()).mockRejectedValueOnce(new Error('down'));
    town.accounts.erasures.begin([elsewhere]);
    await expect(waitUntilDue()).rejects.toThrow('down');
    expect(await tablesOf(account)).toEqual(expect.arrayContaining(['accounts_erasure', 'accounts_name']));
    await town.accounts.sweep();
    expect(elsewhere.mock.calls).toEqual([[expect.objectContaining({ account })], [expect.objectContaining({ account })]]);
    expect(await tablesOf(account)).toEqual(['accounts_without_wallet']);
  });

  test('is mailed of its end once, whatever number of processes erase it at the same moment', async () => {
    await ask();
    const there = await town.beside();
    there.accounts.erasures.begin([]);
    town.clock.now += ERASURE_WAIT_MS;
    town.sent.length = 0;
    await Promise.all([town.accounts.erasures.runDue(), there.accounts.erasures.runDue()]);
    await there.close();
    expect(await subjects()).toHaveLength(1);
  });

  test('is deleted after a restart, once every service is open', async () => {
    await ask();
    await town.reopen();
    await waitUntilDue();
    expect(await tablesOf(account)).toContain('accounts_name');
    town.accounts.erasures.begin([]);
    await town.accounts.sweep();
    expect(await tablesOf(account)).toEqual(['accounts_without_wallet']);
  });
});

describe('K1: an account that operators delete', () => {
  test('waits as one that its owner asks for; its owner is mailed, and keeps it', async () => {
    const desk = town.accounts.erasureDesk;
    await desk.ask({ account, abandon: false });
    await desk.ask({ account, abandon: false });
    expect(await waiting()).toMatchObject({ askedBy: 'OPERATORS', dueTime: town.clock.now + ERASURE_WAIT_MS });
    expect(await desk.isWaiting(account)).toBe(true);
    await canary.call(erasure().keepAccount);
    await desk.keep(account);
    expect(await desk.isWaiting(account)).toBe(false);
    expect((await subjects()).slice(-2)).toEqual(['Orrery: Your account will be deleted', 'Orrery: Your account is kept']);
    expect(() => desk.check({ account: account + 7, abandon: true })).toThrow('account');
    await desk.ask({ account, abandon: false });
    await waitUntilDue();
    expect(await tablesOf(account)).toEqual(['accounts_without_wallet']);
  });
});

describe('K1: a wallet that comes back after its account was deleted', () => {
  test('has the same account, with nothing of before, and a key of its own', async () => {
    const owner = new Browser(town);
    const who = person(4_711);
    await owner.agree(who);
    const before = await owner.login(who);
    await owner.call(town.accounts.handlers.apiKey.createApiKey, { body: await owner.signKey(who, { label: 'canary bot' }) });
    const signed = await owner.signStatement(who, { purpose: 'erasure', statement: ERASURE_STATEMENT });
    expect(await refusalOf(owner.call(erasure().eraseAccount, { body: {} }))).toBe('MissingField nonce');
    await owner.call(erasure().eraseAccount, { body: signed });
    const key = await keyOf(before.account);
    await waitUntilDue();
    expect(town.accounts.authenticator.session(owner.bearer ?? '')).toBe('SessionExpired');
    expect(await tablesOf(before.account)).toEqual([]);
    const again = new Browser(town);
    const { account: same } = await again.login(who);
    expect(same).toBe(before.account);
    const fresh = await keyOf(accountId(same));
    expect([fresh === key, fresh === '0'.repeat(256)]).toEqual([false, false]);
    expect(await again.call(town.accounts.handlers.auth.accountInfo)).toMatchObject({ termsAccepted: false, connected: false });
    expect((await again.call(town.accounts.handlers.apiKey.apiKeys)).list).toEqual([]);
    expect((await again.call(town.accounts.handlers.login.loginRecord)).total).toBe(1);
    const agreed = { walletAddress: who.wallet.address, termsCode: 'TERMS' };
    expect(await again.call(town.accounts.handlers.agreement.checkAgreement, { body: agreed })).toBe(false);
  });
});
