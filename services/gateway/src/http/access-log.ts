/**
 * The access log: one line for each call that was answered. A call is named by the pattern of its route, never by its address, whose query may hold a token;
 * nothing of its headers or its body is written.
 */
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';
import type { Operator, Principal } from '@orrery/api';
import { addressOf, neighbourhoodOf } from '../limits/network.ts';

export interface AccessLogOptions {
  readonly logger: FastifyBaseLogger;
  /** `on`: the neighbourhood that a home or an office has; or the whole address. */
  readonly addresses: 'on' | 'whole';
}

/** Who made a call, once that is known. */
export type OnCaller = (request: FastifyRequest, by: Principal | Operator | undefined) => void;

/** @returns what has to be called with the caller of each call */
export function logAccess(server: FastifyInstance, { logger, addresses }: AccessLogOptions): OnCaller {
  const callers = new WeakMap<FastifyRequest, Principal | Operator>();
  // Written at any level of the log: a setting of its own turns it off.
  const log = logger.child({ log: 'access' }, { level: 'info' });
  server.addHook('onResponse', (request, reply, done) => {
    log.info({
      requestId: request.id,
      method: request.method,
      route: request.routeOptions.url ?? null,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      bytes: bytesOf(reply.getHeader('content-length')),
      ...nameOf(callers.get(request)),
      address: (addresses === 'whole' ? addressOf(request.ip) : neighbourhoodOf(request.ip)) ?? null,
    });
    done();
  });
  return (request, by) => {
    if (by !== undefined) callers.set(request, by);
  };
}

/** Of an answer whose length is not known before its end, none is written. */
const bytesOf = (length: unknown): number | null => (length === undefined ? null : Number(length));

function nameOf(by: Principal | Operator | undefined): Readonly<Record<string, unknown>> {
  if (by === undefined) return { account: null };
  return 'operatorId' in by ? { account: null, operator: by.operatorId } : { account: by.account, via: by.via };
}
