/**
 * Tables as PostgreSQL's own COPY writes them, compressed, and read back into tables that the same migrations have made. So a set fits any PostgreSQL that the
 * program takes, embedded or not, of this or a later version.
 */
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress, createZstdDecompress } from 'node:zlib';
import type { Migration } from 'kysely/migration';
import { type Client, escapeIdentifier, escapeLiteral } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { type DatabaseAddress, migrate, openDatabase } from '../database.ts';
import { StartError } from '../start-error.ts';
import type { SqlPart, StoredTable } from './manifest.ts';
import { readSchema, type Schema, type Table } from './sql-schema.ts';
import { store } from './stored-file.ts';

const quoted = (names: readonly string[]): string => names.map((name) => escapeIdentifier(name)).join(', ');

/** Into `sql/` below the set. */
export async function storeSql(snapshot: Client, schema: Schema, set: string): Promise<SqlPart> {
  const tables: StoredTable[] = [];
  for (const table of schema.tables) tables.push(await storeTable(snapshot, table, set));
  return {
    migrations: [...schema.migrations],
    tables,
    partitions: schema.partitions.map((partition) => ({ ...partition })),
    sequences: schema.sequences.map((sequence) => ({ ...sequence })),
  };
}

async function storeTable(snapshot: Client, { name, columns }: Table, set: string): Promise<StoredTable> {
  // A table of partitions has no rows of its own to copy: the query reads them all.
  const rows = snapshot.query(copyTo(`copy (select ${quoted(columns)} from ${escapeIdentifier(name)}) to stdout`));
  const compressed = createZstdCompress();
  const [file] = await Promise.all([store(set, `sql/${name}.copy.zst`, compressed), pipeline(rows, compressed)]);
  return { name, columns: [...columns], rows: rows.rowCount, file };
}

/**
 * Makes the tables as they were and fills them, in one transaction.
 * @throws StartError when the database is not empty, or the program does not make these tables.
 */
export async function loadSql(
  address: DatabaseAddress,
  client: Client,
  { sql, set, migrations }: { sql: SqlPart; set: string; migrations: Readonly<Record<string, Migration>> },
): Promise<void> {
  const before = await readSchema(client);
  if (before.tables.length > 0 || before.migrations.length > 0)
    throw new StartError(`The database is not empty: it has the table ${before.tables[0]?.name ?? 'kysely_migration'}. Name an empty one.`);
  await makeTables(address, sql, migrations);
  await client.query('begin');
  for (const { name, parent, bound } of sql.partitions)
    await client.query(`create table if not exists ${escapeIdentifier(name)} partition of ${escapeIdentifier(parent)} ${bound}`);
  const { tables } = await readSchema(client);
  for (const stored of sql.tables) checkTable(stored, tables);
  // Migrations leave rows of their own.
  if (tables.length > 0) await client.query(`truncate ${quoted(tables.map(({ name }) => name))}`);
  const foreignKeys = await dropForeignKeys(client);
  for (const table of sql.tables) await loadTable(client, table, set);
  for (const { table, name, definition } of foreignKeys) await client.query(`alter table ${table} add constraint ${name} ${definition}`);
  for (const { name, value } of sql.sequences)
    await client.query(`select setval(${escapeLiteral(escapeIdentifier(name))}, ${escapeLiteral(value)})`);
  await client.query('commit');
}

interface ForeignKey {
  readonly table: string;
  readonly name: string;
  readonly definition: string;
}

/** So that tables are filled in any order; they are checked when the keys are there again. */
async function dropForeignKeys(client: Client): Promise<readonly ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(`
    select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace and conparentid = 0`);
  for (const { table, name } of rows) await client.query(`alter table ${table} drop constraint ${name}`);
  return rows;
}

async function makeTables(address: DatabaseAddress, sql: SqlPart, migrations: Readonly<Record<string, Migration>>): Promise<void> {
  const wanted = sql.migrations.map((name) => {
    const migration = migrations[name];
    if (migration !== undefined) return [name, migration] as const;
    throw new StartError(
      `The set has tables of another version of the program, of its step ${name}: restore it with the latest version that has run on that database.`,
    );
  });
  const database = await openDatabase(address, { connections: 1 });
  try {
    await migrate(database, Object.fromEntries(wanted));
  } finally {
    await database.close();
  }
}

function checkTable({ name, columns }: StoredTable, tables: readonly Table[]): void {
  const own = tables.find((table) => table.name === name);
  if (own?.columns.join() === columns.join()) return;
  throw new StartError(
    `The table ${name} of the set is not as this version of the program makes it: restore it with the version that made it.`,
  );
}

async function loadTable(client: Client, { name, columns, rows, file }: StoredTable, set: string): Promise<void> {
  const into = client.query(copyFrom(`copy ${escapeIdentifier(name)} (${quoted(columns)}) from stdin`));
  await pipeline(createReadStream(join(set, file.path)), createZstdDecompress(), into);
  if (into.rowCount !== rows) throw new StartError(`The table ${name} has ${into.rowCount} rows in place of ${rows}.`);
}
