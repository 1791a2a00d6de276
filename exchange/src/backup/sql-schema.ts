/** Which tables, partitions and sequences the database has. */
import type { Client } from 'pg';

export interface Table {
  readonly name: string;
  /** Those that are stored; others follow from them. */
  readonly columns: readonly string[];
}

export interface Partition {
  readonly name: string;
  readonly parent: string;
  /** As `create table` says it. */
  readonly bound: string;
}

export interface Schema {
  /** With rows of their own, or of all their partitions; without those that say which migrations have run. */
  readonly tables: readonly Table[];
  readonly partitions: readonly Partition[];
  /** The last value given, as decimal digits. */
  readonly sequences: readonly { readonly name: string; readonly value: string }[];
  /** Names of those that have run. */
  readonly migrations: readonly string[];
}

const TABLES = `
  select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
  from pg_class c join pg_attribute a on a.attrelid = c.oid
  where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and c.relname not like 'kysely\\_%'
    and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
  group by c.relname order by c.relname`;

const PARTITIONS = `
  select c.relname as name, p.relname as parent, pg_get_expr(c.relpartbound, c.oid) as bound
  from pg_class c join pg_inherits i on i.inhrelid = c.oid join pg_class p on p.oid = i.inhparent
  where c.relnamespace = current_schema()::regnamespace and c.relispartition and c.relkind in ('r', 'p')
  order by c.relname`;

const SEQUENCES = `
  select sequencename as name, last_value::text as value from pg_sequences
  where schemaname = current_schema() and last_value is not null order by 1`;

const MIGRATIONS = `select to_regclass('kysely_migration') is not null as there`;

export async function readSchema(client: Client): Promise<Schema> {
  const { rows: tables } = await client.query<{ name: string; columns: string[] }>(TABLES);
  const { rows: partitions } = await client.query<{ name: string; parent: string; bound: string }>(PARTITIONS);
  const { rows: sequences } = await client.query<{ name: string; value: string }>(SEQUENCES);
  return { tables, partitions, sequences, migrations: await migrationsIn(client) };
}

async function migrationsIn(client: Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ there: boolean }>(MIGRATIONS);
  if (rows[0]?.there !== true) return [];
  const { rows: run } = await client.query<{ name: string }>('select name from kysely_migration order by name');
  return run.map(({ name }) => name);
}
