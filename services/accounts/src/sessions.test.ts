import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Browser, openTown, person, refusalOf, type Town } from './testing/town.ts';

const HOUR = 3_600_000;
const MINUTE = 60_000;

let town: Town;
let key = 0x5e55;
let alice = person(key);
beforeAll(async () => {
  town = await openTown();
});
afterAll(() => town.close());
// Each test has a person of its own.
beforeEach(() => {
  key += 1;
  alice = person(key);
});

const isLive = (token: string | undefined): boolean => typeof town.accounts.authenticator.session(token ?? '') !== 'string';

describe('a session', () => {
  test('[L4] a trading session ends five hours after the signature, however often it is refreshed and polled', async () => {
    const browser = new Browser(town);
    const { endsAt } = await browser.login(alice);
    const start = town.clock.now;
    expect(endsAt).toBe(start + 5 * HOUR);
    while (town.clock.now < start + 5 * HOUR - 10 * MINUTE) {
      town.clock.now += 10 * MINUTE;
      await browser.refresh();
      expect(browser.principal().endsAt).toBe(start + 5 * HOUR);
    }
    town.clock.now = start + 5 * HOUR - 1;
    expect(isLive(browser.bearer)).toBe(true);
    town.clock.now = start + 5 * HOUR;
    expect(town.accounts.authenticator.session(browser.bearer ?? '')).toBe('SessionExpired');
    expect(await refusalOf(browser.refresh())).toBe('SessionExpired');
  });

  test('[L2] an access token is good for 15 minutes and then renewed by the cookie', async () => {
    const browser = new Browser(town);
    await browser.login(alice);
    const first = browser.bearer;
    town.clock.now += 15 * MINUTE;
    expect(isLive(first)).toBe(false);
    await browser.refresh();
    expect(isLive(browser.bearer)).toBe(true);
    expect(browser.bearer).not.toBe(first);
  });

  test('a refresh cookie used again later was stolen: the whole session ends', async () => {
    const browser = new Browser(town);
    const { credential } = await browser.login(alice);
    const thief = new Browser(town);
    Object.assign(thief.cookies, browser.cookies);
    await browser.refresh();
    town.clock.now += MINUTE;
    expect(await refusalOf(thief.refresh())).toBe('SessionExpired');
    expect(isLive(browser.bearer)).toBe(false);
    expect(await refusalOf(browser.refresh())).toBe('SessionExpired');
    expect(town.ended).toContain(credential);
  });

  test('a refresh cookie that was used while the clock was ahead is none that was used a moment ago once it is right again', async () => {
    const browser = new Browser(town);
    await browser.login(alice);
    const thief = new Browser(town);
    Object.assign(thief.cookies, browser.cookies);
    town.clock.now += HOUR;
    await browser.refresh();
    town.clock.now -= HOUR;
    expect(await refusalOf(thief.refresh())).toBe('SessionExpired');
    expect(isLive(browser.bearer)).toBe(false);
  });

  test('two tabs that refresh at the same moment both go on', async () => {
    const browser = new Browser(town);
    await browser.login(alice);
    const tab = new Browser(town);
    Object.assign(tab.cookies, browser.cookies);
    await Promise.all([browser.refresh(), tab.refresh()]);
    expect(isLive(browser.bearer)).toBe(true);
    expect(isLive(tab.bearer)).toBe(true);
    town.clock.now += MINUTE;
    await tab.refresh();
    expect(isLive(tab.bearer)).toBe(true);
  });

  test('without a cookie, or with one of nobody, there is no refresh', async () => {
    expect(await refusalOf(new Browser(town).refresh())).toBe('NotSignedIn');
    const browser = new Browser(town);
    await browser.login(alice);
    for (const name of Object.keys(browser.cookies)) browser.cookies[name] = 'x'.repeat(43);
    expect(await refusalOf(browser.refresh())).toBe('SessionExpired');
  });

  test('A2: after logout the token, the cookie and open streams are over at once', async () => {
    const browser = new Browser(town);
    const { credential } = await browser.login(alice);
    const stolen = new Browser(town);
    Object.assign(stolen.cookies, browser.cookies);
    const token = browser.bearer;
    await browser.logout();
    expect(isLive(token)).toBe(false);
    expect(town.ended).toContain(credential);
    expect(await refusalOf(stolen.refresh())).toBe('SessionExpired');
  });

  test('A2: logout works by the cookie alone, after the token has run out', async () => {
    const browser = new Browser(town);
    await browser.login(alice);
    const other = new Browser(town);
    await other.login(alice);
    town.clock.now += 20 * MINUTE;
    await browser.logout();
    await other.refresh();
    const { list } = await other.call(town.accounts.handlers.session.sessions);
    expect(list.map((session) => session.current)).toEqual([true]);
  });

  test('A2: a database that fails during logout does not keep the session alive', async () => {
    const browser = new Browser(town);
    await browser.login(alice);
    const token = browser.bearer;
    await town.db.sql.schema.alterTable('accounts_session').renameTo('accounts_session_away').execute();
    await browser.logout().catch(() => undefined);
    expect(isLive(token)).toBe(false);
    await town.db.sql.schema.alterTable('accounts_session_away').renameTo('accounts_session').execute();
    await town.accounts.sweep();
    await town.reopen();
    expect(isLive(token)).toBe(false);
  });

  test('A2: a session that was ended while SQL could not be written is never live again, kill -9 or not', async () => {
    const [byToken, byCookie] = [new Browser(town), new Browser(town)];
    await byToken.login(alice);
    await byCookie.login(alice);
    const tokens = [byToken.bearer, byCookie.bearer];
    const tables = ['accounts_session', 'accounts_refresh_token'] as const;
    for (const table of tables) await town.db.sql.schema.alterTable(table).renameTo(`${table}_away`).execute();
    await byToken.logout().catch(() => undefined);
    // Without its token, only SQL can say whose cookie it is.
    byCookie.bearer = undefined;
    await byCookie.logout().catch(() => undefined);
    for (const table of tables) await town.db.sql.schema.alterTable(`${table}_away`).renameTo(table).execute();
    await town.kill();
    expect(tokens.map(isLive)).toEqual([false, false]);
    await town.kill();
    expect(tokens.map(isLive)).toEqual([false, false]);
  });

  test('a key that was switched off while SQL could not be written stays off after a kill', async () => {
    const browser = new Browser(town);
    const { account } = await browser.login(alice);
    const owner = { account, address: alice.address };
    const { accessKey } = await town.accounts.apiKeys.create(owner, { label: 'bot' });
    await town.db.sql.schema.alterTable('accounts_api_key').renameTo('accounts_api_key_away').execute();
    await expect(town.accounts.apiKeys.delete(owner, accessKey)).rejects.toThrow();
    await town.db.sql.schema.alterTable('accounts_api_key_away').renameTo('accounts_api_key').execute();
    await town.kill();
    expect(town.accounts.authenticator.apiKey(accessKey)).toBe('InvalidApiKey');
  });

  test('a clock that is set back revives no session and no token that was over', async () => {
    const browser = new Browser(town);
    await browser.login(alice);
    const token = browser.bearer;
    town.clock.now += 16 * MINUTE;
    expect(isLive(token)).toBe(false);
    town.clock.now -= 10 * MINUTE;
    expect(isLive(token)).toBe(false);
    await browser.refresh();
    const renewed = browser.bearer;
    town.clock.now += 6 * 60 * MINUTE;
    await town.heart.submit({ type: 'OpenAccount', address: person(key + 0x90000).address });
    town.clock.now -= 6 * 60 * MINUTE;
    await town.kill();
    expect(isLive(renewed)).toBe(false);
  });

  test('a clock that is set back lengthens no session, after a restart neither', async () => {
    const [one, other] = [new Browser(town), new Browser(town)];
    await one.login(alice);
    const passes = async (minutes: number, browser: Browser): Promise<void> => {
      for (let passed = 0; passed < minutes; passed += 10) {
        town.clock.now += 10 * MINUTE;
        town.clock.passed += 10 * MINUTE;
        await browser.refresh().catch(() => undefined);
      }
    };
    await passes(60, one);
    town.clock.now -= 60 * MINUTE;
    await passes(230, one);
    expect(isLive(one.bearer)).toBe(true);
    await passes(20, one);
    expect(isLive(one.bearer)).toBe(false);

    await other.login(alice);
    await passes(60, other);
    await town.reopen();
    town.clock.now -= 60 * MINUTE;
    await passes(250, other);
    expect(isLive(other.bearer)).toBe(false);
  });

  test('sessions and tokens survive a restart, and what was ended stays ended', async () => {
    const kept = new Browser(town);
    const gone = new Browser(town);
    await kept.login(alice);
    await gone.login(alice);
    await gone.logout();
    await town.reopen();
    expect(isLive(kept.bearer)).toBe(true);
    await kept.refresh();
    expect((await kept.call(town.accounts.handlers.session.sessions)).total).toBe(1);
  });

  test('when a session was last seen survives a restart', async () => {
    const browser = new Browser(town);
    await browser.login(alice);
    town.clock.now += 7 * MINUTE;
    browser.principal();
    await town.reopen();
    const row = await town.db.sql
      .selectFrom('accounts_session')
      .select('last_seen_at')
      .where('address', '=', alice.address)
      .executeTakeFirstOrThrow();
    expect(row.last_seen_at).toBe(town.clock.now);
  });

  test('sessions are listed and ended one by one, by their owner only', async () => {
    const [laptop, phone, stranger] = [new Browser(town), new Browser(town), new Browser(town)];
    await laptop.login(alice);
    town.clock.now += 1;
    const { credential } = await phone.login(alice);
    await stranger.login(person(key + 0x10000));
    const { sessions, revokeSession } = town.accounts.handlers.session;
    const { list } = await laptop.call(sessions);
    expect(list.map(({ current, ip, userAgent }) => ({ current, ip, userAgent }))).toEqual([
      { current: false, ip: '127.0.0.1', userAgent: 'test' },
      { current: true, ip: '127.0.0.1', userAgent: 'test' },
    ]);
    expect(await refusalOf(stranger.call(revokeSession, { body: { sessionId: credential } }))).toBe('UnknownThing sessionId');
    expect(isLive(phone.bearer)).toBe(true);
    await laptop.call(revokeSession, { body: { sessionId: credential } });
    expect(isLive(phone.bearer)).toBe(false);
    expect(isLive(laptop.bearer)).toBe(true);
  });

  test('an eleventh session ends the oldest', async () => {
    const browsers: Browser[] = [];
    for (let n = 0; n < 11; n++) {
      const browser = new Browser(town);
      await browser.login(alice);
      town.clock.now += 1;
      browsers.push(browser);
    }
    expect(browsers.map((browser) => isLive(browser.bearer))).toEqual([false, ...Array<boolean>(10).fill(true)]);
  });

  test('[L15] the database holds neither tokens nor cookies as they are', async () => {
    const browser = new Browser(town);
    await browser.login(alice);
    const everything = JSON.stringify([
      await town.db.sql.selectFrom('accounts_session').selectAll().execute(),
      await town.db.sql.selectFrom('accounts_access_token').selectAll().execute(),
      await town.db.sql.selectFrom('accounts_refresh_token').selectAll().execute(),
      await town.db.sql.selectFrom('accounts_nonce').selectAll().execute(),
    ]);
    for (const secret of [browser.bearer, ...Object.values(browser.cookies)]) expect(everything).not.toContain(secret);
  });
});

describe('a blocked address', () => {
  const blocked = person(0x0b10c0003);

  test('[L1] gets no nonce and no session', async () => {
    expect(await refusalOf(new Browser(town).nonce(blocked))).toBe('AddressBlocked');
  });

  test('[L1] is known to the engine from the start, so that its deposits are held back', () => {
    expect(town.accounts.directory.find(blocked.address)?.flags.blocked).toBe(true);
  });

  test('[L1] A2: that becomes blocked loses its sessions and keys at once', async () => {
    const browser = new Browser(town);
    const { account, credential } = await browser.login(alice);
    const key = await town.accounts.apiKeys.create({ account, address: alice.address }, { label: 'bot', permission: 'TRADE' });
    expect(typeof town.accounts.authenticator.apiKey(key.accessKey)).toBe('object');
    const pending = await browser.sign(alice, 'login');
    await town.heart.submit({ type: 'SetAccountFlag', account, flag: 'blocked', value: true });
    await expect.poll(() => isLive(browser.bearer)).toBe(false);
    expect(town.accounts.authenticator.apiKey(key.accessKey)).toBe('AddressBlocked');
    await expect.poll(() => town.ended).toEqual(expect.arrayContaining([credential, key.accessKey]));
    expect(await refusalOf(browser.call(town.accounts.handlers.auth.verify, { body: pending }))).toBe('AddressBlocked');
    expect(await refusalOf(browser.nonce(alice))).toBe('AddressBlocked');
  });
});
