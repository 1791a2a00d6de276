/** Mounts routes on the server: from where, who, how often, with what; then the handler, then the envelope. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  ApiError,
  isOperatorPath,
  mayOperate,
  ok,
  permits,
  SAME_SITE_HEADER,
  STALE_HEADER,
  type Mounted,
  type Operator,
  type Principal,
  type Route,
} from '@orrery/api';
import { reachedBy, RequestCaller } from './caller.ts';
import { inputReader } from '../input/input.ts';
import type { Limits } from '../limits/limits.ts';
import type { OperatorDoor } from '../ports.ts';
import type { Origins } from './origin.ts';
import type { Buckets } from '../limits/rates.ts';
import { rawPath } from './path.ts';
import { API_HEADERS } from './refuse.ts';
import { queryOf, type Parameters } from '../input/request-text.ts';
import { responseSchema } from './serialise.ts';
import { bodyOf } from './server.ts';
import type { Who } from '../signing/who.ts';

export interface CallPorts {
  readonly who: Who;
  readonly operators: OperatorDoor;
  readonly origins: Origins;
  /** Of the pages that make the calls of operators. */
  readonly consoleOrigins: Origins;
  readonly buckets: Buckets;
  readonly limits: Limits;
  readonly historyStaleSince: () => number | undefined;
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
  const origins = isOperatorPath(route.path) ? ports.consoleOrigins : ports.origins;
  return async (request, reply) => {
    const url = request.raw.url ?? '';
    if (url.length > ports.limits.http.urlBytes) throw new ApiError('UriTooLong');
    checkOrigin(route, request, origins);
    if (route.readsHistory) tellStale(reply, ports.historyStaleSince());
    const parameters = queryOf(url);
    let principal: Principal | Operator | undefined;
    const charge = (count: number): void => take({ route, request, principal, ports, count });
    const caller = new RequestCaller({ request, reply, origins, charge });
    principal =
      route.access === 'operator'
        ? await operatorOf({ route, request, ports, caller })
        : principalOf({ route, request, parameters, ports });
    charge(1);
    const input = inputOf(parameters, bodyOf(request)?.value);
    const data = await answer({ principal, ...input, caller });
    reply.headers(API_HEADERS);
    return ok(data);
  };
}

/** Of refusals too: that nothing can be read is a way of being stale. */
function tellStale(reply: FastifyReply, since: number | undefined): void {
  if (since !== undefined) reply.header(STALE_HEADER, since);
}

/** What changes something, and what logs in, is taken from our own pages, from those elsewhere that are listed, and from programs; the console from ours. */
function checkOrigin(route: Route, request: FastifyRequest, origins: Origins): void {
  const { origin } = request.headers;
  if (origin !== undefined && (route.method !== 'GET' || route.sameOrigin)) origins.check(origin, reachedBy(request));
  if ((route.access === 'cookie' || route.access === 'operator') && request.headers[SAME_SITE_HEADER] === undefined)
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
    principal = ports.who.of({ headers, method, path: rawPath(url), ip, parameters, bodyText: bodyOf(request)?.text ?? '' });
  } catch (error) {
    takeOfStranger(ip, ports);
    throw error;
  }
  if (!permits(principal, route.access)) throw new ApiError('PermissionMissing');
  return principal;
}

async function operatorOf({ route, request, ports, caller }: Asked & { caller: RequestCaller }): Promise<Operator> {
  let operator: Operator;
  try {
    operator = await ports.operators.enter(caller);
  } catch (error) {
    takeOfStranger(request.ip, ports);
    throw error;
  }
  if (route.role === undefined || !mayOperate(operator.role, route.role)) throw new ApiError('PermissionMissing');
  return operator;
}

/** Failed credentials are counted by the caller's address. */
function takeOfStranger(ip: string, { buckets, limits }: CallPorts): void {
  buckets.take(`public ${ip}`, limits.rates.standard.public);
}

function take({ route, request, principal, ports, count }: Asked & { principal: Principal | Operator | undefined; count: number }): void {
  const isOperator = principal !== undefined && 'operatorId' in principal;
  const rate = ports.limits.rates[principal === undefined || isOperator ? 'standard' : principal.tier][route.rate];
  const name = isOperator ? principal.operatorId : principal?.account;
  const owner = name === undefined || rate.by === 'ip' ? request.ip : name;
  ports.buckets.take(`${route.rate} ${owner}`, rate, count);
}
