import { TRADING_SESSION_MS } from '@orrery/api';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { FAILED_TRIES_PER_DAY, LOGIN_KEPT_MS, maskedIp } from './login-record.ts';
import { Browser, openTown, type Person, person, refusalOf, type Town } from './testing/town.ts';

let town: Town;
beforeAll(async () => {
  town = await openTown();
});
afterAll(() => town.close());

let key = 0x600;
let alice: Person;
let browser: Browser;
beforeEach(() => {
  alice = person((key += 1));
  browser = new Browser(town);
});

const recordOf = (of: Browser, query: object = {}) => of.call(town.accounts.handlers.login.loginRecord, { query });
const verify = (of: Browser, body: unknown) => of.call(town.accounts.handlers.auth.verify, { body });

async function failOnce(of: Browser): Promise<void> {
  const signed = await of.sign(alice, 'login');
  const { signature } = await of.sign(person(key + 0x90000), 'login');
  expect(await refusalOf(verify(of, { ...signed, signature }))).toBe('InvalidSignature');
}

test('[A7] the login record has time, way, device, half of the address and the result, ten a page, the newest first', async () => {
  await browser.login(alice);
  await failOnce(browser);
  browser.neighbourhood = '203.0.113.0/24';
  for (let count = 0; count < 10; count += 1) {
    town.clock.now += 1;
    await browser.login(alice);
  }
  const first = await recordOf(browser);
  expect(first).toMatchObject({ page: 1, ps: 10, total: 12 });
  expect(first.items).toHaveLength(10);
  expect(first.items[0]).toEqual({
    createTime: town.clock.now,
    way: 'wallet',
    result: 'SUCCESS',
    device: 'test',
    ip: '203.0.*.*',
    newDevice: false,
  });
  const second = await recordOf(browser, { page: 2 });
  expect(second.items.map(({ result, ip }) => `${result} ${ip}`)).toEqual(['FAILED 127.0.*.*', 'SUCCESS 127.0.*.*']);
});

test("[A7] the record is its owner's, and nobody else's failed tries fill it", async () => {
  await browser.login(alice);
  await failOnce(browser);
  const { id: _, ...row } = await town.db.sql
    .selectFrom('accounts_login')
    .selectAll()
    .where('result', '=', 'FAILED')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
  await town.db.sql
    .insertInto('accounts_login')
    .values(Array.from({ length: FAILED_TRIES_PER_DAY - 2 }, () => row))
    .execute();
  for (let count = 0; count < 3; count += 1) await failOnce(new Browser(town));
  expect((await recordOf(browser)).total).toBe(1 + FAILED_TRIES_PER_DAY);
  const stranger = new Browser(town);
  await stranger.login(person(key + 0x80000));
  expect((await recordOf(stranger)).total).toBe(1);
});

test('[A7] a login from a device that the account was never used on is marked, the first one is not', async () => {
  await browser.agree(alice);
  await browser.login(alice);
  const other = new Browser(town);
  await other.login(alice);
  await other.login(alice);
  expect((await recordOf(other)).items.map(({ newDevice }) => newDevice)).toEqual([false, true, false]);
});

test('rows are forgotten after 180 days', async () => {
  await browser.login(alice);
  town.clock.now += LOGIN_KEPT_MS;
  town.clock.passed += LOGIN_KEPT_MS;
  await browser.login(alice);
  expect((await recordOf(browser)).total).toBe(1);
  await town.accounts.sweep();
  const rows = await town.db.sql.selectFrom('accounts_login').selectAll().execute();
  expect(rows).toHaveLength(1);
});

test('a session and where it was opened are forgotten with the record of its login, and not before', async () => {
  const sessions = () => town.db.sql.selectFrom('accounts_session').select('session_id').execute();
  await town.db.sql.deleteFrom('accounts_session').execute();
  await browser.login(alice);
  town.clock.now += TRADING_SESSION_MS + LOGIN_KEPT_MS - 1;
  await town.accounts.sweep();
  expect(await sessions()).toHaveLength(1);
  town.clock.now += 1;
  await town.accounts.sweep();
  expect(await sessions()).toEqual([]);
});

test.each([
  ['203.0.113.0/24', '203.0.*.*'],
  ['2001:db8:1:200::/56', '2001:db8:*'],
  [undefined, 'unknown'],
])('the neighbourhood %s is shown as %s', (neighbourhood, masked) => {
  expect(maskedIp(neighbourhood)).toBe(masked);
});
