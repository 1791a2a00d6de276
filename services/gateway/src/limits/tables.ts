/** The table of the counts: rows are written and cleared by `rate-limiter-flexible`, whose columns these are. `expire` is unix milliseconds. */
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export const COUNT_TABLE = 'gateway_count';

export interface GatewayTables {
  gateway_count: { key: string; points: number; expire: number | null };
}

const first: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable(COUNT_TABLE)
      .addColumn('key', 'varchar(255)', (column) => column.primaryKey())
      .addColumn('points', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('expire', 'bigint')
      .execute();
    await db.schema.createIndex('gateway_count_expire').on(COUNT_TABLE).column('expire').execute();
  },
};

/** They named whose they are. What counts from here on is counted from 0. */
const hashedOwners: Migration = {
  async up(db: Kysely<GatewayTables>) {
    await db.deleteFrom(COUNT_TABLE).execute();
  },
};

export const migrations: Record<string, Migration> = { 'gateway-001-counts': first, 'gateway-002-hashed-owners': hashedOwners };
