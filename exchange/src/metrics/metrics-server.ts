/** `/metrics`, `/livez` and `/readyz` on a port of their own, which no proxy shows to the public. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LIVE, type Probe } from '@orrery/gateway';
import { explainPort, type Door } from '../port.ts';
import type { Metrics } from './metrics.ts';

/** From the start of a request to its last byte in. */
const REQUEST_MS = 5_000;
const SOCKETS_MAX = 32;

export interface MetricsServer {
  /** Where it listens. */
  readonly url: string;
  close(): Promise<void>;
}

/** @throws StartError when the port is taken */
export async function startMetricsServer(
  door: Door,
  { metrics, ready }: { metrics: Pick<Metrics, 'page'>; ready: () => Probe },
): Promise<MetricsServer> {
  const answer = async ({ method, url = '' }: IncomingMessage): Promise<{ status: number; text: string; type?: string }> => {
    if (method !== 'GET') return { status: 405, text: 'only GET is answered here\n' };
    const [path] = url.split('?', 1);
    if (path === '/metrics') return { status: 200, ...(await metrics.page()) };
    if (path === '/livez') return LIVE;
    if (path === '/readyz') return ready();
    return { status: 404, text: 'here are /metrics, /livez and /readyz\n' };
  };
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { status, text, type = 'text/plain; charset=utf-8' } = await answer(request);
    response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(text) }).end(text);
  };
  const server = createServer({ requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS }, (request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  server.maxConnections = SOCKETS_MAX;
  server.listen({ host: door.host, port: door.port });
  await once(server, 'listening').catch(explainPort(door, 'ORRERY_METRICS_PORT'));
  const { address, port, family } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
