/** What is encrypted under the key of a person can be read while the key is there, and by nobody afterwards. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SentFile } from '@orrery/api';
import { accountId, type Address } from '@orrery/units';
import { generate } from 'otplib';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { SecretBox } from './sealed-secret.ts';
import { solved } from './testing/solve.ts';
import { Browser, ERASURE_WAIT_MS, openTown, person, refusalOf, type Town } from './testing/town.ts';

const EMAIL = 'canary-person@example.org';
const REAL_NAME = 'Canary Person';
const NUMBER = 'C01CANARY7';
const IP = '203.0.113.77';
const USER_AGENT = 'canary browser 7';
const PASSWORD = 'correct horse battery';
const PDF = new TextEncoder().encode('%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n');
const CANARIES = [EMAIL, REAL_NAME, NUMBER, '/Catalog'];

let town: Town;
let canary: Browser;
let account: ReturnType<typeof accountId>;
let fileId: string;
let secret: string;
let box: SecretBox;

beforeEach(async () => {
  town = await openTown();
  ({ box } = town.accounts);
  canary = new Browser(town);
  canary.ip = IP;
  canary.userAgent = USER_AGENT;
  const { name, captcha, file, identity, security } = town.accounts.handlers;
  const challenge = await canary.call(captcha.captchaInit, { query: { action: 'code' } });
  await canary.call(name.sendCode, { body: { purpose: 'register', username: EMAIL, captcha: solved(challenge) } });
  const code = await vi.waitFor(() => /Your code is (\d{6})/.exec(town.sent.at(-1)?.text ?? '')?.[1] ?? expect.fail('no letter came'));
  const token = await canary.call(name.register, { body: { username: EMAIL, password: PASSWORD, code } });
  canary.bearer = typeof token === 'string' ? token : expect.fail('a second step is asked for');
  account = accountId(Number(canary.principal().account));
  ({ secret } = await canary.call(security.googleSecret));
  await canary.call(security.bindGoogle, { body: { code: await codeOfApp(), currentPassword: PASSWORD } });
  ({ fileId } = await canary.call(file.uploadFile, { body: new SentFile('application/pdf', PDF) }));
  const said = { realName: REAL_NAME, documentType: 'PASSPORT', documentNumber: NUMBER, country: 'DE', fileIds: [fileId] };
  await canary.call(identity.identityAuth, { body: said });
});
afterEach(() => town.close());

const codeOfApp = (): Promise<string> => generate({ secret, epoch: Math.floor(town.clock.now / 1_000) });

/** Both steps. */
async function logIn(): Promise<unknown> {
  const { name, security } = town.accounts.handlers;
  const browser = new Browser(town);
  town.clock.now += 60_000;
  const first = await browser.call(name.loginFirst, { body: { username: EMAIL, password: PASSWORD } });
  if (typeof first === 'string') throw new Error('no second step is asked for');
  return browser.call(security.loginSecond, { body: { loginId: first.loginId, codes: { google: await codeOfApp() } } });
}

const erase = (): Promise<void> => town.accounts.keys.erase(account);

const sealedRows = async () => ({
  name: await town.db.sql.selectFrom('accounts_name').selectAll().where('account', '=', account).executeTakeFirstOrThrow(),
  totp: await town.db.sql.selectFrom('accounts_totp').selectAll().where('account', '=', account).executeTakeFirstOrThrow(),
  identity: await town.db.sql.selectFrom('accounts_identity').selectAll().where('account', '=', account).executeTakeFirstOrThrow(),
});

/** Every way there is to open what is stored; an operator who has the database, the files and the master key has these. */
async function opened(): Promise<string> {
  const { keys } = town.accounts;
  const { name, totp, identity } = await sealedRows();
  const file = await readFile(join(town.directory, 'files', fileId));
  const found = await Promise.all([
    keys.decrypt(account, name.sealed, `name ${account}`),
    keys.decrypt(account, identity.sealed, `identity ${account}`),
    keys.decrypt(account, file, fileId),
    keys.decrypt(account, totp.sealed_secret ?? Buffer.alloc(0), `totp ${account}`),
  ]);
  return found.map((bytes) => bytes?.toString('latin1') ?? '').join('\n');
}

describe('K1: a person whose key is erased', () => {
  test('the e-mail address, the identity and the file are read before, and can not be opened afterwards, by the master key either', async () => {
    const before = await opened();
    for (const text of [...CANARIES, secret]) expect(before).toContain(text);
    expect((await town.accounts.identities.waiting({ page: 1, size: 10 })).list).toHaveLength(1);

    await erase();

    expect(await opened()).toBe('\n\n\n');
    const { name, totp } = await sealedRows();
    expect(() => box.open(name.sealed, `name ${account}`)).toThrow();
    expect(() => box.open(totp.sealed_secret ?? Buffer.alloc(0), `totp ${account}`)).toThrow();
    expect((await town.accounts.identities.waiting({ page: 1, size: 10 })).list).toEqual([]);
    const { url } = await canary.call(town.accounts.handlers.file.linkFile, { body: { fileId } });
    const { expires, signature } = Object.fromEntries(new URL(url, 'http://x').searchParams);
    const query = { fileId, expires: Number(expires), signature };
    expect(await refusalOf(canary.call(town.accounts.handlers.file.downloadFile, { query }))).toBe('UnknownThing file');
    // Its record is written under a key of its own.
    expect(await refusalOf(logIn())).toBe('InvalidCode');
  });

  test('after a restart the name is known no more, and a key made later does not open what was there', async () => {
    await erase();
    await town.reopen();
    expect(await canary.call(town.accounts.handlers.auth.accountInfo)).toMatchObject({ email: null, emailSecurityStatus: false });
    await canary.call(town.accounts.handlers.file.uploadFile, { body: new SentFile('application/pdf', PDF) });
    expect(await opened()).toBe('\n\n\n');
  });

  test('a call under way in the middle of the erasure leaves rows that nothing opens, and the exchange starts after the person has come back', async () => {
    const { keys } = town.accounts;
    const late = await sealedRows();
    const { sql: db } = town.db;
    const session = await db.selectFrom('accounts_session').selectAll().where('account', '=', account).executeTakeFirstOrThrow();
    town.accounts.erasures.begin([]);
    await town.accounts.erasureDesk.ask({ account, abandon: true });
    town.clock.now += ERASURE_WAIT_MS;
    await town.accounts.sweep();
    const gone = await db.selectFrom('accounts_name').selectAll().where('account', '=', account).execute();
    expect(gone).toEqual([]);
    // What it had encrypted before reaches the tables afterwards.
    await db.insertInto('accounts_name').values(late.name).execute();
    await db.insertInto('accounts_totp').values(late.totp).execute();
    await db.insertInto('accounts_identity').values(late.identity).execute();
    await db.insertInto('accounts_session').values(session).execute();
    // The person is back: there is a key of the account again.
    const back = await keys.encrypt(account, Buffer.from('back'), 'a word');
    expect(await keys.decrypt(account, late.name.sealed, `name ${account}`)).toBeUndefined();
    await town.reopen();
    expect((await town.accounts.keys.decrypt(account, back, 'a word'))?.toString()).toBe('back');
    const stranger = new Browser(town);
    const login = stranger.call(town.accounts.handlers.name.loginFirst, { body: { username: EMAIL, password: PASSWORD } });
    expect(await refusalOf(login)).toBe('InvalidPassword');
  });

  test('bytes that are not what was encrypted under its key are a failure, not an erasure', async () => {
    const { keys } = town.accounts;
    const good = await keys.encrypt(account, Buffer.from('good'), 'a word');
    const spoilt = Buffer.from(good);
    spoilt.writeUInt8(spoilt.readUInt8(13) ^ 1, 13);
    await expect(keys.decrypt(account, spoilt, 'a word')).rejects.toThrow();
    await expect(keys.decrypt(account, good, 'another word')).rejects.toThrow();
  });

  test('its row is gone, and those of others are not', async () => {
    const other = new Browser(town);
    await other.login(person(77));
    const rows = async () =>
      (await town.db.sql.selectFrom('accounts_wrapped_person_key').select('account').execute()).map((row) => row.account);
    expect(await rows()).toEqual(expect.arrayContaining([account, other.principal().account]));
    await erase();
    expect(await rows()).not.toContain(account);
    expect(await rows()).toContain(other.principal().account);
    await town.reopen();
    expect((await other.call(town.accounts.handlers.session.sessions)).list).toMatchObject([{ userAgent: 'test' }]);
  });
});

describe('K1: the browser and the network address of a session', () => {
  const shown = async () => (await canary.call(town.accounts.handlers.session.sessions)).list.map(({ userAgent, ip }) => [userAgent, ip]);
  const dump = async (): Promise<string> => {
    const rows = await town.db.sql.selectFrom('accounts_session').selectAll().execute();
    const cells = rows.flatMap((row) => Object.values(row).map((cell) => (Buffer.isBuffer(cell) ? cell.toString('latin1') : String(cell))));
    return cells.join(' ');
  };

  test('are shown to the person, also after a restart, lie open in no row, and are gone with the key', async () => {
    expect(await shown()).toEqual([[USER_AGENT, IP]]);
    await town.reopen();
    expect(await shown()).toEqual([[USER_AGENT, IP]]);
    const rows = await dump();
    expect(rows).toContain(String(account));
    for (const text of [USER_AGENT, IP]) expect(rows).not.toContain(text);
    await erase();
    await town.reopen();
    expect(await shown()).toEqual([['', '']]);
  });

  test('of a session from before they were kept encrypted, nothing is shown', async () => {
    await town.db.sql.updateTable('accounts_session').set({ sealed_place: null }).execute();
    await town.reopen();
    expect(await shown()).toEqual([['', '']]);
  });
});

describe('K1: the label of an address for withdrawals', () => {
  const LABEL = 'canary savings';
  const address = `0x${'ab'.repeat(20)}` as Address;
  const shown = async () => {
    const { list } = await canary.call(town.accounts.handlers.addressBook.withdrawAddresses);
    return list.map(({ label }) => label);
  };
  const row = () =>
    town.db.sql.selectFrom('accounts_withdraw_address').selectAll().where('account', '=', account).executeTakeFirstOrThrow();
  const add = async () => {
    town.clock.now += 60_000;
    const body = { address, label: LABEL, google: await codeOfApp() };
    await canary.call(town.accounts.handlers.addressBook.addWithdrawAddress, { body });
  };

  test('is shown to the person, lies open in no row, and is gone with the key; the address stays', async () => {
    await add();
    expect(await shown()).toEqual([LABEL]);
    const { label, sealed_label } = await row();
    expect([label, sealed_label?.includes(LABEL)]).toEqual(['', false]);
    await erase();
    expect(await shown()).toEqual(['']);
    expect((await row()).address).toBe(address);
  });

  test('that lay open before there was a key per person is encrypted at the next start', async () => {
    await add();
    await town.db.sql.updateTable('accounts_withdraw_address').set({ label: LABEL, sealed_label: null }).execute();
    await town.reopen();
    expect(await shown()).toEqual([LABEL]);
    expect((await row()).label).toBe('');
  });
});

describe('K1: the label of an API key, the browser of a login and the calling code of a telephone', () => {
  const LABEL = 'canary bot';
  const open = async () => {
    const owner = new Browser(town);
    owner.userAgent = USER_AGENT;
    owner.neighbourhood = '203.0.113.0/24';
    const who = person(78);
    await owner.agree(who);
    await owner.login(who);
    const { accessKey } = await owner.call(town.accounts.handlers.apiKey.createApiKey, {
      body: await owner.signKey(who, { label: LABEL }),
    });
    return { owner, account: owner.principal().account, accessKey };
  };
  const shownBy = async (owner: Browser) => {
    const { apiKey, login } = town.accounts.handlers;
    const [key] = (await owner.call(apiKey.apiKeys)).list;
    const [record] = (await owner.call(login.loginRecord)).items;
    return [key?.label, record?.device, record?.ip];
  };
  const rowsOf = async (of: number) => {
    const key = await town.db.sql.selectFrom('accounts_api_key').selectAll().where('account', '=', of).executeTakeFirstOrThrow();
    const login = await town.db.sql.selectFrom('accounts_login').selectAll().where('account', '=', of).executeTakeFirstOrThrow();
    return [key.label, login.device, login.ip];
  };

  test('are shown to the person, lie open in no row, and are gone with the key', async () => {
    const { owner, account: of, accessKey } = await open();
    expect(await shownBy(owner)).toEqual([LABEL, USER_AGENT, '203.0.*.*']);
    expect(await rowsOf(of)).toEqual(['', '', '']);
    const change = { accessKey, label: `${LABEL} 2` };
    await owner.call(town.accounts.handlers.apiKey.updateApiKey, { body: change });
    await town.reopen();
    expect(await shownBy(owner)).toEqual([change.label, USER_AGENT, '203.0.*.*']);
    expect(await rowsOf(of)).toEqual(['', '', '']);
    await town.accounts.keys.erase(of);
    await town.reopen();
    expect(await shownBy(owner)).toEqual(['', '', '']);
  });

  test('that lay open before there was a key per person are encrypted at the next start', async () => {
    const { owner, account: of } = await open();
    await town.db.sql.updateTable('accounts_api_key').set({ label: LABEL, sealed_label: null }).execute();
    await town.db.sql.updateTable('accounts_login').set({ device: USER_AGENT, ip: '203.0.*.*', sealed_place: null }).execute();
    const keys = town.accounts.keys;
    const sealed = await keys.encrypt(account, Buffer.from('+4915112345678'), `name ${account}`);
    const phone = { kind: 'phone', sealed, tel_country_code: '49' };
    await town.db.sql.updateTable('accounts_name').set(phone).where('account', '=', account).execute();
    await town.reopen();
    expect(await shownBy(owner)).toEqual([LABEL, USER_AGENT, '203.0.*.*']);
    expect(await rowsOf(of)).toEqual(['', '', '']);
    expect(await canary.call(town.accounts.handlers.auth.accountInfo)).toMatchObject({ telCountryCode: '49', phoneSecurityStatus: true });
    expect((await sealedRows()).name.tel_country_code).toBe(null);
    await town.reopen();
    expect(await canary.call(town.accounts.handlers.auth.accountInfo)).toMatchObject({ telCountryCode: '49', phoneSecurityStatus: true });
  });
});

describe('what was there before there was a key per person', () => {
  test('K1: a name and the secret of an app, sealed by the master key, are under the key of their person after the next start, and still log in', async () => {
    const sealed = box.seal(EMAIL, `name ${account}`);
    await town.db.sql.updateTable('accounts_name').set({ sealed, under_person_key: false }).where('account', '=', account).execute();
    const app = { sealed_secret: box.seal(secret, `totp ${account}`), pending_secret: null, under_person_key: false };
    await town.db.sql.updateTable('accounts_totp').set(app).where('account', '=', account).execute();
    await town.reopen();
    const { name, totp } = await sealedRows();
    expect([name.under_person_key, totp.under_person_key]).toEqual([true, true]);
    expect(() => box.open(name.sealed, `name ${account}`)).toThrow();
    expect(() => box.open(totp.sealed_secret ?? Buffer.alloc(0), `totp ${account}`)).toThrow();
    for (const text of [EMAIL, secret]) expect(await opened()).toContain(text);
    expect(typeof (await logIn())).toBe('string');
  });
});
