/** The minute from which the recorded prices are replayed: one for every process on one database. */
import { statements } from '@orrery/foundation';
import { type AnchorStore, readAnchor } from '@orrery/prices';
import { millis } from '@orrery/units';
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

const TABLE = 'exchange_price_anchor';

export interface AnchorTables {
  /** One row; unix milliseconds. */
  exchange_price_anchor: { id: number; at: number };
}

export const anchorMigrations: Readonly<Record<string, Migration>> = {
  'exchange-003-price-anchor': statements([`create table ${TABLE} (id integer primary key check (id = 1), at bigint not null)`]),
};

/** @param path of the file that a version before the row, or a copy of one data folder, has left */
export const sharedAnchor = (db: Kysely<AnchorTables>, path: string): AnchorStore => ({
  async keep(first) {
    await db
      .insertInto('exchange_price_anchor')
      .values({ id: 1, at: readAnchor(path) ?? first })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const { at } = await db.selectFrom('exchange_price_anchor').select('at').executeTakeFirstOrThrow();
    return millis(at);
  },
});
