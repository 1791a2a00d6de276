/** One-time codes to a name: sent seldom, good for one purpose in one browser, and for few tries. What can not be guessed is not counted. */
import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import { ApiError, type CodePurpose } from '@orrery/api';
import { type Kysely, sql, type Transaction } from 'kysely';
import { hashToken } from '../opaque-token.ts';
import type { AccountsTables } from '../tables.ts';
import type { CodeAlarm } from '../code-alarm.ts';
import { type Bound, lockOf, waitOf } from './tries.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export const CODE_LIFE_MS = 5 * MINUTE;
export const TRIES_PER_CODE = 5;
export const SENDS_TO_NAME: readonly Bound[] = [
  { most: 1, perMs: MINUTE },
  { most: 5, perMs: HOUR },
  { most: 10, perMs: DAY },
];
export const SENDS_FROM_NETWORK: readonly Bound[] = [{ most: 20, perMs: HOUR }];
/** Of all together, to names that are nobody's yet and to those of people: a flood of the first keeps nobody out of their own account. */
export const SENDS_OF_ALL = { stranger: { most: 2_000, perMs: HOUR }, known: { most: 6_000, perMs: HOUR } } as const satisfies Record<
  Receiver,
  Bound
>;
/** Of one name, over all browsers, networks and purposes. */
export const WRONG_CODES_OF_NAME: readonly Bound[] = [
  { most: 10, perMs: 15 * MINUTE },
  { most: 30, perMs: DAY },
];
const CODE_DIGITS = 6;
/** While the alarm is on: 40 bits. Without the letters that are taken for digits. */
const LONG_CODE_LENGTH = 8;
const LONG_CODE_LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

export type Purpose = CodePurpose | 'login';
/** Whether the name is somebody's. */
export type Receiver = 'known' | 'stranger';
type Tx = Transaction<AccountsTables>;

/** Which code is meant. */
export interface CodeKey {
  readonly purpose: Purpose;
  /** Of the name: see `Names.markOf`. */
  readonly mark: string;
  /** The secret in the browser's cookie. */
  readonly browser: string;
}

export interface Issued {
  readonly code: string;
  /** False above the bound of all: the answer is the same, so that it says nothing about the name. */
  readonly mayLeave: boolean;
}

type Taken = 'taken' | 'wrong' | 'locked' | { readonly waitMs: number };

export class Codes {
  readonly #db: Kysely<AccountsTables>;
  readonly #key: Buffer;
  readonly #now: () => number;
  readonly #alarm: CodeAlarm;

  /** @param parts.key is not in the database: from a copy of it no code can be found out */
  constructor(parts: { db: Kysely<AccountsTables>; key: Buffer; now: () => number; alarm: CodeAlarm }) {
    this.#db = parts.db;
    this.#key = parts.key;
    this.#now = parts.now;
    this.#alarm = parts.alarm;
  }

  /**
   * A new code, which voids the one before. One at a time for each name and each network: those of others wait for nothing.
   * @param from.network as a keyed hash. @throws ApiError TooManyRequests.
   */
  async issue(key: CodeKey, { network, to }: { network: string; to: Receiver }): Promise<Issued> {
    const code = this.#alarm.isOn ? longCode() : String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0');
    const now = this.#now();
    const fresh = { hash: this.#hash(key, code), browser_hash: hashToken(key.browser), expires_at: now + CODE_LIFE_MS, tries: 0 };
    const { waitMs, mayLeave } = await this.#db.transaction().execute(async (tx) => {
      // Always in this order.
      for (const lock of [`codes to ${key.mark}`, `codes from ${network}`])
        await sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(tx);
      const wait = await this.#sendWait(tx, { mark: key.mark, network, now });
      if (wait > 0) return { waitMs: wait, mayLeave: false };
      // Those under way at once may pass the bound of all by their number.
      const isBelow = (await this.#sentTo(tx, to, now)) < SENDS_OF_ALL[to].most;
      await tx
        .insertInto('accounts_code_sent')
        .values({ mark: key.mark, network, at: now, known: to === 'known' })
        .execute();
      await tx
        .insertInto('accounts_code')
        .values({ purpose: key.purpose, mark: key.mark, ...fresh })
        .onConflict((conflict) => conflict.columns(['purpose', 'mark']).doUpdateSet(fresh))
        .execute();
      return { waitMs: 0, mayLeave: isBelow };
    });
    if (waitMs > 0) throw tooMany(waitMs);
    return { code, mayLeave };
  }

  /**
   * Takes the code: of many who send it at once, one gets through. @throws ApiError InvalidCode, or TooManyRequests after too many wrong ones.
   * @param onLocked is called when this wrong one was the last for a while
   */
  async take(key: CodeKey, code: string, onLocked: () => void): Promise<void> {
    const taken = await this.#db.transaction().execute((tx) => this.#try(tx, key, code));
    if (taken === 'locked') onLocked();
    if (taken === 'wrong' || taken === 'locked') throw new ApiError('InvalidCode');
    if (taken !== 'taken') throw tooMany(taken.waitMs);
  }

  async forget(): Promise<void> {
    const before = this.#now() - DAY;
    await this.#db.deleteFrom('accounts_code').where('expires_at', '<=', this.#now()).execute();
    await this.#db.deleteFrom('accounts_code_sent').where('at', '<=', before).execute();
    // A lock of a day counts from the last wrong code, and those before it are younger than two days.
    await this.#db
      .deleteFrom('accounts_wrong_name_code')
      .where('at', '<=', before - DAY)
      .execute();
  }

  async #try(tx: Tx, key: CodeKey, code: string): Promise<Taken> {
    const now = this.#now();
    await sql`select pg_advisory_xact_lock(hashtextextended(${`code ${key.mark}`}, 0))`.execute(tx);
    const wrong = await tx
      .selectFrom('accounts_wrong_name_code')
      .select('at')
      .where('mark', '=', key.mark)
      .where('at', '>', now - DAY)
      .execute();
    const times = wrong.map(({ at }) => at);
    const waitMs = lockOf(times, WRONG_CODES_OF_NAME, now);
    if (waitMs > 0) return { waitMs };
    const row = await tx
      .selectFrom('accounts_code')
      .selectAll()
      .where('purpose', '=', key.purpose)
      .where('mark', '=', key.mark)
      .executeTakeFirst();
    const isRight = timingSafeEqual(Buffer.from(this.#hash(key, code)), Buffer.from(row?.hash ?? this.#hash(key, '')));
    // No code would be taken here: that is no guess, and counting it would let anybody lock anybody out.
    if (row === undefined || row.expires_at <= now || row.tries >= TRIES_PER_CODE || row.browser_hash !== hashToken(key.browser))
      return 'wrong';
    const own = tx.deleteFrom('accounts_code').where('purpose', '=', key.purpose).where('mark', '=', key.mark);
    if (isRight) {
      await own.execute();
      return 'taken';
    }
    await tx
      .updateTable('accounts_code')
      .set({ tries: row.tries + 1 })
      .where('purpose', '=', key.purpose)
      .where('mark', '=', key.mark)
      .execute();
    await tx.insertInto('accounts_wrong_name_code').values({ mark: key.mark, at: now }).execute();
    this.#alarm.note();
    return lockOf([...times, now], WRONG_CODES_OF_NAME, now) > 0 ? 'locked' : 'wrong';
  }

  async #sendWait(tx: Tx, { mark, network, now }: { mark: string; network: string; now: number }): Promise<number> {
    const sent = tx
      .selectFrom('accounts_code_sent')
      .select('at')
      .where('at', '>', now - DAY);
    const toName = await sent.where('mark', '=', mark).execute();
    const fromNetwork = await sent.where('network', '=', network).execute();
    return Math.max(
      waitOf(
        toName.map(({ at }) => at),
        SENDS_TO_NAME,
        now,
      ),
      waitOf(
        fromNetwork.map(({ at }) => at),
        SENDS_FROM_NETWORK,
        now,
      ),
    );
  }

  async #sentTo(tx: Tx, to: Receiver, now: number): Promise<number> {
    const { count } = await tx
      .selectFrom('accounts_code_sent')
      .select((select) => select.fn.countAll<number>().as('count'))
      .where('known', '=', to === 'known')
      .where('at', '>', now - SENDS_OF_ALL[to].perMs)
      .executeTakeFirstOrThrow();
    return count;
  }

  #hash({ purpose, mark }: CodeKey, code: string): string {
    return createHmac('sha256', this.#key).update(`${purpose}\n${mark}\n${code}`).digest('hex');
  }
}

const longCode = (): string =>
  Array.from({ length: LONG_CODE_LENGTH }, () => LONG_CODE_LETTERS[randomInt(LONG_CODE_LETTERS.length)] ?? '').join('');

const tooMany = (waitMs: number): ApiError => new ApiError('TooManyRequests', { retryAfterSeconds: Math.ceil(waitMs / 1_000) });
