/** The authenticator app of an account: RFC 6238 with SHA-1, six digits and steps of 30 s, by the server's clock. A code is taken once. */
import { ApiError } from '@orrery/api';
import { type AccountId, accountId } from '@orrery/units';
import { type Kysely, sql, type Transaction } from 'kysely';
import { generateSecret, generateURI, verify } from 'otplib';
import type { CodeAlarm } from '../code-alarm.ts';
import type { PersonKeys } from '../person-keys.ts';
import type { AccountsTables } from '../tables.ts';

export const TOTP_STEP_MS = 30_000;
/** A secret that was shown and not bound is forgotten. */
export const SECRET_LIFE_MS = 10 * 60_000;
/** Wrong codes of one account, whatever session they come by. */
export const WRONG_CODES = [
  { most: 5, perMs: 15 * 60_000 },
  { most: 20, perMs: 24 * 3_600_000 },
] as const;
const ISSUER = 'Orrery';
const WRONG_CODE_KEPT_MS = 24 * 3_600_000;

type Tx = Transaction<AccountsTables>;
type Answer = 'taken' | 'wrong' | { readonly waitMs: number };

export class Totp {
  readonly #db: Kysely<AccountsTables>;
  readonly #keys: PersonKeys;
  readonly #now: () => number;
  readonly #wallMs: () => number;
  readonly #alarm: CodeAlarm;
  /** Whether a second step is needed is answered from memory, so that no failure of SQL lets anybody past it. */
  readonly #bound = new Set<AccountId>();

  constructor(parts: { db: Kysely<AccountsTables>; keys: PersonKeys; now: () => number; wallMs: () => number; alarm: CodeAlarm }) {
    this.#db = parts.db;
    this.#keys = parts.keys;
    this.#now = parts.now;
    this.#wallMs = parts.wallMs;
    this.#alarm = parts.alarm;
  }

  async load(): Promise<void> {
    await this.#takeOver();
    await this.readAgain();
  }

  /** As the row says, whatever memory has. @param account undefined: of all */
  async readAgain(account?: AccountId): Promise<void> {
    const rows = await this.#db
      .selectFrom('accounts_totp')
      .select('account')
      .where('bound_at', 'is not', null)
      .$if(account !== undefined, (of) => of.where('account', '=', account ?? 0))
      .execute();
    if (account === undefined) this.#bound.clear();
    else this.#bound.delete(account);
    for (const row of rows) this.#bound.add(accountId(row.account));
  }

  isBound(account: AccountId): boolean {
    return this.#bound.has(account);
  }

  /** A fresh secret of 160 bits, to be bound within ten minutes; it replaces one that was not bound. The app that is bound stays until then. */
  async begin(account: AccountId, label: string): Promise<{ secret: string; uri: string }> {
    const secret = generateSecret();
    const pending = { pending_secret: await this.#encrypt(account, secret), pending_until: this.#now() + SECRET_LIFE_MS };
    await this.#db
      .insertInto('accounts_totp')
      .values({ account, sealed_secret: null, bound_at: null, last_step: 0, under_person_key: true, ...pending })
      .onConflict((conflict) => conflict.column('account').doUpdateSet(pending))
      .execute();
    return { secret, uri: generateURI({ issuer: ISSUER, label, secret }) };
  }

  /**
   * Binds the pending secret, whose code this is. @throws ApiError InvalidCode, or TooManyRequests after too many wrong ones.
   * @param together is written with it or not at all
   */
  async bind(account: AccountId, code: string, together: (tx: Transaction<AccountsTables>) => Promise<void>): Promise<void> {
    await this.#attempt(account, async (tx, row) => {
      if (row.pending_secret === null || (row.pending_until ?? 0) <= this.#now()) return false;
      const secret = await this.#decrypt(account, row.pending_secret);
      const step = secret === undefined ? undefined : await this.#stepOf({ secret, code, after: 0, steps: 1 });
      if (step === undefined) return false;
      const bound = { sealed_secret: row.pending_secret, bound_at: this.#now(), last_step: step };
      await tx
        .updateTable('accounts_totp')
        .set({ ...bound, pending_secret: null, pending_until: null })
        .where('account', '=', account)
        .execute();
      await together(tx);
      return true;
    });
    this.#bound.add(account);
  }

  /**
   * Takes the code of the bound app: of many who send the same one, one gets through. The code of the step before counts only where no wrong
   * code was sent lately. @throws ApiError InvalidCode, or TooManyRequests after too many wrong ones.
   */
  async check(account: AccountId, code: string): Promise<void> {
    await this.#attempt(account, async (tx, row, isFirstTry) => {
      if (row.sealed_secret === null) return false;
      const secret = await this.#decrypt(account, row.sealed_secret);
      if (secret === undefined) return false;
      const step = await this.#stepOf({ secret, code, after: row.last_step, steps: isFirstTry ? 1 : 0 });
      if (step === undefined) return false;
      await tx.updateTable('accounts_totp').set({ last_step: step }).where('account', '=', account).execute();
      return true;
    });
  }

  /** Before something is computed for a try. @throws ApiError TooManyRequests. */
  async checkTries(account: AccountId): Promise<void> {
    const waitMs = this.#waitOf(await this.#wrongOf(account, this.#db));
    if (waitMs > 0) throw tooMany(waitMs);
  }

  /** @param tries counts wrong codes that are not of the app, such as backup codes, with those that are. */
  async countedTry(account: AccountId, tries: (tx: Tx) => Promise<boolean>): Promise<void> {
    await this.#attempt(account, (tx) => tries(tx));
  }

  /** The app that is bound becomes another account's, and so do the backup codes; an app that is not bound yet does not. */
  async move({ from, to }: { from: AccountId; to: AccountId }, tx: Tx): Promise<void> {
    await tx.updateTable('accounts_wrong_code').set({ account: to }).where('account', '=', from).execute();
    await tx.updateTable('accounts_backup_code').set({ account: to }).where('account', '=', from).execute();
    const row = await tx.selectFrom('accounts_totp').selectAll().where('account', '=', from).forUpdate().executeTakeFirst();
    if (row === undefined || row.sealed_secret === null) return;
    const secret = await this.#decrypt(from, row.sealed_secret);
    if (secret === undefined) return;
    const sealed = await this.#encrypt(to, secret);
    const moved = { account: to, sealed_secret: sealed, pending_secret: null, pending_until: null };
    await tx.updateTable('accounts_totp').set(moved).where('account', '=', from).execute();
  }

  /** After the transaction in which it moved. */
  moved({ from, to }: { from: AccountId; to: AccountId }): void {
    if (this.#bound.delete(from)) this.#bound.add(to);
  }

  /** After the transaction in which it was deleted. */
  erased(account: AccountId): void {
    this.#bound.delete(account);
  }

  async forget(): Promise<void> {
    const before = this.#now() - WRONG_CODE_KEPT_MS;
    await this.#db.deleteFrom('accounts_wrong_code').where('at', '<=', before).execute();
  }

  /** One at a time for each account, so that no number of parallel guesses passes the limits. */
  async #attempt(account: AccountId, isRight: (tx: Tx, row: TotpRow, isFirstTry: boolean) => Promise<boolean>): Promise<void> {
    const answer = await this.#db.transaction().execute(async (tx): Promise<Answer> => {
      await sql`select pg_advisory_xact_lock(hashtextextended(${`second factor ${account}`}, 0))`.execute(tx);
      const wrong = await this.#wrongOf(account, tx);
      const waitMs = this.#waitOf(wrong);
      if (waitMs > 0) return { waitMs };
      const row = await tx.selectFrom('accounts_totp').selectAll().where('account', '=', account).executeTakeFirst();
      const isFirstTry = !wrong.some((at) => at > this.#now() - WRONG_CODES[0].perMs);
      if (await isRight(tx, row ?? NO_ROW, isFirstTry)) return 'taken';
      await tx.insertInto('accounts_wrong_code').values({ account, at: this.#now() }).execute();
      return 'wrong';
    });
    if (answer === 'wrong') {
      this.#alarm.note();
      throw new ApiError('InvalidCode');
    }
    if (answer !== 'taken') throw tooMany(answer.waitMs);
  }

  async #wrongOf(account: AccountId, db: Kysely<AccountsTables>): Promise<readonly number[]> {
    const wrong = await db
      .selectFrom('accounts_wrong_code')
      .select('at')
      .where('account', '=', account)
      .where('at', '>', this.#now() - WRONG_CODE_KEPT_MS)
      .orderBy('at')
      .execute();
    return wrong.map(({ at }) => at);
  }

  /** Milliseconds until another code is looked at. */
  #waitOf(wrongAt: readonly number[]): number {
    const waits = WRONG_CODES.map(({ most, perMs }) => {
      const within = wrongAt.filter((at) => at > this.#now() - perMs);
      return within.length < most ? 0 : (within.at(-most) ?? 0) + perMs - this.#now();
    });
    return Math.max(...waits);
  }

  /** The step whose code this is: this one, or one of the `steps` before it, and later than `after`. */
  async #stepOf(asked: { secret: string; code: string; after: number; steps: number }): Promise<number | undefined> {
    // Apps go by the time of the world, which the clock of history may not believe.
    const current = [this.#now(), this.#wallMs()].map((at) => Math.floor(at / TOTP_STEP_MS));
    const steps = current.flatMap((newest) => Array.from({ length: asked.steps + 1 }, (_, back) => newest - back));
    for (const step of new Set(steps)) {
      if (step <= asked.after) continue;
      const epoch = (step * TOTP_STEP_MS) / 1_000;
      const { valid } = await verify({ secret: asked.secret, token: asked.code, epoch, epochTolerance: 0 });
      if (valid) return step;
    }
    return undefined;
  }

  /** Secrets of before there was a key per person are sealed by the master key. */
  async #takeOver(): Promise<void> {
    const old = await this.#db.selectFrom('accounts_totp').selectAll().where('under_person_key', '=', false).execute();
    for (const row of old) {
      const account = accountId(row.account);
      await this.#db.transaction().execute(async (tx) => {
        const again = async (sealed: Buffer | null): Promise<Buffer | null> =>
          sealed === null ? null : this.#keys.takeOver(account, sealed, boundTo(account));
        const secrets = { sealed_secret: await again(row.sealed_secret), pending_secret: await again(row.pending_secret) };
        await tx
          .updateTable('accounts_totp')
          .set({ ...secrets, under_person_key: true })
          .where('account', '=', account)
          .execute();
      });
    }
  }

  #encrypt(account: AccountId, secret: string): Promise<Buffer> {
    return this.#keys.encrypt(account, Buffer.from(secret), boundTo(account));
  }

  /** Undefined where the key of the person is erased. */
  async #decrypt(account: AccountId, encrypted: Buffer): Promise<string | undefined> {
    return (await this.#keys.decrypt(account, encrypted, boundTo(account)))?.toString('utf8');
  }
}

const boundTo = (account: AccountId): string => `totp ${account}`;

interface TotpRow {
  readonly sealed_secret: Buffer | null;
  readonly pending_secret: Buffer | null;
  readonly pending_until: number | null;
  readonly last_step: number;
}

const NO_ROW: TotpRow = { sealed_secret: null, pending_secret: null, pending_until: null, last_step: 0 };

const tooMany = (waitMs: number): ApiError => new ApiError('TooManyRequests', { retryAfterSeconds: Math.ceil(waitMs / 1_000) });
