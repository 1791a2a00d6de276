/**
 * Hears what other processes change in the database: PostgreSQL sends it with each commit to a connection that listens. What came while there was none is
 * missed, so that each new connection says so. A connection pooler in front must keep sessions, or it swallows what is sent.
 */
import { CHANNEL, type Changes } from '@orrery/foundation';
import { Client } from 'pg';
import type { DatabaseAddress } from './database.ts';

/** The connection is asked this often whether it is there. */
const ASK_MS = 250;
/** Without an answer for so long, changes may be missed. */
const SILENCE_MS = 1_000;
const RECONNECT_MS = 100;

type Listener = Parameters<Changes['subscribe']>[0];

export interface ChangeConnection extends Changes {
  close(): Promise<void>;
}

const clientFor = (address: DatabaseAddress): Client =>
  new Client({
    ...('url' in address ? { connectionString: address.url } : address),
    connectionTimeoutMillis: SILENCE_MS,
    query_timeout: SILENCE_MS,
    keepAlive: true,
  });

/** Resolves when it listens. @param options.onTrouble is called with why a connection was lost */
export async function listenForChanges(
  address: DatabaseAddress,
  { monotonicMs, onTrouble }: { monotonicMs: () => number; onTrouble: (error: unknown) => void },
): Promise<ChangeConnection> {
  const listeners = new Set<Listener>();
  let client: Client | undefined;
  let askedAt: number | undefined;
  let isClosed = false;
  let reconnecting: NodeJS.Timeout | undefined;

  const lose = (lost: Client, error: unknown): void => {
    if (client !== lost || isClosed) return;
    client = undefined;
    askedAt = undefined;
    lost.end().catch(() => undefined);
    onTrouble(error);
    reconnecting = setTimeout(() => void connect().catch(again), RECONNECT_MS);
  };
  const again = (error: unknown): void => {
    if (isClosed) return;
    onTrouble(error);
    reconnecting = setTimeout(() => void connect().catch(again), RECONNECT_MS);
  };
  const connect = async (): Promise<void> => {
    const next = clientFor(address);
    next.on('error', (error) => lose(next, error));
    next.on('end', () => lose(next, new Error('the connection that hears changes has ended')));
    next.on('notification', ({ payload = '' }) => {
      const [table = '', key = ''] = payload.split(' ', 2);
      for (const listener of listeners) listener.changed(table, key);
    });
    try {
      await next.connect();
      await next.query(`listen ${CHANNEL}`);
    } catch (error) {
      next.end().catch(() => undefined);
      throw error;
    }
    if (isClosed) return next.end();
    client = next;
    for (const listener of listeners) listener.missed();
  };
  const ask = (): void => {
    const asked = client;
    if (asked === undefined || askedAt !== undefined) return;
    askedAt = monotonicMs();
    asked.query('select 1').then(
      () => {
        if (client === asked) askedAt = undefined;
      },
      (error: unknown) => lose(asked, error),
    );
  };
  await connect();
  const timer = setInterval(ask, ASK_MS);
  return {
    isHeard: () => client !== undefined && (askedAt === undefined || monotonicMs() - askedAt <= SILENCE_MS),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      isClosed = true;
      clearInterval(timer);
      clearTimeout(reconnecting);
      await client?.end();
    },
  };
}
