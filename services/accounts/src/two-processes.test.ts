/** Two processes on one database agree: what one gives out the other takes, and what one ends is over in the other. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { generate } from 'otplib';
import { Browser, openTown, person, refusalOf, type Town } from './testing/town.ts';

const ALICE = person(11);
const SOON = { timeout: 10_000, interval: 5 };

let here: Town;
let there: Town;

beforeEach(async () => {
  here = await openTown({ isShared: true });
  there = await here.beside();
});
afterEach(async () => {
  await there.close();
  await here.close();
});

/** The same browser, whose next call reaches the other process. */
function at(town: Town, browser: Browser): Browser {
  const moved = new Browser(town);
  moved.bearer = browser.bearer;
  Object.assign(moved.cookies, browser.cookies);
  return moved;
}

async function signedIn(town: Town): Promise<Browser> {
  const browser = new Browser(town);
  await browser.agree(ALICE);
  await browser.login(ALICE);
  return browser;
}

/** As the gateway looks a credential up. */
async function foundAt({ accounts: { authenticator } }: Town, credential: { token: string } | { accessKey: string }): Promise<string> {
  await authenticator.learn(credential);
  const found = 'token' in credential ? authenticator.session(credential.token) : authenticator.apiKey(credential.accessKey);
  return typeof found === 'string' ? found : 'found';
}

describe('sessions', () => {
  test('one that is opened in one process is known in the other at its first call', async () => {
    const { bearer = '' } = await signedIn(here);
    expect(await foundAt(there, { token: bearer })).toBe('found');
    expect(await foundAt(there, { token: 'f'.repeat(43) })).toBe('SessionExpired');
  });

  test('[A2] one that logs out in one process is over in the other, where its open streams are closed', async () => {
    const browser = await signedIn(here);
    const { bearer = '' } = browser;
    expect(await foundAt(there, { token: bearer })).toBe('found');
    const { credential } = browser.principal();
    await browser.logout();
    await vi.waitFor(() => expect(there.ended).toContain(credential), SOON);
    expect(await foundAt(there, { token: bearer })).toBe('SessionExpired');
  });

  test('[A2] whose a stream ticket is, is found by the row of a session that another process opened, and its end is announced', async () => {
    const browser = await signedIn(here);
    const { account, via, credential } = browser.principal();
    expect(await there.accounts.authenticator.holder({ account, via, credential })).toMatchObject({ account, via, credential });
    await browser.logout();
    await vi.waitFor(() => expect(there.ended).toContain(credential), SOON);
    expect(await there.accounts.authenticator.holder({ account, via, credential })).toBe('SessionExpired');
    expect(await there.accounts.authenticator.holder({ account, via: 'apiKey', credential: 'no-such-key' })).toBe('InvalidApiKey');
  });

  test('tokens are refreshed by whichever process is called, and of many calls with one refresh token at both none revives an ended session', async () => {
    const browser = await signedIn(here);
    const moved = at(there, browser);
    await moved.refresh();
    expect(await foundAt(here, { token: moved.bearer ?? '' })).toBe('found');
    const tries = [here, there, here, there].map((town) => at(town, moved));
    await Promise.allSettled(tries.map((each) => each.refresh()));
    const { credential } = moved.principal();
    // The first refresh token is used a while ago: this is a thief.
    here.clock.now += 60_000;
    expect(await refusalOf(at(there, browser).refresh())).toBe('SessionExpired');
    await vi.waitFor(() => expect(here.ended).toContain(credential), SOON);
    for (const each of tries) expect(await foundAt(here, { token: each.bearer ?? '' })).toBe('SessionExpired');
  });

  test('an account has at most ten, counted over both', async () => {
    await signedIn(here);
    for (let n = 0; n < 11; n += 1) {
      const browser = new Browser(n % 2 === 0 ? there : here);
      here.clock.now += 1_000;
      await browser.login(ALICE);
    }
    const browser = new Browser(here);
    await browser.login(ALICE);
    const { list } = await browser.call(here.accounts.handlers.session.sessions);
    expect(list).toHaveLength(10);
  });
});

describe('API keys', () => {
  const make = async (town: Town, browser: Browser, label: string) =>
    browser.call(town.accounts.handlers.apiKey.createApiKey, { body: await browser.signKey(ALICE, { label, permission: 'READ' }) });

  test('[A2] one that is made in one process is known in the other, is changed there, and is over here when it is deleted there', async () => {
    const browser = await signedIn(here);
    const { accessKey } = await make(here, browser, 'bot');
    expect(await foundAt(there, { accessKey })).toBe('found');
    const moved = at(there, browser);
    await foundAt(there, { token: moved.bearer ?? '' });
    await moved.call(there.accounts.handlers.apiKey.updateApiKey, { body: { accessKey, label: 'renamed' } });
    const labels = async () => (await browser.call(here.accounts.handlers.apiKey.apiKeys)).list.map(({ label }) => label);
    await vi.waitFor(async () => expect(await labels()).toEqual(['renamed']), SOON);
    await moved.call(there.accounts.handlers.apiKey.deleteApiKey, { body: { accessKey } });
    await vi.waitFor(() => expect(here.ended).toContain(accessKey), SOON);
    expect(await foundAt(here, { accessKey })).toBe('InvalidApiKey');
  });

  test('[A2] of which one process narrows the addresses while the other changes its name has both; and no address comes back', async () => {
    const { address, account } = (await signedIn(here)).principal();
    const owner = { account, address };
    const { accessKey } = await here.accounts.apiKeys.create(owner, { label: 'bot', permission: 'READ' });
    await foundAt(there, { accessKey });
    const lists = () => [here, there].map(({ accounts }) => accounts.apiKeys.list(account).map(({ label, ipList }) => [label, ...ipList]));
    let label = 'bot';
    for (let round = 0; round < 12; round += 1) {
      const [narrowing, naming] = round % 2 === 0 ? [here, there] : [there, here];
      await narrowing.accounts.apiKeys.update(owner, { accessKey, ipList: ['10.0.0.1', '10.0.0.2'] });
      const wide = [[label, '10.0.0.1', '10.0.0.2']];
      await vi.waitFor(() => expect(lists()).toEqual([wide, wide]), SOON);
      label = `name ${round}`;
      await Promise.all([
        narrowing.accounts.apiKeys.update(owner, { accessKey, ipList: ['10.0.0.1'] }),
        naming.accounts.apiKeys.update(owner, { accessKey, label }),
      ]);
      const both = [[label, '10.0.0.1']];
      await vi.waitFor(() => expect(lists()).toEqual([both, both]), SOON);
    }
  });

  test('an account has at most thirty, however many are made at once in both', async () => {
    const { address, account } = (await signedIn(here)).principal();
    const wishes = Array.from({ length: 40 }, (_, n) =>
      (n % 2 === 0 ? here : there).accounts.apiKeys.create({ account, address }, { label: `bot ${n}`, permission: 'READ' }),
    );
    const made = (await Promise.allSettled(wishes)).filter(({ status }) => status === 'fulfilled');
    expect(made).toHaveLength(30);
  });
});

describe('factors and names', () => {
  test('an app that is bound in one process is asked for in the other, a code is taken once by both, and the hold is known', async () => {
    const browser = await signedIn(here);
    const { account } = browser.principal();
    const { secret } = await browser.call(here.accounts.handlers.security.googleSecret);
    const code = (): Promise<string> => generate({ secret, epoch: Math.floor(here.clock.now / 1_000) });
    await browser.call(here.accounts.handlers.security.bindGoogle, {
      body: { ...(await browser.sign(ALICE, 'security')), code: await code() },
    });
    const check = { principal: browser.principal(), origin: 'http://localhost:8080' };
    expect(await refusalOf(there.accounts.authenticator.checkChange({ ...check, given: {} }))).toBe('MissingField google');
    here.clock.now += 60_000;
    const given = { google: await code() };
    const tries = Array.from({ length: 8 }, (_, n) => (n % 2 === 0 ? here : there).accounts.authenticator.checkChange({ ...check, given }));
    const taken = (await Promise.allSettled(tries)).filter(({ status }) => status === 'fulfilled');
    expect(taken).toHaveLength(1);
    await vi.waitFor(() => expect(there.accounts.authenticator.levelOf(account)).toBe(2), SOON);
  });
});

describe('a connection that hears changes and is cut', () => {
  test('what ended meanwhile is over as soon as it is there again, and nothing is believed before', async () => {
    const browser = await signedIn(here);
    const { bearer = '' } = browser;
    expect(await foundAt(there, { token: bearer })).toBe('found');
    const { credential } = browser.principal();
    // Both listeners, and the row changes while nobody hears.
    await here.db.counts.query(
      `with cut as (select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'listen %' or query = 'select 1')
       select count(*) from cut`,
    );
    await here.db.sql.updateTable('accounts_session').set({ revoked_at: here.clock.now }).where('session_id', '=', credential).execute();
    await vi.waitFor(() => expect(there.ended).toContain(credential), SOON);
    await vi.waitFor(async () => expect(await foundAt(there, { token: bearer })).toBe('SessionExpired'), SOON);
  });
});
