/** The port of the page: tried before anything is started, so that a taken port is reported at once. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Config } from './config.ts';
import { StartError } from './start-error.ts';

export type Door = Pick<Config, 'host' | 'port'>;

/** Opens the port and releases it. Another program may still take it before the page is served: that failure has the same message. */
export async function tryPort(door: Door): Promise<void> {
  const server = createServer().listen({ host: door.host, port: door.port });
  await once(server, 'listening').catch(explainPort(door));
  server.close();
  await once(server, 'close');
}

/**
 * @param setting the name of the variable of the port
 * @returns what turns the failure to open a port into a `StartError` with one sentence.
 */
export function explainPort({ host, port }: Door, setting = 'ORRERY_PORT'): (cause: NodeJS.ErrnoException) => never {
  return (cause) => {
    if (cause.code === 'EADDRINUSE')
      throw new StartError(`Port ${port} on ${host} is in use: choose another in ${setting}, or 0 for any.`, { cause });
    if (cause.code === 'EACCES')
      throw new StartError(`Port ${port} may not be opened by this person: choose one above 1023 in ${setting}.`, { cause });
    if (cause.code === 'EADDRNOTAVAIL')
      throw new StartError(
        `${host} is no address of this machine: choose another in ${setting === 'ORRERY_PORT' ? 'ORRERY_HOST' : 'ORRERY_METRICS_HOST'}.`,
        { cause },
      );
    throw cause;
  };
}
