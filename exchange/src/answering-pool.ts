/**
 * Connections of a pool that distinguish two failures: the server answered with an error, or it did not answer. In the second case the
 * caller gets a separate error and the connection is discarded: a late answer would be taken for the answer to the next query.
 */
import { ApiError } from '@orrery/api';
import type { PostgresPool } from 'kysely';
import { DatabaseError, type Pool, type PoolClient } from 'pg';

const RETRY_SECONDS = 2;

type Connection = Awaited<ReturnType<PostgresPool['connect']>>;

export function answeringPool(pool: Pool): PostgresPool {
  return {
    options: pool.options,
    end: () => pool.end(),
    connect: async () => answeringConnection(await pool.connect().catch(reportSilence)),
  };
}

function answeringConnection(client: PoolClient): Connection {
  let isLost = false;
  const ask = async (text: string, values: readonly unknown[]): Promise<unknown> => {
    try {
      return await client.query(text, [...values]);
    } catch (error) {
      isLost ||= isSilence(error);
      return reportSilence(error);
    }
  };
  return {
    // Kysely asks by text and values; cursors are not used here.
    query: ask as Connection['query'],
    release: (destroy = false) => client.release(destroy || isLost),
  };
}

/** SQLSTATE where the server says that it is going, is not there yet, or has ended a connection that stood still in a transaction. */
const GOING = /^(08|57P|25P03)/;

/** Everything that the server did not say itself: a broken connection, none to be had, no answer in time. */
const isSilence = (error: unknown): boolean => !(error instanceof DatabaseError) || GOING.test(error.code ?? '');

function reportSilence(error: unknown): never {
  if (!isSilence(error)) throw error;
  throw new ApiError('Upstream', { field: 'the database', retryAfterSeconds: RETRY_SECONDS, cause: error });
}
