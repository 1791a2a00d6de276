/** Favourite markets of an account, in the order in which they were added. */
import { ApiError, COLLECTIONS_MAX } from '@orrery/api';
import type { AccountDirectory } from '@orrery/foundation';
import type { AccountId } from '@orrery/units';
import type { Kysely } from 'kysely';
import type { AccountsTables } from './tables.ts';

export class Collections {
  readonly #db: Kysely<AccountsTables>;
  readonly #directory: AccountDirectory;

  constructor(parts: { db: Kysely<AccountsTables>; directory: AccountDirectory }) {
    this.#db = parts.db;
    this.#directory = parts.directory;
  }

  async list(account: AccountId): Promise<string[]> {
    const rows = await this.#db.selectFrom('accounts_collection').select('symbol').where('account', '=', account).orderBy('id').execute();
    return rows.map((row) => row.symbol);
  }

  async add(account: AccountId, symbol: string): Promise<string[]> {
    if (!this.#directory.isListed(symbol)) throw new ApiError('UnknownMarket', { field: 'symbol' });
    const present = await this.list(account);
    if (present.length >= COLLECTIONS_MAX && !present.includes(symbol)) throw new ApiError('TooMany', { field: 'favourites' });
    await this.#db
      .insertInto('accounts_collection')
      .values({ account, symbol })
      .onConflict((conflict) => conflict.columns(['account', 'symbol']).doNothing())
      .execute();
    return this.list(account);
  }

  async cancel(account: AccountId, symbol: string): Promise<string[]> {
    await this.#db.deleteFrom('accounts_collection').where('account', '=', account).where('symbol', '=', symbol).execute();
    return this.list(account);
  }
}
