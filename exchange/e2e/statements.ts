/** The SQL statements that a running program makes, from the log of its embedded PostgreSQL, and how the server would answer them when tables are long. */
import { readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { DATABASE_USER } from '../src/embedded/postgres/cluster.ts';

const logOf = (dataDirectory: string): string => join(dataDirectory, 'postgres', 'server.log');

export async function connectTo(dataDirectory: string): Promise<Client> {
  const client = new Client({ host: join(dataDirectory, 'postgres', 'cluster'), user: DATABASE_USER, database: 'postgres' });
  await client.connect();
  return client;
}

export interface Statement {
  readonly text: string;
  /** The values of one of the times, as literals. */
  readonly values: readonly string[];
  count: number;
}

/** From now on every statement is logged. */
export async function logStatements(client: Client, dataDirectory: string): Promise<void> {
  await client.query(`alter system set log_statement = 'all'`);
  await client.query('select pg_reload_conf()');
  truncateSync(logOf(dataDirectory));
}

const LINE = /^\d{4}-\d\d-\d\d \S+ \S+ \[(\d+)\] (\w+): {2}(.*)$/;
const STATEMENT = /^(?:execute [^:]*|statement): ((?:select|with|insert|update|delete)\b[\s\S]*)$/i;
const PARAMETERS = /^parameters: ([\s\S]*)$/i;
const VALUE = /\$\d+ = (NULL|'(?:[^']|'')*')/g;

/** Those that read or write rows, by their text. */
export function statementsOf(dataDirectory: string): readonly Statement[] {
  const lines: { process: string; level: string; text: string }[] = [];
  for (const line of readFileSync(logOf(dataDirectory), 'utf8').split('\n')) {
    const [, process, level, text] = LINE.exec(line) ?? [];
    const last = lines.at(-1);
    if (process !== undefined && level !== undefined && text !== undefined) lines.push({ process, level, text });
    else if (last !== undefined) last.text += `\n${line}`;
  }
  const all = new Map<string, Statement>();
  const latest = new Map<string, string>();
  for (const { process, level, text } of lines) {
    if (level === 'LOG') latest.set(process, STATEMENT.exec(text.trim())?.[1] ?? '');
    const statement = latest.get(process) ?? '';
    if (statement === '') continue;
    const known = all.get(statement) ?? { text: statement, values: [], count: 0 };
    const values =
      level === 'DETAIL' ? [...(PARAMETERS.exec(text)?.[1] ?? '').matchAll(VALUE)].map(([, value = '']) => value) : known.values;
    all.set(statement, { ...known, values, count: known.count + (level === 'LOG' ? 1 : 0) });
  }
  return [...all.values()];
}

/** A value of each type for row `g`. Times and numbers lie far ahead: nothing is due, and nothing is equal to what is sought. */
const VALUES: Readonly<Record<string, string>> = {
  text: `'x' || g`,
  'character varying': `'x' || g`,
  bigint: '4000000000000 + g',
  integer: '1000000000 + g',
  smallint: '1',
  numeric: '4000000000000 + g',
  'double precision': 'g',
  boolean: 'true',
  jsonb: `'{}'`,
  bytea: 'int8send(g)',
  'text[]': `array['x' || g]`,
  'bigint[]': 'array[g]',
};

/** Fills every table but `except` with rows, in the transaction that is open; the planner knows of all of them how long they are. */
export async function fillTables(client: Client, { rows, except }: { rows: number; except: ReadonlySet<string> }): Promise<void> {
  await client.query('set local session_replication_role = replica');
  const tables = await client.query<{ oid: number; name: string }>(
    `select oid, relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and relname !~ '^kysely'`,
  );
  for (const { oid, name } of tables.rows) {
    if (except.has(name)) {
      await client.query(`analyze "${name}"`);
      continue;
    }
    const checks = await client.query<{ conname: string }>(`select conname from pg_constraint where conrelid = $1 and contype = 'c'`, [
      oid,
    ]);
    for (const { conname } of checks.rows) await client.query(`alter table "${name}" drop constraint "${conname}"`);
    const columns = await client.query<{ name: string; type: string }>(
      `select attname as name, format_type(atttypid, null) as type from pg_attribute
       where attrelid = $1 and attnum > 0 and not attisdropped and attgenerated = ''`,
      [oid],
    );
    const values = columns.rows.map(({ type }) => VALUES[type] ?? `no value of ${type}`);
    await client.query(
      `insert into "${name}" (${columns.rows.map((column) => `"${column.name}"`).join(', ')}) overriding system value
       select ${values.join(', ')} from generate_series(1, ${rows}) g on conflict do nothing`,
    );
    await client.query(`analyze "${name}"`);
  }
}

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly Plan[];
}

/** Those over a part of a table, such as what is still to be done: such a part may be read whole. */
export async function partialIndexes(client: Client): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ name: string }>(
    'select relname as name from pg_index join pg_class on pg_class.oid = indexrelid where indpred is not null',
  );
  return new Set(rows.map(({ name }) => name));
}

/** The tables that a plan reads from one end to the other, except for the beginning that a limit cuts off. */
function scansOf(plan: Plan, partial: ReadonlySet<string>, isLimited = false): readonly string[] {
  const { 'Node Type': type, 'Relation Name': relation, 'Index Name': index = '', 'Index Cond': condition } = plan;
  const isWhole = type === 'Seq Scan' || (/^Index (Only )?Scan$/.test(type) && condition === undefined && !partial.has(index));
  const own = relation !== undefined && isWhole && !isLimited ? [relation] : [];
  const limits = type === 'Limit' || (isLimited && !/Sort|Aggregate|Hash/.test(type));
  return [...own, ...(plan.Plans ?? []).flatMap((below) => scansOf(below, partial, limits))];
}

/** @returns the tables that a statement reads whole */
export async function scansFor(client: Client, { text, values }: Statement, partial: ReadonlySet<string>): Promise<readonly string[]> {
  await client.query('set local plan_cache_mode = force_custom_plan');
  await client.query(`prepare looked_at as ${text}`);
  try {
    const args = values.length === 0 ? '' : `(${values.join(', ')})`;
    const { rows } = await client.query<{ 'QUERY PLAN': readonly { Plan: Plan }[] }>(`explain (format json) execute looked_at${args}`);
    return rows.flatMap((row) => row['QUERY PLAN'].flatMap(({ Plan: plan }) => scansOf(plan, partial)));
  } finally {
    await client.query('deallocate looked_at');
  }
}
