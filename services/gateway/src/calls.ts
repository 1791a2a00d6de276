/** Mounts routes on the server: from where, who, how often, with what; then the handler, then the envelope. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, ok, permits, SAME_SITE_HEADER, type Principal, type Route } from '@orrery/api';
import { reachedBy, RequestCaller } from './caller.ts';
import { inputReader } from './input.ts';
import type { Limits } from './limits.ts';
import type { Mounted } from './mount.ts';
import type { Origins } from './origin.ts';
import type { Buckets } from './rates.ts';
import { API_HEADERS } from './refuse.ts';
import { queryOf, type Parameters } from './request-text.ts';
import { responseSchema } from './serialise.ts';
import { bodyOf } from './server.ts';
import type { Who } from './who.ts';

export interface CallPorts {
  readonly who: Who;
  readonly origins: Origins;
  readonly buckets: Buckets;
  readonly limits: Limits;
}

export function mountCalls(server: FastifyInstance, mounted: readonly Mounted[], ports: CallPorts): void {
  for (const each of mounted) {
    const { route } = each;
    const isBatch = route.path.includes('/batch/');
    for (const url of [route.path, ...(route.aliases ?? [])]) {
      server.route({
        method: route.method,
        url,
        bodyLimit: isBatch ? ports.limits.http.batchBodyBytes : ports.limits.http.bodyBytes,
        schema: { response: { 200: responseSchema(route.response) } },
        handler: handlerOf(each, ports),
      });
    }
  }
}

function handlerOf({ route, answer }: Mounted, ports: CallPorts): (request: FastifyRequest, reply: FastifyReply) => Promise<unknown> {
  const inputOf = inputReader(route);
  return async (request, reply) => {
    const url = request.raw.url ?? '';
    if (url.length > ports.limits.http.urlBytes) throw new ApiError('UriTooLong');
    checkOrigin(route, request, ports.origins);
    const parameters = queryOf(url);
    const principal = principalOf({ route, request, parameters, ports });
    const charge = (count: number): void => take({ route, request, principal, ports, count });
    charge(1);
    const input = inputOf(parameters, bodyOf(request)?.value);
    const caller = new RequestCaller({ request, reply, origins: ports.origins, charge });
    const data = await answer({ principal, ...input, caller });
    reply.headers(API_HEADERS);
    return ok(data);
  };
}

/** What changes something, and what logs in, is taken from our own pages and from programs only. */
function checkOrigin(route: Route, request: FastifyRequest, origins: Origins): void {
  const { origin } = request.headers;
  if (origin !== undefined && (route.method !== 'GET' || route.sameOrigin)) origins.check(origin, reachedBy(request));
  if (route.access === 'cookie' && request.headers[SAME_SITE_HEADER] === undefined)
    throw new ApiError('MissingField', { field: SAME_SITE_HEADER });
}

interface Asked {
  readonly route: Route;
  readonly request: FastifyRequest;
  readonly ports: CallPorts;
}

function principalOf({ route, request, parameters, ports }: Asked & { parameters: Parameters }): Principal | undefined {
  if (route.access === 'public' || route.access === 'cookie') return undefined;
  const {
    headers,
    method,
    ip,
    raw: { url = '' },
  } = request;
  let principal: Principal;
  try {
    principal = ports.who.of({ headers, method, path: pathOf(url), ip, parameters, bodyText: bodyOf(request)?.text ?? '' });
  } catch (error) {
    // Whoever guesses at credentials is counted by where they come from.
    ports.buckets.take(`public ${ip}`, ports.limits.rates.standard.public);
    throw error;
  }
  if (!permits(principal, route.access)) throw new ApiError('PermissionMissing');
  return principal;
}

function take({ route, request, principal, ports, count }: Asked & { principal: Principal | undefined; count: number }): void {
  const rate = ports.limits.rates[principal?.tier ?? 'standard'][route.rate];
  const owner = principal === undefined || rate.by === 'ip' ? request.ip : principal.account;
  ports.buckets.take(`${route.rate} ${owner}`, rate, count);
}

function pathOf(url: string): string {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}
