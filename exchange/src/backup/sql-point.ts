/**
 * One instant of the database: while it is taken nobody writes to a table, so that what lies beside the database can be looked at as it was at the same instant.
 * The wait of writers is that look, some milliseconds. The snapshot is read afterwards, however long that takes, while everybody goes on.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { Client, DatabaseError, escapeIdentifier } from 'pg';
import type { DatabaseAddress } from '../database.ts';
import { StartError } from '../start-error.ts';
import { readSchema, type Schema } from './sql-schema.ts';

/** Below the time after which PostgreSQL looks for a deadlock, and ends one of the two: this one gives way first. */
const LOCK_MS = 800;
/** Now and then above it: then a vacuum that has the table gives way. */
const PATIENT_LOCK_MS = 1_500;
const PATIENT_EACH = 5;
const TRIES = 60;
const BETWEEN_TRIES_MS = 200;
const CONNECT_MS = 10_000;
/** Lock not available, deadlock detected. */
const BUSY = new Set(['55P03', '40P01']);

export interface SqlPoint<Look> {
  readonly look: Look;
  readonly schema: Schema;
  /** In a transaction that reads the instant. */
  readonly snapshot: Client;
}

export const clientOf = (address: DatabaseAddress): Client =>
  new Client({ ...('url' in address ? { connectionString: address.url } : address), connectionTimeoutMillis: CONNECT_MS });

/**
 * The caller ends `snapshot`.
 * @param look is called while nobody writes
 * @throws StartError when the tables were busy for too long
 */
export async function atOneInstant<Look>(address: DatabaseAddress, look: () => Look): Promise<SqlPoint<Look>> {
  const [gate, snapshot] = [clientOf(address), clientOf(address)];
  for (const client of [gate, snapshot]) client.on('error', () => undefined);
  let isTaken = false;
  try {
    await Promise.all([gate.connect(), snapshot.connect()]);
    for (let nth = 1; nth <= TRIES; nth += 1) {
      const point = await tryOnce({ gate, snapshot, lockMs: nth % PATIENT_EACH === 0 ? PATIENT_LOCK_MS : LOCK_MS, look });
      if (point !== undefined) {
        isTaken = true;
        return point;
      }
      await pause(BETWEEN_TRIES_MS);
    }
    throw new StartError(
      'The tables of the database were written without a pause in which their state could be taken: run the backup again later.',
    );
  } finally {
    await gate.end().catch(() => undefined);
    if (!isTaken) await snapshot.end().catch(() => undefined);
  }
}

interface Try<Look> {
  readonly gate: Client;
  readonly snapshot: Client;
  readonly lockMs: number;
  readonly look: () => Look;
}

/** Undefined where the tables were busy. */
async function tryOnce<Look>({ gate, snapshot, lockMs, look }: Try<Look>): Promise<SqlPoint<Look> | undefined> {
  const { tables } = await readSchema(gate);
  await gate.query('begin');
  try {
    await gate.query(`set local lock_timeout = ${lockMs}`);
    if (tables.length > 0) await gate.query(`lock table ${tables.map(({ name }) => escapeIdentifier(name)).join(', ')} in share mode`);
    await snapshot.query('begin isolation level repeatable read read only');
    // The first statement fixes what the transaction sees.
    const schema = await readSchema(snapshot);
    return { look: look(), schema, snapshot };
  } catch (error) {
    await snapshot.query('rollback');
    if (error instanceof DatabaseError && BUSY.has(error.code ?? '')) return undefined;
    throw error;
  } finally {
    await gate.query('rollback');
  }
}
