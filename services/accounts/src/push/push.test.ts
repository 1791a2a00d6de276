import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { type PushTarget, PushStandIn, vapidOf } from '../testing/push-stand-in.ts';
import { Browser, openTown, person, refusalOf, type Town } from '../testing/town.ts';
import { HOURLY_MAX, PAUSE_MS, Push, type PushNews } from './push.ts';
import { PushSender } from './push-sender.ts';
import { isOfPushService, KNOWN_PUSH_SERVICES } from './push-services.ts';
import { Subscriptions } from './subscriptions.ts';
import { openVapidKeys } from './vapid-keys.ts';

let service: PushStandIn;
let town: Town;
let key = 0x9054;
let alice: Browser;
beforeAll(async () => {
  service = await PushStandIn.open();
  town = await openTown({ pushServices: [service.url] });
  town.accounts.erasures.begin([]);
});
afterAll(async () => {
  await town.close();
  await service.close();
});
beforeEach(async () => {
  service.status = 201;
  alice = await signedIn();
});

async function signedIn(who = person((key += 1))): Promise<Browser> {
  const browser = new Browser(town);
  await browser.login(who);
  return browser;
}

const calls = () => town.accounts.handlers.push;
const state = (browser: Browser) => browser.call(calls().pushState);
const end = (browser: Browser) => browser.call(calls().endPush);

async function subscribed(browser: Browser, choice: object = {}, target = service.subscribe()): Promise<PushTarget> {
  await browser.call(calls().setPush, { body: { ...target, categories: ['FILLS', 'LIQUIDATION'], showAmounts: false, ...choice } });
  return target;
}

const newsOf = (browser: Browser, more: Partial<PushNews> = {}): PushNews => ({
  account: browser.principal().account,
  category: 'FILLS',
  plain: { title: 'Order filled', body: 'An order of yours was filled.', path: '/portfolio' },
  open: { title: 'Order filled', body: 'Bought 1 of ETH_USDC at 3200.', path: '/trade/spot/ETH_USDC' },
  ...more,
});
const announce = (browser: Browser, more: Partial<PushNews> = {}): void => town.accounts.push.announce(newsOf(browser, more));
const textsOf = (target: PushTarget) =>
  service.of(target).map(({ text }): Record<string, string> => JSON.parse(text) as Record<string, string>);
const settled = () => town.accounts.push.settled();

test('a message reaches the browser that subscribed, sealed for it alone, and says nothing private unless it may', async () => {
  const target = await subscribed(alice);
  announce(alice);
  await settled();
  expect(textsOf(target)).toEqual([{ title: 'Order filled', body: 'An order of yours was filled.', path: '/portfolio', tag: 'FILLS' }]);
  const shown = await subscribed(await signedIn(), { showAmounts: true });
  expect(textsOf(shown)).toEqual([]);
  const bob = await signedIn();
  const bobs = await subscribed(bob, { showAmounts: true });
  announce(bob);
  await settled();
  expect(textsOf(bobs)).toEqual([
    { title: 'Order filled', body: 'Bought 1 of ETH_USDC at 3200.', path: '/trade/spot/ETH_USDC', tag: 'FILLS' },
  ]);
});

test('the push service is shown who sends, by the key that pages are given', async () => {
  const target = await subscribed(alice);
  announce(alice, { category: 'LIQUIDATION' });
  await settled();
  const headers = service.of(target)[0]?.headers ?? {};
  const { publicKey, claims } = vapidOf(headers.authorization);
  expect((await state(alice)).publicKey).toBe(publicKey);
  expect(claims).toMatchObject({ aud: service.url, sub: 'mailto:operator@example.org' });
  expect(headers).toMatchObject({ ttl: '600', urgency: 'high', topic: 'LIQUIDATION', 'content-encoding': 'aes128gcm' });
});

test('what was not chosen is not sent, and what is chosen holds after a restart', async () => {
  const target = await subscribed(alice, { categories: ['DEPOSITS'], showAmounts: true });
  announce(alice);
  await town.reopen();
  expect((await state(alice)).choice).toMatchObject({ categories: ['DEPOSITS'], showAmounts: true });
  expect(town.accounts.push.accountsWanting('DEPOSITS')).toContain(alice.principal().account);
  announce(alice);
  announce(alice, { category: 'DEPOSITS' });
  await settled();
  expect(textsOf(target).map(({ tag }) => tag)).toEqual(['DEPOSITS']);
  await end(alice);
  expect((await state(alice)).choice).toBeNull();
  announce(alice, { category: 'DEPOSITS' });
  await settled();
  expect(service.of(target)).toHaveLength(1);
});

test('a session that ends takes its browser with it: by logout, revoked from elsewhere, run out, killed', async () => {
  const rows = () => town.db.sql.selectFrom('accounts_push').select('session_id').execute();
  for (const way of ['logout', 'revoke', 'all', 'run out', 'kill']) {
    const who = person((key += 1));
    const [browser, other] = [await signedIn(who), await signedIn(who)];
    const target = await subscribed(browser);
    const sessionId = browser.principal().credential;
    const news = newsOf(browser);
    const { session } = town.accounts.handlers;
    if (way === 'logout') await browser.call(session.logout);
    if (way === 'revoke') await other.call(session.revokeSession, { body: { sessionId } });
    if (way === 'all') await other.call(session.revokeAllSessions, { body: {} });
    if (way === 'run out') town.clock.passed += 6 * 3_600_000;
    if (way === 'run out') await town.accounts.sweep();
    if (way === 'kill') {
      await town.db.sql.updateTable('accounts_session').set({ revoked_at: 1 }).where('session_id', '=', sessionId).execute();
      await town.kill();
    }
    town.accounts.push.announce(news);
    await settled();
    expect(service.of(target), way).toEqual([]);
    await expect.poll(rows, { message: way }).not.toContainEqual({ session_id: sessionId });
  }
});

test('a browser that is gone is forgotten, one whose service is busy is tried again', async () => {
  const target = await subscribed(alice);
  service.status = 410;
  announce(alice);
  await settled();
  expect((await state(alice)).choice).toBeNull();
  service.status = 201;
  announce(alice, { category: 'LIQUIDATION' });
  await settled();
  expect(service.of(target)).toEqual([]);
});

test('an address that is gone takes nothing with it that was subscribed meanwhile', async () => {
  const former = await subscribed(alice);
  const { promise, resolve } = Promise.withResolvers<void>();
  [service.status, service.held] = [410, promise];
  announce(alice);
  await expect.poll(() => service.paths.some((path) => former.endpoint.endsWith(path))).toBe(true);
  const target = await subscribed(alice);
  resolve();
  await settled();
  [service.status, service.held] = [201, undefined];
  announce(alice, { category: 'LIQUIDATION' });
  await settled();
  expect(service.of(target)).toHaveLength(1);
});

test('a service that leads elsewhere is not followed', async () => {
  await subscribed(alice);
  service.status = 307;
  service.location = `${service.url}/secret`;
  announce(alice);
  await expect(settled()).rejects.toThrow('answers 307');
  expect(service.paths).not.toContain('/secret');
});

test('a browser gets the messages of the session that subscribed it last, whatever account was there before', async () => {
  const target = await subscribed(alice);
  const bob = await signedIn();
  await subscribed(bob, {}, target);
  expect((await state(alice)).choice).toBeNull();
  announce(alice);
  announce(bob);
  await settled();
  expect(service.of(target)).toHaveLength(1);
  await subscribed(bob, { categories: [] }, target);
  announce(bob, { category: 'LIQUIDATION' });
  await settled();
  expect(service.of(target)).toHaveLength(1);
});

test('many news of one kind become few messages', async () => {
  town.clock.passed += 3_600_000;
  const target = await subscribed(alice);
  for (let count = 0; count < 20; count += 1) announce(alice, { plain: { title: 'Order filled', body: `${count}.`, path: '/' } });
  await settled();
  expect(textsOf(target).map(({ body }) => body)).toEqual(['0.']);
  await expect.poll(() => textsOf(target).length, { timeout: 2 * PAUSE_MS }).toBe(2);
  expect(textsOf(target)[1]?.['body']).toBe('19. And 18 more.');
});

test.each([
  ['a host of the inside', 'http://169.254.169.254/latest/meta-data'],
  ['a port of this machine', 'http://127.0.0.1:1/send/x'],
  ['another scheme', 'file:///etc/passwd'],
  ['no address', 'nowhere'],
])('%s is no push service', async (_what, endpoint) => {
  const body = { ...service.subscribe(), endpoint, categories: [], showAmounts: false };
  expect(await refusalOf(alice.call(calls().setPush, { body }))).toBe('MalformedField endpoint');
});

test('a key that is no point of the curve is refused', async () => {
  const body = { ...service.subscribe(), p256dh: 'A'.repeat(87), categories: [], showAmounts: false };
  expect(await refusalOf(alice.call(calls().setPush, { body }))).toBe('MalformedField p256dh');
});

test('addresses are of a listed service only as they are written', () => {
  const known = (endpoint: string): boolean => isOfPushService(endpoint, KNOWN_PUSH_SERVICES);
  expect(known('https://fcm.googleapis.com/fcm/send/abc')).toBe(true);
  expect(known('https://updates.push.services.mozilla.com/wpush/v2/abc')).toBe(true);
  expect(known('https://web.push.apple.com/abc')).toBe(true);
  for (const endpoint of [
    'http://fcm.googleapis.com/fcm/send/abc',
    'https://fcm.googleapis.com:8443/fcm/send/abc',
    'https://fcm.googleapis.com.example/abc',
    'https://example/fcm.googleapis.com',
    'https://user@fcm.googleapis.com/abc',
    'https://fcm.googleapis.com@example/abc',
    'https://push.apple.com/abc',
    'https://evilpush.apple.com/abc',
    'https://x.push.apple.com\\@example/abc',
    ' https://fcm.googleapis.com/abc',
  ])
    expect(known(endpoint), endpoint).toBe(false);
});

test('nothing of a browser stands in the database in plain, and an erasure takes it', async () => {
  const target = await subscribed(alice);
  const { account } = alice.principal();
  const rows = () => town.db.sql.selectFrom('accounts_push').selectAll().where('account', '=', account).execute();
  const [row] = await rows();
  expect(JSON.stringify(row)).not.toContain(target.endpoint.split('/').at(-1));
  expect(row?.sealed_target.includes(Buffer.from(target.auth))).toBe(false);
  await end(alice);
  expect(await rows()).toEqual([]);
});

const keysOf = ({ db, accounts: { box }, directory }: Town) => openVapidKeys({ db: db.sql, box, path: join(directory, 'push-keys') });

/** With no row of keys, until the test is over. */
async function withoutKeys(): Promise<void> {
  const row = await town.db.sql.deleteFrom('accounts_push_key').returningAll().executeTakeFirstOrThrow();
  onTestFinished(async () => {
    await town.db.sql.deleteFrom('accounts_push_key').execute();
    await town.db.sql.insertInto('accounts_push_key').values(row).execute();
  });
}

test('the keys are one row that every process has, made once, and lie in SQL sealed alone', async () => {
  expect((await state(alice)).publicKey).toBe((await keysOf(town)).publicKey);
  await withoutKeys();
  const made = await Promise.all(Array.from({ length: 4 }, () => keysOf(town)));
  expect(new Set(made.map(({ publicKey, privateKey }) => `${publicKey} ${privateKey}`)).size).toBe(1);
  const [pair] = made;
  const row = await town.db.sql.selectFrom('accounts_push_key').selectAll().executeTakeFirstOrThrow();
  expect([row.public_key, row.sealed_private.includes(Buffer.from(pair?.privateKey ?? ''))]).toEqual([pair?.publicKey, false]);
  const there = await town.beside();
  expect(await keysOf(there)).toEqual(pair);
  await there.close();
});

test('the file of earlier versions is taken over once, and refused where others can read it', async () => {
  await withoutKeys();
  const path = join(town.directory, 'push-keys');
  const pair = { publicKey: 'p'.repeat(87), privateKey: 's'.repeat(43) };
  await writeFile(path, `${pair.publicKey}\n${pair.privateKey}\n`, { mode: 0o644 });
  await expect(keysOf(town)).rejects.toThrow('can be read by others');
  await chmod(path, 0o600);
  expect(await keysOf(town)).toEqual(pair);
  // The row decides from then on.
  await writeFile(path, `${'q'.repeat(87)}\n${pair.privateKey}\n`);
  expect(await keysOf(town)).toEqual(pair);
  await town.db.sql.deleteFrom('accounts_push_key').execute();
  await writeFile(path, 'no keys');
  await expect(keysOf(town)).rejects.toThrow('has no keys');
});

test('[A3] setPush, endPush: of two at once one is whole, and neither is lost in silence', async () => {
  const [target, other] = [service.subscribe(), service.subscribe()];
  await Promise.all([
    subscribed(alice, { categories: ['OTC'] }, target),
    subscribed(alice, { categories: ['FILLS'], showAmounts: true }, other),
  ]);
  const { choice } = await state(alice);
  expect([
    ['OTC', false],
    ['FILLS', true],
  ]).toContainEqual([choice?.categories[0], choice?.showAmounts]);
  const bob = await signedIn();
  await Promise.all([subscribed(alice, {}, target), subscribed(bob, {}, target)]);
  expect([await state(alice), await state(bob)].filter((each) => each.choice !== null)).toHaveLength(1);
  await Promise.all([end(alice), end(alice), end(bob)]);
  expect([await state(alice), await state(bob)].map((each) => each.choice)).toEqual([null, null]);
});

test('a browser gets a number of messages an hour and no more, but warnings', async () => {
  let passed = 0;
  const { credential, account } = alice.principal();
  const push = new Push({
    services: [service.url],
    keys: await keysOf(town),
    subscriptions: new Subscriptions({ db: town.db.sql, keys: town.accounts.keys, markKey: Buffer.alloc(32) }),
    subject: 'mailto:operator@example.org',
    isLive: () => true,
    monotonicMs: () => passed,
    onTrouble: (error) => {
      throw error;
    },
    pauseMs: 0,
  });
  const target = service.subscribe();
  await push.set({ sessionId: credential, account, target, categories: ['FILLS', 'LIQUIDATION'], showAmounts: false, createdTime: 0 });
  const announced = async (category: 'FILLS' | 'LIQUIDATION'): Promise<number> => {
    push.announce(newsOf(alice, { category }));
    await push.settled();
    await new Promise((resolve) => setTimeout(resolve, 5));
    return service.of(target).length;
  };
  for (let count = 0; count < HOURLY_MAX + 5; count += 1) await announced('FILLS');
  expect(service.of(target)).toHaveLength(HOURLY_MAX);
  expect(await announced('LIQUIDATION')).toBe(HOURLY_MAX + 1);
  passed += 3_600_001;
  expect(await announced('FILLS')).toBe(HOURLY_MAX + 2);
  await push.stop();
});

test('a service that is busy is tried again, and then given up by a name that is no browser of anybody', async () => {
  const troubles: unknown[] = [];
  const keys = await keysOf(town);
  const sender = new PushSender({
    keys,
    subject: 'mailto:operator@example.org',
    onGone: () => Promise.resolve(),
    onTrouble: (error) => troubles.push(error),
    retryAfterMs: [1, 1],
  });
  const target = service.subscribe();
  const { credential, account } = alice.principal();
  const subscription = { sessionId: credential, account, target, categories: [], showAmounts: false, createdTime: 0 };
  const put = (): void =>
    sender.put({ subscription, category: 'FILLS', notice: { title: 'a', body: 'b'.repeat(9_000), path: '/', tag: 'FILLS' } });
  service.status = 503;
  const before = service.paths.length;
  put();
  await sender.settled();
  expect(service.paths.length - before).toBe(3);
  expect(String(troubles[0])).toContain('answers 503');
  expect(String(troubles[0])).not.toContain('/send/');
  service.status = 201;
  put();
  await sender.settled();
  expect(textsOf(target)[0]?.['body']).toHaveLength(200);
  await sender.stop();
  put();
  await sender.settled();
  expect(service.of(target)).toHaveLength(1);
});

test('a service that is away keeps no message of another one waiting, and a session that ends is not tried again', async () => {
  const keys = await keysOf(town);
  const sender = new PushSender({
    keys,
    subject: 'mailto:operator@example.org',
    onGone: () => Promise.resolve(),
    onTrouble: () => undefined,
    retryAfterMs: [60_000],
  });
  const { account } = alice.principal();
  const put = (sessionId: string, target: PushTarget): void =>
    sender.put({
      subscription: { sessionId, account, target, categories: [], showAmounts: false, createdTime: 0 },
      category: 'FILLS',
      notice: { title: 'a', body: 'b', path: '/', tag: 'FILLS' },
    });
  const away = { ...service.subscribe(), endpoint: 'http://127.0.0.1:9/send/away' };
  for (let nth = 0; nth < 4; nth += 1) put('away', away);
  const target = service.subscribe();
  put('here', target);
  await expect.poll(() => service.of(target).length, { timeout: 2_000 }).toBe(1);
  sender.forget('away');
  await sender.settled();
});
