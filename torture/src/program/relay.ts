/** Passes the bytes of each connection on to another place, for what lies behind a socket file or in another network namespace. */
import { once } from 'node:events';
import { connect, createServer, type ListenOptions, type NetConnectOpts, type Server, type Socket } from 'node:net';

/** Resolves when it listens. */
export async function relay(at: ListenOptions, target: NetConnectOpts): Promise<Server> {
  const server = createServer({ pauseOnConnect: true, allowHalfOpen: true }, (client) => join(client, target)).listen(at);
  await once(server, 'listening');
  return server;
}

function join(client: Socket, target: NetConnectOpts): void {
  const other = connect({ ...target, allowHalfOpen: true });
  for (const [from, to] of [
    [client, other],
    [other, client],
  ] as const) {
    from.on('error', () => to.destroy());
    from.pipe(to);
  }
}
