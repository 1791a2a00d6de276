/** How often a wallet was asked for something, counted in SQL: neither a restart nor another process gives more tries. */
import { ApiError } from '@orrery/api';
import type { AccountId } from '@orrery/units';
import { type Kysely, sql } from 'kysely';
import { type Bound, waitOf } from './names/tries.ts';
import type { AccountsTables, WalletTryKind } from './tables.ts';

/** No bound is longer. */
const KEPT_MS = 24 * 3_600_000;

export class WalletTries {
  readonly #db: Kysely<AccountsTables>;
  readonly #now: () => number;

  constructor(parts: { db: Kysely<AccountsTables>; now: () => number }) {
    this.#db = parts.db;
    this.#now = parts.now;
  }

  /** One at a time for each wallet, so that no number of parallel tries passes the bound. @throws ApiError TooManyRequests. */
  async take(account: AccountId, kind: WalletTryKind, bound: Bound): Promise<void> {
    const now = this.#now();
    const waitMs = await this.#db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(hashtextextended(${`wallet tries ${account}`}, 0))`.execute(tx);
      // Those in the future are of before the clock was set back: they count.
      await tx
        .deleteFrom('accounts_wallet_try')
        .where('account', '=', account)
        .where('at', '<=', now - KEPT_MS)
        .execute();
      const rows = await tx
        .selectFrom('accounts_wallet_try')
        .select('at')
        .where('account', '=', account)
        .where('kind', '=', kind)
        .where('at', '>', now - bound.perMs)
        .execute();
      const times = rows.map(({ at }) => at);
      const wait = waitOf(times, [bound], now);
      if (wait === 0) await tx.insertInto('accounts_wallet_try').values({ account, kind, at: now }).execute();
      return wait;
    });
    if (waitMs > 0) throw new ApiError('TooManyRequests', { retryAfterSeconds: Math.ceil(waitMs / 1_000) });
  }
}
