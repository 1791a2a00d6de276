import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Browser, openTown, person, type Person, type Town } from './testing/town.ts';
import { TRACE_KEPT_MS } from './traces.ts';

let town: Town;
let key = 0x7ace;
let [alice, bob] = [person(key), person(key)];
beforeAll(async () => {
  town = await openTown();
});
afterAll(() => town.close());
beforeEach(async () => {
  [alice, bob] = [person((key += 1)), person((key += 1))];
  await town.db.sql.deleteFrom('accounts_trace').execute();
});

async function agree(browser: Browser, who: Person): Promise<void> {
  const { message, signature } = await browser.sign(who, 'terms');
  await browser.call(town.accounts.handlers.agreement.agree, {
    body: { walletAddress: who.wallet.address, termsCode: 'TERMS', message, signature },
  });
}

const marksOf = async (who: Person, kind: 'NETWORK' | 'DEVICE') => {
  const account = town.accounts.directory.find(who.address)?.account;
  return (await town.accounts.traces.all()).filter((trace) => trace.account === account && trace.kind === kind).map(({ mark }) => mark);
};
const deviceCookie = (browser: Browser) => Object.entries(browser.cookies).find(([name]) => name.endsWith('orrery-device'))?.[1];

test('F4: two of one device have the same mark, on another device they have another', async () => {
  const [shared, other] = [new Browser(town), new Browser(town)];
  for (const who of [alice, bob]) await agree(shared, who);
  const kept = deviceCookie(shared);
  for (const who of [alice, bob]) await shared.login(who);
  expect(deviceCookie(shared)).toBe(kept);
  expect(await marksOf(alice, 'DEVICE')).toEqual(await marksOf(bob, 'DEVICE'));
  expect(await marksOf(alice, 'DEVICE')).toHaveLength(1);
  await other.login(bob);
  expect(await marksOf(bob, 'DEVICE')).toHaveLength(2);
});

test('F4: a device gets its cookie after consent to the terms, and not before', async () => {
  const browser = new Browser(town);
  await browser.login(alice);
  expect([deviceCookie(browser), await marksOf(alice, 'DEVICE')]).toEqual([undefined, []]);
  expect(await marksOf(alice, 'NETWORK')).toHaveLength(1);
  await agree(browser, alice);
  expect(deviceCookie(browser)).toMatch(/^[0-9A-Za-z_-]{43}$/);
  await browser.login(alice);
  expect(await marksOf(alice, 'DEVICE')).toHaveLength(1);
});

test('F4: a cookie that is none of ours is replaced', async () => {
  const browser = new Browser(town);
  await agree(browser, alice);
  browser.cookies['__Host-orrery-device'] = 'me; or everybody';
  await browser.login(alice);
  expect(deviceCookie(browser)).toMatch(/^[0-9A-Za-z_-]{43}$/);
});

test('F4: two of one /24 have the same mark; a mark reveals neither address nor device', async () => {
  const [home, office, abroad] = [new Browser(town), new Browser(town), new Browser(town)];
  [home.neighbourhood, office.neighbourhood, abroad.neighbourhood] = ['203.0.113.0/24', '203.0.113.0/24', '203.0.114.0/24'];
  await home.login(alice);
  await office.login(bob);
  expect(await marksOf(alice, 'NETWORK')).toEqual(await marksOf(bob, 'NETWORK'));
  await abroad.login(bob);
  expect(await marksOf(bob, 'NETWORK')).toHaveLength(2);
  await agree(home, alice);
  const rows = JSON.stringify(await town.db.sql.selectFrom('accounts_trace').selectAll().execute());
  expect(rows).not.toContain('203.0');
  expect(rows).not.toContain(deviceCookie(home));
});

test('F4: marks are the same after a restart, and forgotten after 90 days', async () => {
  const browser = new Browser(town);
  await browser.login(alice);
  const before = await marksOf(alice, 'NETWORK');
  await town.reopen();
  await browser.login(alice);
  expect(await marksOf(alice, 'NETWORK')).toEqual(before);
  town.clock.now += TRACE_KEPT_MS - 1;
  await town.accounts.sweep();
  expect(await marksOf(alice, 'NETWORK')).toEqual(before);
  town.clock.now += 1;
  expect(await marksOf(alice, 'NETWORK')).toEqual([]);
  await town.accounts.sweep();
  expect(await town.db.sql.selectFrom('accounts_trace').selectAll().execute()).toEqual([]);
});
