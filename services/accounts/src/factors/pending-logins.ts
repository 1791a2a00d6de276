/** Logins whose first step is done and whose second is not: good for five minutes, in the browser that made the first, and once. */
import type { LoginWay } from '@orrery/api';
import { type Address, addressOf } from '@orrery/units';
import type { Kysely } from 'kysely';
import { hashToken, newToken } from '../opaque-token.ts';
import type { AccountsTables } from '../tables.ts';

/** Milliseconds. */
export const PENDING_LOGIN_MS = 5 * 60_000;

export interface PendingLogin {
  readonly address: Address;
  readonly way: LoginWay;
}

interface Key {
  readonly loginId: string;
  /** The secret in the browser's cookie. */
  readonly browser: string;
}

export class PendingLogins {
  readonly #db: Kysely<AccountsTables>;
  readonly #now: () => number;

  constructor(parts: { db: Kysely<AccountsTables>; now: () => number }) {
    this.#db = parts.db;
    this.#now = parts.now;
  }

  async begin({ address, way }: PendingLogin, browser: string): Promise<string> {
    const loginId = newToken();
    const now = this.#now();
    await this.#db.deleteFrom('accounts_pending_login').where('expires_at', '<=', now).execute();
    await this.#db
      .insertInto('accounts_pending_login')
      .values({ hash: hashToken(loginId), browser_hash: hashToken(browser), address, way, expires_at: now + PENDING_LOGIN_MS })
      .execute();
    return loginId;
  }

  async find({ loginId, browser }: Key): Promise<PendingLogin | undefined> {
    const row = await this.#db
      .selectFrom('accounts_pending_login')
      .selectAll()
      .where('hash', '=', hashToken(loginId))
      .where('browser_hash', '=', hashToken(browser))
      .executeTakeFirst();
    if (row === undefined || row.expires_at <= this.#now()) return undefined;
    return { address: addressOf(row.address), way: row.way as LoginWay };
  }

  /** Of many who finish it at once, one gets `true`. */
  async finish(loginId: string): Promise<boolean> {
    const row = await this.#db
      .deleteFrom('accounts_pending_login')
      .where('hash', '=', hashToken(loginId))
      .returning('hash')
      .executeTakeFirst();
    return row !== undefined;
  }
}
