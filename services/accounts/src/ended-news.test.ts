/** Two processes on one database that cannot be written: what one of them has ended is over in the other, and stays so. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Peers } from '@orrery/foundation';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Browser, openTown, person, refusalOf, type Town } from './testing/town.ts';

const ALICE = person(11);
const SOON = { timeout: 10_000, interval: 5 };
const TABLES = ['accounts_session', 'accounts_refresh_token', 'accounts_api_key'] as const;

/** Carries what one says to the others, unless it is cut. */
class Bus {
  isCut = false;
  readonly messages: string[] = [];
  readonly #listeners = new Set<(message: string) => void>();

  join(): Peers {
    let own: ((message: string) => void) | undefined;
    return {
      send: (message) => {
        if (this.isCut) return;
        this.messages.push(message);
        for (const listener of this.#listeners) if (listener !== own) listener(message);
      },
      onMessage: (listener) => {
        own = listener;
        this.#listeners.add(listener);
        return () => void this.#listeners.delete(listener);
      },
    };
  }

  /** As a process that is none of these would. */
  say(message: string): void {
    for (const listener of this.#listeners) listener(message);
  }
}

let bus: Bus;
let here: Town;
let there: Town;
let troubles: unknown[];

beforeEach(async () => {
  bus = new Bus();
  troubles = [];
  here = await openTown({ isShared: true, peers: () => bus.join() });
  here.trouble.to = (error) => void troubles.push(error);
  there = await here.beside();
});
afterEach(async () => {
  await there.close();
  await here.close();
});

/** The database writes none of these tables. */
async function takeAway(): Promise<void> {
  for (const table of TABLES) await here.db.sql.schema.alterTable(table).renameTo(`${table}_away`).execute();
}

async function bringBack(): Promise<void> {
  for (const table of TABLES) await here.db.sql.schema.alterTable(`${table}_away`).renameTo(table).execute();
}

async function signedIn(): Promise<Browser> {
  const browser = new Browser(here);
  await browser.agree(ALICE);
  await browser.login(ALICE);
  await foundAt(there, { token: browser.bearer ?? '' });
  return browser;
}

/** What ends by its token alone, not by its cookie too. */
function dropCookies({ cookies }: Browser): void {
  for (const name of Object.keys(cookies)) cookies[name] = undefined;
}

/** As the gateway looks a credential up. */
async function foundAt({ accounts: { authenticator } }: Town, credential: { token: string } | { accessKey: string }): Promise<string> {
  await authenticator.learn(credential);
  const found = 'token' in credential ? authenticator.session(credential.token) : authenticator.apiKey(credential.accessKey);
  return typeof found === 'string' ? found : 'found';
}

const fileOf = ({ directory }: Town): Promise<string> =>
  readFile(join(directory, 'ended-credentials'), 'utf8').catch((error: NodeJS.ErrnoException) =>
    error.code === 'ENOENT' ? '' : Promise.reject(error),
  );

/** Of sessions, as SQL has it. */
async function liveRows(): Promise<number> {
  const { rows } = await sql<{ live: number }>`select count(*)::int as live from accounts_session where revoked_at is null`.execute(
    here.db.sql,
  );
  return rows[0]?.live ?? -1;
}

test('[A2] a session that one process ends while SQL is away is over in the other at once, and the other writes it when SQL is back', async () => {
  const browser = await signedIn();
  const { bearer: token = '' } = browser;
  const { credential } = browser.principal();
  dropCookies(browser);
  await takeAway();
  await browser.logout().catch(() => undefined);
  await vi.waitFor(() => expect(there.ended).toContain(credential), SOON);
  await vi.waitFor(async () => expect(await fileOf(there)).toBe(`session ${credential}\n`), SOON);
  await bringBack();
  // The row says that it is live. The process which ended it is gone, and nobody has written it yet.
  expect(await liveRows()).toBe(1);
  expect(await foundAt(there, { token })).toBe('SessionExpired');
  // The connection that hears changes is another one, as after an outage: what waits is written first.
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and (query like 'listen %' or query = 'select 1')`.execute(here.db.sql);
  await vi.waitFor(async () => expect(await liveRows()).toBe(0), SOON);
  const third = await here.beside();
  expect(await foundAt(third, { token })).toBe('SessionExpired');
  await third.close();
  await vi.waitFor(async () => expect([await fileOf(here), await fileOf(there)]).toEqual(['', '']), SOON);
});

test('[A2] a process that heard nothing hears it with the next sweep, and no kill of the one that ended it makes it live', async () => {
  const browser = await signedIn();
  const { bearer: token = '' } = browser;
  const { credential } = browser.principal();
  dropCookies(browser);
  bus.isCut = true;
  await takeAway();
  await browser.logout().catch(() => undefined);
  expect(there.ended).toEqual([]);
  bus.isCut = false;
  await here.accounts.sweep();
  expect(there.ended).toEqual([credential]);
  expect(there.accounts.authenticator.session(token)).toBe('SessionExpired');
  expect(troubles.length).toBeGreaterThan(0);
  await bringBack();
  // The one that is killed says and hears nothing more.
  bus.isCut = true;
  await here.kill();
  expect(await liveRows()).toBe(0);
  expect(await foundAt(here, { token })).toBe('SessionExpired');
});

test('[A2] who logs out by cookie alone while SQL cannot say whose it is gets no new tokens at the other process', async () => {
  const browser = await signedIn();
  const { bearer: token = '' } = browser;
  const moved = new Browser(there);
  Object.assign(moved.cookies, browser.cookies);
  browser.bearer = undefined;
  await takeAway();
  await browser.logout().catch(() => undefined);
  await vi.waitFor(async () => expect(await fileOf(there)).toMatch(/^refresh /u), SOON);
  await bringBack();
  expect(await refusalOf(moved.refresh())).toBe('SessionExpired');
  await there.accounts.sweep();
  expect(await foundAt(there, { token })).toBe('SessionExpired');
  expect(await liveRows()).toBe(0);
});

test('[A2] an API key that one process switches off while SQL is away is off in both, and on in both when it is switched on again', async () => {
  const { account, address } = (await signedIn()).principal();
  const owner = { account, address };
  const { accessKey } = await here.accounts.apiKeys.create(owner, { label: 'bot', permission: 'READ' });
  expect(await foundAt(there, { accessKey })).toBe('found');
  await takeAway();
  await expect(here.accounts.apiKeys.setEnabled(owner, { accessKey, enabled: false })).rejects.toThrow();
  await vi.waitFor(() => expect(there.ended).toContain(accessKey), SOON);
  expect(await foundAt(there, { accessKey })).toBe('InvalidApiKey');
  // Who could not switch it on has not switched it on anywhere.
  await expect(here.accounts.apiKeys.setEnabled(owner, { accessKey, enabled: true })).rejects.toThrow();
  await vi.waitFor(
    async () => expect([await fileOf(here), await fileOf(there)]).toEqual([`apiKey ${accessKey}\n`, `apiKey ${accessKey}\n`]),
    SOON,
  );
  await bringBack();
  // What the row says is not believed yet.
  await there.accounts.apiKeys.readAgain(accessKey);
  expect(await foundAt(there, { accessKey })).toBe('InvalidApiKey');
  // A process that has not seen the key before, neither.
  const third = await here.beside();
  bus.say(JSON.stringify({ ended: [`apiKey ${accessKey}`] }));
  expect(await foundAt(third, { accessKey })).toBe('InvalidApiKey');
  await here.accounts.apiKeys.setEnabled(owner, { accessKey, enabled: true });
  for (const town of [here, there, third]) {
    await vi.waitFor(async () => expect(await foundAt(town, { accessKey })).toBe('found'), SOON);
    await town.accounts.sweep();
  }
  for (const town of [here, there, third]) expect(await foundAt(town, { accessKey })).toBe('found');
  await third.close();
});

test('both at once: what each has ended is over in both, and many are sent in messages that fit', async () => {
  const [one, two] = [await signedIn(), await signedIn()];
  const moved = new Browser(there);
  moved.bearer = two.bearer;
  const credentials = [one.principal().credential, moved.principal().credential];
  dropCookies(one);
  await takeAway();
  await Promise.allSettled([one.logout(), moved.logout()]);
  await vi.waitFor(
    () => expect([here.ended.toSorted(), there.ended.toSorted()]).toEqual([credentials.toSorted(), credentials.toSorted()]),
    SOON,
  );
  const many = Array.from({ length: 2_500 }, (_, at) => `session s${at}`);
  bus.say(JSON.stringify({ ended: many }));
  bus.messages.length = 0;
  await here.accounts.sweep();
  expect(bus.messages.map((message) => (JSON.parse(message) as { ended: string[] }).ended.length)).toEqual([1_000, 1_000, 502]);
  await bringBack();
  await Promise.all([here.accounts.sweep(), there.accounts.sweep()]);
  expect(await liveRows()).toBe(0);
  await vi.waitFor(async () => expect([await fileOf(here), await fileOf(there)]).toEqual(['', '']), SOON);
});

test('what is no line of the file is not kept, and what is no message is reported', async () => {
  // What can be written leaves the file at once.
  await takeAway();
  bus.say(JSON.stringify({ ended: ['session a\nsession b', 'account 7', 'session good'] }));
  await vi.waitFor(async () => expect(await fileOf(there)).toBe('session good\n'), SOON);
  bus.say('nonsense');
  await vi.waitFor(() => expect(troubles.filter((trouble) => trouble instanceof SyntaxError)).toHaveLength(2), SOON);
  await bringBack();
});
