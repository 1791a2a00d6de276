/** The connection of this process to NATS, and the subjects of its exchange. */
import type { NatsConnection } from '@nats-io/transport-node';
import { assert } from '@orrery/units';
import type { Surroundings } from '../surroundings.ts';
import { connectNats } from './nats.ts';

/** @throws StartError when no server answers */
export async function openConnection({ config, closing }: Surroundings): Promise<{ connection: NatsConnection; prefix: string }> {
  assert(config.events !== undefined, 'a process that speaks to others has ORRERY_EVENTS');
  const connection = await connectNats(config.events, `orrery ${config.role}`);
  closing.add({ name: 'the connection to NATS', stop: () => connection.close() });
  return { connection, prefix: `orrery.${config.environment}` };
}
