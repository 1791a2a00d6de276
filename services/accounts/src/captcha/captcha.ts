/** The captcha of this installation: each answer is taken once, for one action, from one network, for two minutes. */
import { ApiError, CAPTCHA_LIFE_MS, type CaptchaChallenge } from '@orrery/api';
import type { Kysely } from 'kysely';
import type { AccountsTables } from '../tables.ts';
import { geetestLot, type GeetestSite } from './geetest.ts';
import { type CaptchaUse, type CounterRange, newProofOfWork, solvedNonce } from './proof-of-work.ts';

export class Captcha {
  readonly #db: Kysely<AccountsTables>;
  readonly #key: Buffer;
  readonly #now: () => number;
  readonly #geetest: GeetestSite | undefined;
  readonly #counters: CounterRange | undefined;
  readonly #fetch: typeof globalThis.fetch;

  constructor(parts: {
    db: Kysely<AccountsTables>;
    key: Buffer;
    now: () => number;
    geetest: GeetestSite | undefined;
    counters?: CounterRange | undefined;
    fetch?: typeof globalThis.fetch;
  }) {
    this.#db = parts.db;
    this.#key = parts.key;
    this.#now = parts.now;
    this.#geetest = parts.geetest;
    this.#counters = parts.counters;
    this.#fetch = parts.fetch ?? globalThis.fetch;
  }

  async init(use: CaptchaUse): Promise<CaptchaChallenge> {
    if (this.#geetest !== undefined) return { type: 'GEETEST', captchaId: this.#geetest.id, script: this.#geetest.script, challenge: null };
    const challenge = await newProofOfWork(use, { key: this.#key, now: this.#now(), counters: this.#counters });
    return { type: 'ALTCHA', captchaId: null, script: null, challenge };
  }

  /** Uses the answer up. @throws ApiError InvalidCaptcha; Upstream when GeeTest does not answer. */
  async check(answer: string, use: CaptchaUse): Promise<void> {
    const id = await this.#solved(answer, use);
    if (id === undefined || !(await this.#isFirstUse(id))) throw new ApiError('InvalidCaptcha', { field: 'captcha' });
  }

  async forget(): Promise<void> {
    await this.#db.deleteFrom('accounts_captcha').where('expires_at', '<=', this.#now()).execute();
  }

  async #solved(answer: string, use: CaptchaUse): Promise<string | undefined> {
    if (this.#geetest === undefined) return solvedNonce(answer, use, { key: this.#key, now: this.#now() });
    return geetestLot(answer, this.#geetest, this.#fetch).catch((cause: unknown) => {
      throw new ApiError('Upstream', { field: 'the captcha', cause });
    });
  }

  async #isFirstUse(id: string): Promise<boolean> {
    const row = await this.#db
      .insertInto('accounts_captcha')
      // As long again as it is good: it is over by then, whatever second it was made in.
      .values({ id, expires_at: this.#now() + 2 * CAPTCHA_LIFE_MS })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returning('id')
      .executeTakeFirst();
    return row !== undefined;
  }
}
