/** Passwords: hashed by Argon2id, tried seldom, and none of those that everybody tries first. */
import { timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ApiError } from '@orrery/api';
import { type AccountId, accountId } from '@orrery/units';
import { type Kysely, sql, type Transaction } from 'kysely';
import { newSalt, slowHash } from '../slow-hash.ts';
import type { AccountsTables } from '../tables.ts';
import { type Bound, waitOf } from './tries.ts';

const TRY_TIME_MS = 15 * 60_000;
export const WRONG_PASSWORDS_OF_NAME: readonly Bound[] = [{ most: 5, perMs: TRY_TIME_MS }];
export const WRONG_PASSWORDS_OF_NETWORK: readonly Bound[] = [{ most: 50, perMs: TRY_TIME_MS }];
/** After this number of wrong ones of a name or a network a captcha is asked for. */
export const WRONG_PASSWORDS_BEFORE_CAPTCHA = 2;

/** The 3,000 most used ones of eight characters or more, in lower case: of the passwords of zxcvbn-ts 4.1.3. */
const COMMON = new Set(
  readFileSync(new URL('common-passwords.txt', import.meta.url), 'utf8')
    .trim()
    .split('\n'),
);

/** No account has this number: looked up for an unknown name, as an account is for a known one. */
const NOBODY = 0;

export interface NewPassword {
  readonly salt: Buffer;
  readonly hash: Buffer;
}

export interface PasswordTry {
  /** What wrong ones are counted by: the mark of the name. */
  readonly mark: string;
  /** As a keyed hash. */
  readonly network: string;
  readonly password: string;
  /** Whose it must be; undefined for a name that is unknown, which costs the same. */
  readonly account: AccountId | undefined;
}

export class Passwords {
  readonly #db: Kysely<AccountsTables>;
  readonly #now: () => number;
  readonly #set = new Set<AccountId>();
  /** Nobody's. */
  readonly #noSalt = newSalt();

  constructor(parts: { db: Kysely<AccountsTables>; now: () => number }) {
    this.#db = parts.db;
    this.#now = parts.now;
  }

  load(): Promise<void> {
    return this.readAgain();
  }

  /** As the row says, whatever memory has. @param account undefined: of all */
  async readAgain(account?: AccountId): Promise<void> {
    const rows = await this.#db
      .selectFrom('accounts_password')
      .select('account')
      .$if(account !== undefined, (of) => of.where('account', '=', account ?? 0))
      .execute();
    if (account === undefined) this.#set.clear();
    else this.#set.delete(account);
    for (const row of rows) this.#set.add(accountId(row.account));
  }

  has(account: AccountId): boolean {
    return this.#set.has(account);
  }

  /** @throws ApiError MalformedField when it is one of the most used. */
  checkNew(password: string): void {
    if (COMMON.has(password.toLowerCase()))
      throw new ApiError('MalformedField', { field: 'password', message: `this password is one of the ${COMMON.size} that are used most` });
  }

  /** Outside of any transaction: it takes long. */
  async hash(password: string): Promise<NewPassword> {
    const salt = newSalt();
    return { salt, hash: await slowHash(password, salt) };
  }

  async write(account: AccountId, { salt, hash }: NewPassword, tx: Transaction<AccountsTables>): Promise<void> {
    const fresh = { salt, hash, changed_at: this.#now() };
    await tx
      .insertInto('accounts_password')
      .values({ account, ...fresh })
      .onConflict((conflict) => conflict.column('account').doUpdateSet(fresh))
      .execute();
  }

  /** After the transaction in which it was written. */
  written(account: AccountId): void {
    this.#set.add(account);
  }

  async move({ from, to }: { from: AccountId; to: AccountId }, tx: Transaction<AccountsTables>): Promise<void> {
    await tx.updateTable('accounts_password').set({ account: to }).where('account', '=', from).execute();
  }

  /** After the transaction in which it moved. */
  moved({ from, to }: { from: AccountId; to: AccountId }): void {
    if (this.#set.delete(from)) this.#set.add(to);
  }

  /** After the transaction in which it was deleted. */
  erased(account: AccountId): void {
    this.#set.delete(account);
  }

  /** Whether the next try must come with a captcha. */
  async needsCaptcha({ mark, network }: Pick<PasswordTry, 'mark' | 'network'>): Promise<boolean> {
    const { ofName, ofNetwork } = await this.#wrong(this.#db, { mark, network });
    return Math.max(ofName.length, ofNetwork.length) >= WRONG_PASSWORDS_BEFORE_CAPTCHA;
  }

  /** @throws ApiError InvalidPassword, or TooManyRequests after too many wrong ones. */
  async check(tried: PasswordTry): Promise<void> {
    // Counted as wrong until it is right, so that no number of parallel tries passes the bounds while their hashes are made.
    const id = await this.#begin(tried);
    const row = await this.#db
      .selectFrom('accounts_password')
      .selectAll()
      .where('account', '=', tried.account ?? NOBODY)
      .executeTakeFirst();
    const hash = await slowHash(tried.password, row?.salt ?? this.#noSalt);
    if (row === undefined || !timingSafeEqual(hash, row.hash)) throw new ApiError('InvalidPassword');
    await this.#db.deleteFrom('accounts_password_try').where('id', '=', id).execute();
  }

  async forget(): Promise<void> {
    await this.#db
      .deleteFrom('accounts_password_try')
      .where('at', '<=', this.#now() - TRY_TIME_MS)
      .execute();
  }

  async #begin({ mark, network }: PasswordTry): Promise<number> {
    const now = this.#now();
    const begun = await this.#db.transaction().execute(async (tx) => {
      for (const lock of [`password of ${mark}`, `password from ${network}`])
        await sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(tx);
      const { ofName, ofNetwork } = await this.#wrong(tx, { mark, network });
      const waitMs = Math.max(waitOf(ofName, WRONG_PASSWORDS_OF_NAME, now), waitOf(ofNetwork, WRONG_PASSWORDS_OF_NETWORK, now));
      if (waitMs > 0) return { waitMs };
      return tx.insertInto('accounts_password_try').values({ mark, network, at: now }).returning('id').executeTakeFirstOrThrow();
    });
    if ('waitMs' in begun) throw new ApiError('TooManyRequests', { retryAfterSeconds: Math.ceil(begun.waitMs / 1_000) });
    return begun.id;
  }

  async #wrong(db: Kysely<AccountsTables>, { mark, network }: { mark: string; network: string }) {
    const since = this.#now() - TRY_TIME_MS;
    const rows = await db
      .selectFrom('accounts_password_try')
      .select(['at', 'mark', 'network'])
      .where('at', '>', since)
      .where((where) => where.or([where('mark', '=', mark), where('network', '=', network)]))
      .execute();
    return {
      ofName: rows.filter((row) => row.mark === mark).map(({ at }) => at),
      ofNetwork: rows.filter((row) => row.network === network).map(({ at }) => at),
    };
  }
}
