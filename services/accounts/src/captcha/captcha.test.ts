import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../../../exchange/src/database.ts';
import { temporaryDatabase } from '../../../../exchange/src/testing/temporary-database.ts';
import { CAPTCHA_LIFE_MS, type ProofOfWork } from '@orrery/api';
import { migrations } from '../migrations.ts';
import type { AccountsTables } from '../tables.ts';
import { encoded, solutionOf, solved } from '../testing/solve.ts';
import { refusalOf } from '../testing/town.ts';
import { Captcha } from './captcha.ts';
import { COUNTERS } from './proof-of-work.ts';

const USE = { action: 'code', network: 'home' } as const;
let db: Database<AccountsTables>;
beforeAll(async () => {
  db = await temporaryDatabase<AccountsTables>(migrations);
});
afterAll(() => db.close());

const clock = { now: 1_795_000_000_000 };
const captcha = (key = 'k') => new Captcha({ db: db.sql, key: Buffer.from(key), now: () => clock.now, geetest: undefined });
const INVALID = 'InvalidCaptcha captcha';

describe('[A1] the proof of work', () => {
  test('is solved within its counters, and its answer is taken once: of 20 that send it at once, one gets through', async () => {
    const challenge = await captcha().init(USE);
    const answer = solved(challenge);
    const { solution } = JSON.parse(Buffer.from(answer, 'base64').toString()) as { solution: { counter: number } };
    expect(solution.counter).toBeGreaterThanOrEqual(COUNTERS[0]);
    expect(solution.counter).toBeLessThanOrEqual(COUNTERS[1]);
    const answers = await Promise.all(Array.from({ length: 20 }, () => refusalOf(captcha().check(answer, USE))));
    expect(answers.filter((refusal) => refusal === undefined)).toHaveLength(1);
    expect(answers.filter((refusal) => refusal === INVALID)).toHaveLength(19);
  });

  test('is good for its action, its network, its two minutes and its installation', async () => {
    const answer = solved(await captcha().init(USE));
    expect(await refusalOf(captcha().check(answer, { ...USE, action: 'login' }))).toBe(INVALID);
    expect(await refusalOf(captcha().check(answer, { ...USE, network: 'elsewhere' }))).toBe(INVALID);
    expect(await refusalOf(captcha('another').check(answer, USE))).toBe(INVALID);
    clock.now += CAPTCHA_LIFE_MS;
    expect(await refusalOf(captcha().check(answer, USE))).toBe(INVALID);
  });

  test('one field changed at a time, a guess, and what is no answer at all, are refused', async () => {
    const { challenge } = await captcha().init(USE);
    if (challenge === null) throw new Error('no challenge');
    const solution = solutionOf(challenge);
    const changed = (change: Partial<ProofOfWork['parameters']>): string =>
      encoded({ challenge: { ...challenge, parameters: { ...challenge.parameters, ...change } }, solution });
    const wrong = [
      changed({ cost: 1 }),
      changed({ keyPrefix: '00' }),
      changed({ expiresAt: challenge.parameters.expiresAt + 600 }),
      changed({ data: { action: 'login', network: 'home' } }),
      changed({ nonce: '00' }),
      encoded({ challenge, solution: { ...solution, counter: solution.counter + 1 } }),
      encoded({ challenge, solution: { ...solution, derivedKey: challenge.parameters.keyPrefix } }),
      encoded({ challenge, solution: { ...solution, counter: -1 } }),
      encoded({ challenge: { ...challenge, signature: '' }, solution }),
      encoded({ challenge: null, solution }),
      encoded([]),
      encoded('x'),
      'AAAA',
    ];
    for (const answer of wrong) expect(await refusalOf(captcha().check(answer, USE)), answer).toBe(INVALID);
    expect(await refusalOf(captcha().check(encoded({ challenge, solution }), USE))).toBe(undefined);
  });
});

describe('[A1] GeeTest', () => {
  const answer = (lot: string): string => encoded({ lot_number: lot, captcha_output: 'o', pass_token: 'p', gen_time: '1' });
  const asked: string[] = [];
  const site = { id: 'site', key: 'secret', script: 'https://static.example/gt4.js', api: 'https://api.example' };
  const geetest = (result: () => Response) =>
    new Captcha({
      db: db.sql,
      key: Buffer.from('k'),
      now: () => clock.now,
      geetest: site,
      fetch: (url, init) => {
        expect(url).toBe('https://api.example/validate?captcha_id=site');
        asked.push(init?.body instanceof URLSearchParams ? init.body.toString() : '');
        return Promise.resolve(result());
      },
    });

  test('is asked with the signed lot number, and a lot is taken once', async () => {
    const good = geetest(() => Response.json({ result: 'success' }));
    expect(await good.init(USE)).toEqual({ type: 'GEETEST', captchaId: 'site', script: site.script, challenge: null });
    await good.check(answer('lot-1'), USE);
    expect(asked.at(-1)).toMatch(/^lot_number=lot-1&captcha_output=o&pass_token=p&gen_time=1&sign_token=[0-9a-f]{64}$/);
    expect(await refusalOf(good.check(answer('lot-1'), USE))).toBe(INVALID);
  });

  test('what it does not take is refused, and without its answer nothing is taken', async () => {
    expect(await refusalOf(geetest(() => Response.json({ result: 'fail' })).check(answer('lot-2'), USE))).toBe(INVALID);
    expect(await refusalOf(geetest(() => new Response('', { status: 502 })).check(answer('lot-3'), USE))).toBe('Upstream the captcha');
    expect(await refusalOf(geetest(() => Response.json({ result: 'success' })).check(encoded({ lot_number: 7 }), USE))).toBe(INVALID);
  });
});
