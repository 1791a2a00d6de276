/** The connection to the NATS servers: one is enough, and when it is lost another is tried, without an end. */
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { StartError } from '../start-error.ts';

/** A server that is silent for so long is given up for another. */
const PING_MS = 1_000;
const UNANSWERED_PINGS = 2;
const RECONNECT_MS = 100;
const CONNECT_MS = 5_000;

/** @param urls separated by commas, such as `nats://name:password@10.0.0.1:4222`. @throws StartError when none answers */
export async function connectNats(urls: string, name: string): Promise<NatsConnection> {
  const parsed = urls.split(',').map((text) => new URL(text));
  const [first] = parsed;
  try {
    return await connect({
      servers: parsed.map(({ host }) => host),
      ...(first?.username !== undefined &&
        first.username !== '' && { user: decodeURIComponent(first.username), pass: decodeURIComponent(first.password) }),
      ...(parsed.some(({ protocol }) => protocol === 'tls:') && { tls: {} }),
      name,
      timeout: CONNECT_MS,
      maxReconnectAttempts: -1,
      reconnectTimeWait: RECONNECT_MS,
      reconnectJitter: RECONNECT_MS,
      pingInterval: PING_MS,
      maxPingOut: UNANSWERED_PINGS,
      // A stack for each request, in case it fails, is a twentieth of what a gateway does.
      noAsyncTraces: true,
    });
  } catch (cause) {
    throw new StartError(`No server of ORRERY_EVENTS answers: ${cause instanceof Error ? cause.message : String(cause)}.`, { cause });
  }
}
