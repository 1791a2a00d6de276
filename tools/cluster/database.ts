/** The databases of the exchange on the PostgreSQL that leads: one for SQL, one for the journal. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { PRIMARY_PORT } from './balancer.ts';
import type { Machines } from './machines.ts';
import { membersOf, POSTGRES_PORT, type PostgresSecrets } from './postgres.ts';

const USER = 'orrery';
const DATABASES = ['orrery', 'journal'] as const;
const POLL_MS = 250;
const PATIENCE_MS = 90_000;

/** @throws Error after 90 seconds without a primary that has a synchronous standby. */
export async function waitForPrimary(machines: Machines): Promise<void> {
  for (const until = performance.now() + PATIENCE_MS; performance.now() < until; await sleep(POLL_MS)) {
    const members = await membersOf(machines);
    if (members.some(({ role }) => role === 'leader') && members.some(({ role }) => role === 'sync_standby')) return;
  }
  throw new Error(`PostgreSQL has no primary with a synchronous standby after ${PATIENCE_MS / 1_000} s: see its logs`);
}

export async function ensureDatabases(machines: Machines, secrets: PostgresSecrets & { readonly application: string }): Promise<void> {
  const leader = (await membersOf(machines)).find(({ role }) => role === 'leader');
  const machine = machines.all.find(({ name }) => name === leader?.name);
  if (machine === undefined) throw new Error('PostgreSQL has no primary');
  const client = new Client({
    host: machine.address,
    port: POSTGRES_PORT,
    user: 'postgres',
    password: secrets.superuser,
    database: 'postgres',
  });
  await client.connect();
  try {
    const { rowCount } = await client.query('select from pg_roles where rolname = $1', [USER]);
    // A password of hexadecimal digits, of our own; the role sees whether a standby is synchronous.
    if (rowCount === 0) await client.query(`create role ${USER} login password '${secrets.application}' in role pg_monitor`);
    for (const name of DATABASES) {
      const found = await client.query('select from pg_database where datname = $1', [name]);
      if (found.rowCount === 0) await client.query(`create database ${name} owner ${USER}`);
    }
  } finally {
    await client.end();
  }
}

/** For ORRERY_JOURNAL: every server, of which the one that takes writes is meant. */
export const journalUrl = ({ all }: Machines, password: string): string =>
  `postgres://${USER}:${password}@${all.map(({ address }) => `${address}:${POSTGRES_PORT}`).join(',')}/journal?target_session_attrs=read-write`;

/** For ORRERY_DATABASE_URL: by way of the balancer, which knows the primary. */
export const databaseUrl = ({ outside }: Machines, password: string): string =>
  `postgres://${USER}:${password}@${outside}:${PRIMARY_PORT}/orrery`;

/** Whether a write reaches the primary by way of the balancer. */
export async function takesWrites(machines: Machines, password: string): Promise<boolean> {
  const client = new Client({ connectionString: databaseUrl(machines, password), connectionTimeoutMillis: 1_000, query_timeout: 2_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ writable: boolean }>('select not pg_is_in_recovery() as writable');
    return rows[0]?.writable === true;
  } finally {
    await client.end().catch(() => undefined);
  }
}
