/** SQLite as a stand-in for PostgreSQL: the few things that the two write differently are said here, and nothing else is understood. */
import { DatabaseSync, type StatementSync } from 'node:sqlite';

export interface Sqlite {
  run(sql: string, parameters: readonly unknown[]): { readonly rows: readonly Record<string, unknown>[]; readonly changes: number };
  tables(): readonly string[];
  /** Keeps all rows as they are; the answer brings them back. */
  copy(): () => void;
}

interface Prepared {
  readonly statement: StatementSync;
  readonly isReader: boolean;
  readonly booleans: readonly string[];
  /** Arrays and documents: text in SQLite. */
  readonly documents: readonly string[];
}

/** Of types: each keeps its name's meaning, and numbers larger than 64 bits stay whole as text. */
const REWRITES: readonly (readonly [RegExp, string])[] = [
  [/\btext\[\]/g, 'text_array'],
  [/\bnumeric\b/g, 'text_numeric'],
  [/bigint generated always as identity primary key/g, 'integer primary key autoincrement'],
  [/= any\(([a-z_.]+)\)/g, 'in (select value from json_each($1))'],
  [/\(\s*select from /g, '(select 1 from '],
  // How full the pages of PostgreSQL are says nothing here.
  [/\s+with \(fillfactor = \d+\)/g, ''],
];
/** Rows that come as one document. */
const DOCUMENT = /\bselect ((?:"\w+"(?:, )?)+) from json_populate_recordset\(null::"\w+", \?\)/;
const IGNORED = /^set local synchronous_commit/;
const NOTHING = { rows: [], changes: 0 };

export function openSqlite(): Sqlite {
  const database = new DatabaseSync(':memory:', { enableForeignKeyConstraints: true });
  addFunctions(database);
  const prepared = new Map<string, Prepared>();
  const prepare = (sql: string): Prepared => {
    const known = prepared.get(sql);
    if (known !== undefined) return known;
    const fresh = prepareOn(database, sql);
    prepared.set(sql, fresh);
    return fresh;
  };
  const tables = (): readonly string[] =>
    database
      .prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by name")
      .all()
      .map(({ name }) => String(name));
  return {
    run(sql, parameters) {
      if (IGNORED.test(sql)) return NOTHING;
      const { statement, isReader, booleans, documents } = prepare(sql);
      const values = parameters.map(toSqlite);
      if (!isReader) return { rows: [], changes: Number(statement.run(...values).changes) };
      return { rows: statement.all(...values).map((row) => fromSqlite(row, booleans, documents)), changes: 0 };
    },
    tables,
    copy() {
      const kept = tables().map((table) => ({ table, rows: database.prepare(`select * from ${table}`).all() }));
      return () => {
        database.exec('pragma defer_foreign_keys = on; begin');
        for (const { table, rows } of kept) {
          database.exec(`delete from ${table}`);
          for (const row of rows) insert(database, table, row);
        }
        database.exec('commit');
      };
    },
  };
}

type Value = null | number | bigint | string | Uint8Array;

function prepareOn(database: DatabaseSync, sql: string): Prepared {
  let text = positional(sql.trim());
  for (const [pattern, replacement] of REWRITES) text = text.replace(pattern, replacement);
  // Without a condition SQLite takes the `on conflict` that may follow for one of a join.
  text = text.replace(
    DOCUMENT,
    (_, columns: string) => `select ${columns.replaceAll(/"(\w+)"/g, "value ->> '$.$1'")} from json_each(?) where true`,
  );
  const statement = database.prepare(text);
  const columns = statement.columns();
  const ofType = (type: string): readonly string[] => columns.filter((column) => column.type === type).map(({ name }) => name);
  return { statement, isReader: columns.length > 0, booleans: ofType('boolean'), documents: [...ofType('text_array'), ...ofType('jsonb')] };
}

/** Parameters are bound in their order, each once: numbered ones cost SQLite a search each. */
function positional(sql: string): string {
  let next = 0;
  return sql.replaceAll(/\$(\d+)/g, (_, number) => {
    next += 1;
    if (Number(number) !== next) throw new Error(`parameter ${String(number)} comes out of order`);
    return '?';
  });
}

function insert(database: DatabaseSync, table: string, row: Readonly<Record<string, unknown>>): void {
  const names = Object.keys(row);
  database
    .prepare(`insert into ${table} (${names.join(', ')}) values (${names.map(() => '?').join(', ')})`)
    .run(...names.map((name) => toSqlite(row[name])));
}

function toSqlite(value: unknown): Value {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (Array.isArray(value)) return JSON.stringify(value);
  if (value === null || value === undefined) return null;
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'string') return value;
  throw new TypeError(`SQLite is given ${typeof value}`);
}

function fromSqlite(
  row: Readonly<Record<string, unknown>>,
  booleans: readonly string[],
  documents: readonly string[],
): Record<string, unknown> {
  const result: Record<string, unknown> = { ...row };
  for (const name of booleans) result[name] = result[name] === 1;
  for (const name of documents) result[name] = typeof result[name] === 'string' ? JSON.parse(result[name]) : result[name];
  return result;
}

/** Sums stay exact however large they grow. */
function addFunctions(database: DatabaseSync): void {
  database.aggregate('sum', {
    start: '',
    step: (sum: string, value: unknown) =>
      typeof value === 'string' || typeof value === 'number' ? String(BigInt(sum === '' ? 0 : sum) + BigInt(value)) : sum,
    result: (sum: string) => (sum === '' ? null : sum),
  });
  database.function('greatest', (left, right) => (Number(left) > Number(right) ? left : right));
  database.function('least', (left, right) => (Number(left) < Number(right) ? left : right));
}
