/**
 * `/livez` and `/readyz`, for what starts, stops and balances processes. A process is ready while it can take calls: what stands still behind it, such as the chain or history in SQL, is
 * reported and does not take it away from everybody.
 */
import type { FastifyInstance } from 'fastify';
import { API_HEADERS } from './refuse.ts';
import type { Part } from '../ports.ts';
import { statesOf } from '../status.ts';

/** An answer to a probe: its HTTP status, and lines for the person who looks. */
export interface Probe {
  readonly status: 200 | 503;
  readonly text: string;
}

/** The event loop turns: a process that does not answer this is to be started again. */
export const LIVE: Probe = { status: 200, text: 'live\n' };

export interface ReadinessPorts {
  /** Why no call can be taken, in one sentence; undefined when calls are taken. */
  readonly refusing: () => string | undefined;
  readonly parts: readonly Part[];
}

export function readiness({ refusing, parts }: ReadinessPorts): Probe {
  const reason = refusing();
  const lines = statesOf(parts).map(({ name, ready, detail }) => `${name}: ${ready ? 'ready' : detail}`);
  return { status: reason === undefined ? 200 : 503, text: [reason ?? 'ready', ...lines, ''].join('\n') };
}

export function mountProbes(server: FastifyInstance, ready: () => Probe): void {
  for (const [path, probe] of [
    ['/livez', () => LIVE],
    ['/readyz', ready],
  ] as const) {
    server.get(path, (_request, reply) => {
      const { status, text } = probe();
      return reply.code(status).headers(API_HEADERS).type('text/plain; charset=utf-8').send(text);
    });
  }
}
