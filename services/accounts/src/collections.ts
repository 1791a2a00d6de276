/** Favourites of an account, of spot markets and of contracts apart, in the order in which they were added. */
import { ApiError, COLLECTIONS_MAX } from '@orrery/api';
import type { AccountDirectory } from '@orrery/foundation';
import type { AccountId } from '@orrery/units';
import type { Kysely } from 'kysely';
import type { AccountsTables } from './tables.ts';

/** Spot markets and contracts have symbols in common. */
export type CollectionKind = 'spot' | 'futures';

interface Favourite {
  readonly account: AccountId;
  readonly kind: CollectionKind;
  readonly symbol: string;
}

export class Collections {
  readonly #db: Kysely<AccountsTables>;
  readonly #directory: AccountDirectory;

  constructor(parts: { db: Kysely<AccountsTables>; directory: AccountDirectory }) {
    this.#db = parts.db;
    this.#directory = parts.directory;
  }

  async list({ account, kind }: Pick<Favourite, 'account' | 'kind'>): Promise<string[]> {
    const rows = await this.#db
      .selectFrom('accounts_collection')
      .select('symbol')
      .where('account', '=', account)
      .where('kind', '=', kind)
      .orderBy('id')
      .execute();
    return rows.map((row) => row.symbol);
  }

  async add(favourite: Favourite): Promise<string[]> {
    const { kind, symbol } = favourite;
    const isListed = kind === 'spot' ? this.#directory.isListed(symbol) : this.#directory.isContract(symbol);
    if (!isListed) throw new ApiError('UnknownMarket', { field: 'symbol' });
    const present = await this.list(favourite);
    if (present.length >= COLLECTIONS_MAX && !present.includes(symbol)) throw new ApiError('TooMany', { field: 'favourites' });
    await this.#db
      .insertInto('accounts_collection')
      .values(favourite)
      .onConflict((conflict) => conflict.columns(['account', 'kind', 'symbol']).doNothing())
      .execute();
    return this.list(favourite);
  }

  async cancel({ account, kind, symbol }: Favourite): Promise<string[]> {
    await this.#db
      .deleteFrom('accounts_collection')
      .where('account', '=', account)
      .where('kind', '=', kind)
      .where('symbol', '=', symbol)
      .execute();
    return this.list({ account, kind });
  }
}
