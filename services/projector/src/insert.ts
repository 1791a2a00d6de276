/** Many rows by one statement. */
import { sql, type Transaction } from 'kysely';
import type { Row } from './batch.ts';
import type { ProjectorTables, TABLES } from './tables.ts';

export type Tx = Transaction<ProjectorTables>;

/** One document stays below a megabyte or so. */
const ROWS_PER_STATEMENT = 2_000;

export function* piecesOf<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let start = 0; start < items.length; start += ROWS_PER_STATEMENT) yield items.slice(start, start + ROWS_PER_STATEMENT);
}

/** Begins the writing of rows that all name the same columns. They go as one document: thousands of parameters cost more to read than to insert. */
export function inserted<Table extends (typeof TABLES)[number]>(tx: Tx, table: Table, rows: readonly Row<Table>[]) {
  const columns = Object.keys(rows[0] ?? {}) as (keyof ProjectorTables[Table] & string)[];
  const document = JSON.stringify(rows);
  const named = sql.join(columns.map((column) => sql.ref(column)));
  return tx
    .insertInto(table)
    .columns(columns)
    .expression(sql`select ${named} from json_populate_recordset(null::${sql.table(table)}, ${document})`);
}

export async function insertAll<Table extends (typeof TABLES)[number]>(tx: Tx, table: Table, rows: readonly Row<Table>[]): Promise<void> {
  for (const piece of piecesOf(rows)) await inserted(tx, table, piece).execute();
}
