/** Whether a name is known shows neither in an answer nor in the work for it. */
import { ApiError, type CodePurpose } from '@orrery/api';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { Captcha } from './captcha/captcha.ts';
import { slowHash } from './slow-hash.ts';
import { Browser, openTown, type Town } from './testing/town.ts';

vi.mock(import('./slow-hash.ts'), async (original) => {
  const real = await original();
  return { ...real, slowHash: vi.fn(real.slowHash) };
});

const PASSWORD = 'correct horse battery';
/** Checked before a name is looked up; solving one takes longer than all else here. */
const CAPTCHA = 'solved';
const TRIES = 20;
const HOUR = 3_600_000;
const PEOPLE = Array.from({ length: TRIES }, (_, index) => index);
const KNOWN = PEOPLE.map((index) => `known-${index}@example.org`);
const UNKNOWN = PEOPLE.map((index) => `nobody-${index}@example.org`);

let town: Town;
let count = 0;

function newBrowser(): Browser {
  count += 1;
  const fresh = new Browser(town);
  fresh.ip = `10.9.${count >> 8}.${count & 255}`;
  fresh.neighbourhood = `10.9.${count >> 8}.0/24`;
  return fresh;
}

const name = () => town.accounts.handlers.name;
const send = async (of: Browser, purpose: CodePurpose, username: string) =>
  of.call(name().sendCode, { body: { purpose, username, captcha: CAPTCHA } });
const lettersTo = (to: string): string[] => town.sent.filter((message) => message.to === to).map(({ text }) => text);

async function register(username: string): Promise<void> {
  const browser = newBrowser();
  await send(browser, 'register', username);
  await vi.waitFor(() => expect(lettersTo(username)).toHaveLength(1));
  const code = /\d{6}/.exec(lettersTo(username)[0] ?? '')?.[0] ?? '';
  await browser.call(name().register, { body: { username, password: PASSWORD, code } });
}

beforeAll(async () => {
  vi.spyOn(Captcha.prototype, 'check').mockResolvedValue();
  town = await openTown();
  for (const username of KNOWN) await register(username);
}, 60_000);
afterAll(async () => {
  vi.restoreAllMocks();
  await town.close();
});
beforeEach(() => {
  town.clock.now += HOUR;
});

/** What a caller sees of an answer: its status, its body, how long it must wait, and which cookies were set. */
async function seenBy(browser: Browser, call: Promise<unknown>): Promise<string> {
  const answer = await call.then(
    (body) => ({ status: 200, body }),
    (error: unknown) => {
      if (!(error instanceof ApiError)) throw error;
      const { status, code, message, data, retryAfterSeconds } = error;
      return { status, body: { code, message, data }, retryAfterSeconds };
    },
  );
  return JSON.stringify({ ...answer, cookies: Object.keys(browser.cookies).toSorted() });
}

const TABLES = [
  'accounts_code',
  'accounts_code_sent',
  'accounts_password_try',
  'accounts_wrong_name_code',
  'accounts_pending_login',
] as const;

async function rows(): Promise<Record<string, number>> {
  const counted: Record<string, number> = {};
  for (const table of TABLES) {
    const { n } = await town.db.sql
      .selectFrom(table)
      .select((select) => select.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow();
    counted[table] = n;
  }
  return counted;
}

interface Work {
  readonly hashes: number;
  readonly letters: number;
  readonly rows: Readonly<Record<string, number>>;
}

async function workOf(names: readonly string[], call: (username: string) => Promise<string>): Promise<{ seen: string[]; work: Work }> {
  await town.accounts.sweep();
  const before = await rows();
  vi.mocked(slowHash).mockClear();
  const letters = (): number => names.reduce((sum, username) => sum + lettersTo(username).length, 0);
  const lettersBefore = letters();
  const seen: string[] = [];
  for (const username of names) seen.push(await call(username));
  // The outbox sends in turn: a letter that is put last is sent after all before it.
  await send(newBrowser(), 'register', `last-${count}@example.org`);
  await vi.waitFor(() => expect(lettersTo(`last-${count}@example.org`)).toHaveLength(1));
  const after = await rows();
  const added = Object.fromEntries(TABLES.map((table) => [table, (after[table] ?? 0) - (before[table] ?? 0)]));
  return { seen, work: { hashes: vi.mocked(slowHash).mock.calls.length, letters: letters() - lettersBefore, rows: added } };
}

const login = async (username: string): Promise<string> => {
  const browser = newBrowser();
  return seenBy(browser, browser.call(name().loginFirst, { body: { username, password: 'wrong password' } }));
};
const sendFor = (purpose: CodePurpose) => async (username: string) => {
  const browser = newBrowser();
  return seenBy(browser, send(browser, purpose, username));
};
const emailLogin = async (username: string): Promise<string> => {
  const browser = newBrowser();
  const body = { email: username, captcha: CAPTCHA };
  return seenBy(browser, browser.call(name().emailLoginSend, { body }));
};
const reset = async (username: string): Promise<string> => {
  const browser = newBrowser();
  await send(browser, 'reset', username);
  return seenBy(browser, browser.call(name().reset, { body: { username, password: 'another good one', code: '000000' } }));
};
const registerWrongly = async (username: string): Promise<string> => {
  const browser = newBrowser();
  await send(browser, 'register', username);
  return seenBy(browser, browser.call(name().register, { body: { username, password: PASSWORD, code: '000000' } }));
};

describe('[A1] a known and an unknown name', () => {
  test.each([
    { what: 'a login by a wrong password', call: login, hashes: TRIES, letters: 0, status: 401 },
    { what: 'a code to register', call: sendFor('register'), hashes: 0, letters: TRIES, status: 200 },
    { what: 'a code to reset', call: sendFor('reset'), hashes: 0, letters: TRIES, status: 200 },
    { what: 'a code to bind', call: sendFor('bind'), hashes: 0, letters: TRIES, status: 200 },
    { what: 'a code to log in by e-mail', call: emailLogin, hashes: 0, letters: TRIES, status: 200 },
    { what: 'a reset by a wrong code', call: reset, hashes: 0, letters: TRIES, status: 401 },
    { what: 'a registration by a wrong code', call: registerWrongly, hashes: 0, letters: TRIES, status: 401 },
  ])('$what: status, body, hashes, code rows and letters are the same', { timeout: 60_000 }, async ({ call, hashes, letters, status }) => {
    const known = await workOf(KNOWN, call);
    town.clock.now += HOUR;
    const unknown = await workOf(UNKNOWN, call);
    expect(new Set([...known.seen, ...unknown.seen])).toEqual(new Set([known.seen[0]]));
    expect(known.seen[0]).toContain(`"status":${status}`);
    expect(known.work).toEqual(unknown.work);
    expect(known.work).toMatchObject({ hashes, letters });
  });
});
