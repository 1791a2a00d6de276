/** Counts of long tables for pages of lists, at a cost that does not grow with the table. */
import { type Expression, type Kysely, type RawBuilder, sql } from 'kysely';

/** A page of a list is at most the thousandth, of a hundred rows: what cannot be shown is not counted. */
const COUNTED_MAX = 100_000;

/** A query that selects any one column. */
interface Rows {
  limit(most: number): Expression<unknown>;
}

/** @returns the number of rows, and `most` where there are more. */
export async function countUpTo<Tables>(db: Kysely<Tables>, rows: Rows, most: number = COUNTED_MAX): Promise<number> {
  return countOf(db, sql`select count(*) as total from ${rows.limit(most)} as counted`);
}

/** The number of rows of a whole table: exact up to `most`, and above it what the database last estimated. */
export async function countOfTable<Tables>(db: Kysely<Tables>, table: string & keyof Tables, most: number = COUNTED_MAX): Promise<number> {
  const counted = await countOf(db, sql`select count(*) as total from (select 1 from ${sql.table(table)} limit ${most}) as counted`);
  if (counted < most) return counted;
  const { rows } = await sql<{ estimate: number }>`
    select reltuples::bigint as estimate from pg_class where oid = ${table}::regclass`.execute(db);
  return Math.max(counted, rows[0]?.estimate ?? 0);
}

async function countOf<Tables>(db: Kysely<Tables>, query: RawBuilder<{ total: number }>): Promise<number> {
  const { rows } = await query.execute(db);
  return rows[0]?.total ?? 0;
}
