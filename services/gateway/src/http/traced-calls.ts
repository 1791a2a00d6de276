/** Calls as others trace them: from the head of the request to the end of its answer, and what happens meanwhile for it. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Mounted } from '@orrery/api';

/** Never anything of the address, the body or the headers of the request beside these. */
export interface BegunCall {
  readonly requestId: string;
  readonly method: string;
  /** As the call is mounted. */
  readonly path: string;
  /** The header of W3C, as the caller sent it: anybody may have. */
  readonly traceparent: string | undefined;
}

export interface TracedCall {
  /** Does the work, and what follows from it, as part of this call. */
  within(work: () => void): void;
  /** @param status undefined when the caller left before the answer */
  end(status: number | undefined): void;
}

export interface CallTraces {
  begin(call: BegunCall): TracedCall;
}

/** Of the calls of the API: neither pages nor what is no call. */
export function traceCalls(server: FastifyInstance, mounted: readonly Mounted[], traces: CallTraces): void {
  const paths = new Set(mounted.flatMap(({ route: { path, aliases = [] } }) => [path, ...aliases]));
  const traced = new WeakMap<FastifyRequest, TracedCall>();
  server.addHook('onRequest', (request, reply, done) => {
    const { id: requestId, method, routeOptions, headers } = request;
    const path = routeOptions.url;
    if (path !== undefined && paths.has(path)) {
      const { traceparent } = headers;
      const call = traces.begin({ requestId, method, path, traceparent: typeof traceparent === 'string' ? traceparent : undefined });
      traced.set(request, call);
      reply.raw.once('close', () => call.end(reply.raw.writableFinished ? reply.statusCode : undefined));
    }
    done();
  });
  // Once the body is read: what the socket reads is nobody's.
  server.addHook('preHandler', (request, _reply, done) => {
    const call = traced.get(request);
    if (call === undefined) done();
    else call.within(done);
  });
}
