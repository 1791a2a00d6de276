/** Counts of long tables for pages of lists, at a cost that does not grow with the table. */
import { type Expression, type Kysely, sql } from 'kysely';

/** A page of a list is at most the thousandth, of a hundred rows: what cannot be shown is not counted. */
const COUNTED_MAX = 100_000;

/** @param rows a query that selects any one column. @returns the number of its rows, and `most` where there are more. */
export async function countUpTo<Tables>(db: Kysely<Tables>, rows: Expression<unknown>, most: number = COUNTED_MAX): Promise<number> {
  const { rows: counted } = await sql<{ total: number }>`select count(*) as total from (${rows} limit ${most}) as counted`.execute(db);
  return counted[0]?.total ?? 0;
}

/** The number of rows of a whole table: exact up to `most`, and above it what the database last estimated. */
export async function countOfTable<Tables>(db: Kysely<Tables>, table: string & keyof Tables, most: number = COUNTED_MAX): Promise<number> {
  const counted = await countUpTo(db, sql`select 1 from ${sql.table(table)}`, most);
  if (counted < most) return counted;
  const { rows } = await sql<{ estimate: number }>`
    select reltuples::bigint as estimate from pg_class where oid = ${table}::regclass`.execute(db);
  return Math.max(counted, rows[0]?.estimate ?? 0);
}
