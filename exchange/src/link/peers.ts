/** The other processes of an exchange, by NATS: what one says once is heard by those that listen just then. */
import { randomUUID } from 'node:crypto';
import type { Peers } from '@orrery/foundation';
import { headers, type NatsConnection } from '@nats-io/transport-node';
import type { Surroundings } from '../surroundings.ts';
import { openConnection } from './open-connection.ts';

const ORIGIN = 'origin';

/** What processes say to each other: those that serve callers, of limits and attendance; those with accounts, of what ended while SQL was away. */
export type PeerSubject = 'gateways' | 'ended';

/** @throws StartError when no server answers */
export async function openPeers(surroundings: Surroundings, of: PeerSubject): Promise<Peers> {
  const { connection, prefix } = await openConnection(surroundings);
  const subject = `${prefix}.${of}`;
  const own = randomUUID();
  const sent = headers();
  sent.set(ORIGIN, own);
  const listeners = new Set<(message: string) => void>();
  let isConnected = true;
  // What waited for a server would be old when one is found.
  void watch(connection, (is) => (isConnected = is));
  connection.subscribe(subject, {
    callback: (error, message) => {
      if (error !== null || message.headers?.get(ORIGIN) === own) return;
      for (const listener of listeners) listener(message.string());
    },
  });
  return {
    send(message) {
      if (isConnected && !connection.isClosed()) connection.publish(subject, message, { headers: sent });
    },
    onMessage(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

async function watch(connection: NatsConnection, report: (isConnected: boolean) => void): Promise<void> {
  for await (const { type } of connection.status()) {
    if (type === 'disconnect') report(false);
    if (type === 'reconnect') report(true);
  }
}
