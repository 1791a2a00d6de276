import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../../../exchange/src/database.ts';
import { temporaryDatabase } from '../../../../exchange/src/testing/temporary-database.ts';
import { migrations } from '../migrations.ts';
import type { AccountsTables } from '../tables.ts';
import { refusalOf } from '../testing/town.ts';
import { ALARM_MS, CodeAlarm, WRONG_CODES_IN_A_MINUTE } from '../code-alarm.ts';
import {
  CODE_LIFE_MS,
  type CodeKey,
  Codes,
  SENDS_FROM_NETWORK,
  SENDS_OF_ALL,
  SENDS_TO_NAME,
  TRIES_PER_CODE,
  WRONG_CODES_OF_NAME,
} from './codes.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
let db: Database<AccountsTables>;
let codes: Codes;
const clock = { now: 1_795_000_000_000 };
let count = 0;
let key: CodeKey;
let locked = 0;
beforeAll(async () => {
  db = await temporaryDatabase<AccountsTables>(migrations);
  const onTrouble = (error: unknown): never => {
    throw error;
  };
  const base = { db: db.sql, now: () => clock.now };
  codes = new Codes({ ...base, key: Buffer.from('pepper'), alarm: new CodeAlarm({ ...base, onTrouble }) });
});
afterAll(() => db.close());
beforeEach(() => {
  count += 1;
  clock.now += DAY;
  locked = 0;
  key = { purpose: 'login', mark: `name-${count}`, browser: `browser-${count}` };
});

const issue = async (of: CodeKey, network: string): Promise<string> => (await codes.issue(of, { network, to: 'stranger' })).code;
const take = (code: string, of: CodeKey = key) => refusalOf(codes.take(of, code, () => (locked += 1)));
const wrongOf = (code: string): string => (code === '111111' ? '222222' : '111111');

test('the numbers of the limits', () => {
  expect({ CODE_LIFE_MS, TRIES_PER_CODE, SENDS_TO_NAME, SENDS_FROM_NETWORK, SENDS_OF_ALL, WRONG_CODES_OF_NAME }).toEqual({
    CODE_LIFE_MS: 5 * MINUTE,
    TRIES_PER_CODE: 5,
    SENDS_TO_NAME: [
      { most: 1, perMs: MINUTE },
      { most: 5, perMs: HOUR },
      { most: 10, perMs: DAY },
    ],
    SENDS_FROM_NETWORK: [{ most: 20, perMs: HOUR }],
    SENDS_OF_ALL: { stranger: { most: 2_000, perMs: HOUR }, known: { most: 6_000, perMs: HOUR } },
    WRONG_CODES_OF_NAME: [
      { most: 10, perMs: 15 * MINUTE },
      { most: 30, perMs: DAY },
    ],
  });
});

describe('[L10] a code', () => {
  test('is six digits, is stored as a hash, and is taken once', async () => {
    const code = await issue(key, 'home');
    expect(code).toMatch(/^[0-9]{6}$/);
    expect(JSON.stringify(await db.sql.selectFrom('accounts_code').selectAll().execute())).not.toContain(code);
    expect([await take(code), await take(code)]).toEqual([undefined, 'InvalidCode']);
  });

  test('of 20 that send it at once, one gets through', async () => {
    const code = await issue(key, 'home');
    const answers = await Promise.all(Array.from({ length: 20 }, () => take(code)));
    expect(answers.filter((refusal) => refusal === undefined)).toHaveLength(1);
  });

  test('after five wrong ones the right one is not taken either', async () => {
    const code = await issue(key, 'home');
    for (let tries = 0; tries < TRIES_PER_CODE; tries += 1) expect(await take(wrongOf(code))).toBe('InvalidCode');
    expect(await take(code)).toBe('InvalidCode');
  });

  test('is void for another purpose, name and browser, after its life, and when a newer one was sent', async () => {
    const code = await issue(key, 'home');
    expect(await take(code, { ...key, purpose: 'reset' })).toBe('InvalidCode');
    expect(await take(code, { ...key, mark: 'another' })).toBe('InvalidCode');
    expect(await take(code, { ...key, browser: 'another' })).toBe('InvalidCode');
    clock.now += MINUTE;
    let newer = await issue(key, 'home');
    while (newer === code) {
      clock.now += 12 * MINUTE;
      newer = await issue(key, 'home');
    }
    expect(await take(code)).toBe('InvalidCode');
    clock.now += CODE_LIFE_MS;
    expect(await take(newer)).toBe('InvalidCode');
  });

  test('is sent once a minute, five times an hour and ten times a day to a name, however many ask at once', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => refusalOf(issue(key, 'home'))));
    expect(answers.filter((refusal) => refusal === undefined)).toHaveLength(1);
    let sent = 1;
    const perHour: number[] = [];
    for (let minute = 1; minute < 24 * 60; minute += 1) {
      clock.now += MINUTE;
      if ((await refusalOf(issue(key, 'home'))) === undefined) sent += 1;
      if (minute === 59) perHour.push(sent);
    }
    expect([perHour, sent]).toEqual([[5], 10]);
  }, 60_000);

  test('is sent 20 times an hour from one network, to whatever names', async () => {
    const answers: unknown[] = [];
    for (let other = 0; other < 21; other += 1)
      answers.push(await refusalOf(issue({ ...key, mark: `${key.mark}-${other}` }, `net-${count}`)));
    expect(answers.filter((refusal) => refusal === undefined)).toHaveLength(20);
    expect(answers.at(-1)).toBe('TooManyRequests');
  });
});

describe('[L10] a flood of codes to names that are nobody’s', () => {
  async function flood(): Promise<void> {
    const rows = Array.from({ length: 2_000 }, (_, nth) => ({
      mark: `flooded-${count}-${nth}`,
      network: `flood-${count}-${nth % 100}`,
      at: clock.now,
    }));
    await db.sql.insertInto('accounts_code_sent').values(rows).execute();
  }

  test('from a hundred networks keeps nobody out of their own account; the answers are the same for all', async () => {
    await flood();
    expect(await codes.issue(key, { network: `home-${count}`, to: 'known' })).toMatchObject({ mayLeave: true });
    const stranger = { ...key, mark: `${key.mark}-stranger` };
    expect(await codes.issue(stranger, { network: `home-${count}`, to: 'stranger' })).toMatchObject({ mayLeave: false });
    clock.now += HOUR;
    expect(await codes.issue(stranger, { network: `home-${count}`, to: 'stranger' })).toMatchObject({ mayLeave: true });
  });

  test('holds up no other name: there is no lock that all wait for', async () => {
    const held = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const locks = ['codes sent', 'codes to somebody', 'codes from elsewhere'];
    const holding = db.sql.transaction().execute(async (tx) => {
      for (const lock of locks) await sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(tx);
      begun.resolve();
      await held.promise;
    });
    await begun.promise;
    expect(await codes.issue(key, { network: `home-${count}`, to: 'known' })).toMatchObject({ mayLeave: true });
    held.resolve();
    await holding;
  }, 10_000);
});

describe('[L10] guesses', () => {
  test('of 1,000 over browsers and networks within a day, 30 are looked at, with a wait after each ten', async () => {
    const looked = async (): Promise<number> =>
      (await db.sql.selectFrom('accounts_wrong_name_code').selectAll().where('mark', '=', key.mark).execute()).length;
    const waitsAt = new Set<number>();
    let tries = 0;
    // The guesser is patient: a new code where one is sent, and the wait where there is one, until the day is over.
    for (const end = clock.now + DAY - 2 * HOUR; clock.now < end; clock.now += 13 * MINUTE) {
      const of = { ...key, browser: `browser-${count}-${tries}` };
      const code = await issue(of, `net-${count}-${tries}`).catch(() => undefined);
      for (const guess of code === undefined ? [] : Array.from({ length: TRIES_PER_CODE }, () => wrongOf(code))) {
        tries += 1;
        if ((await take(guess, of)) === 'TooManyRequests') waitsAt.add(await looked());
      }
    }
    expect(await looked()).toBe(30);
    for (; tries < 1_000; tries += 1)
      expect(await take('111111', { ...key, browser: `browser-${count}-${tries}` })).toBe('TooManyRequests');
    expect(await looked()).toBe(30);
    expect(waitsAt).toContain(30);
    expect(locked).toBeGreaterThanOrEqual(3);
  }, 120_000);

  test('what no code could make right is not counted: nobody locks another out by it', async () => {
    for (let tried = 0; tried < 50; tried += 1) expect(await take('111111', { ...key, browser: `stranger-${tried}` })).toBe('InvalidCode');
    const code = await issue(key, 'home');
    for (let tried = 0; tried < 50; tried += 1) expect(await take('111111', { ...key, browser: `stranger-${tried}` })).toBe('InvalidCode');
    expect(await take(code)).toBe(undefined);
  });
});

describe('[L10] more than 300 wrong codes in a minute, over all names', () => {
  let guessed = 0;
  /** Each of another name and network: none of their bounds is reached. */
  async function guess(times: number, perMs: number): Promise<void> {
    for (const end = guessed + times; guessed < end; guessed += 1) {
      const of = { ...key, mark: `guessed-${guessed}`, browser: `guesser-${guessed}` };
      const code = await issue(of, `net-of-${guessed}`);
      clock.now += perMs;
      expect(await take(wrongOf(code), of)).toBe('InvalidCode');
    }
  }

  test('make codes eight letters and digits for ten minutes, which are taken as they were sent', async () => {
    await guess(WRONG_CODES_IN_A_MINUTE, 1);
    expect(await issue({ ...key, mark: `${key.mark}-last` }, 'net')).toMatch(/^\d{6}$/);
    await guess(1, MINUTE);
    expect(await issue({ ...key, mark: `${key.mark}-slow` }, 'net')).toMatch(/^\d{6}$/);
    clock.now += DAY;
    await guess(WRONG_CODES_IN_A_MINUTE + 1, 1);
    const code = await issue(key, 'home');
    expect(code).toMatch(/^[A-Z2-9]{8}$/);
    expect(await take(code.toLowerCase())).toBe('InvalidCode');
    expect(await take(code)).toBeUndefined();
    clock.now += ALARM_MS;
    expect(await issue(key, 'home')).toMatch(/^\d{6}$/);
  }, 60_000);

  test('that come more slowly than that change nothing', async () => {
    await guess(WRONG_CODES_IN_A_MINUTE + 50, 250);
    expect(await issue(key, 'home')).toMatch(/^\d{6}$/);
  }, 60_000);
});
