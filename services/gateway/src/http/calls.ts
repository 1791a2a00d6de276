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
import { RequestCaller } from './caller.ts';
import type { Hosts } from './host.ts';
import { inputReader, type Input } from '../input/input.ts';
import type { Charges, Payer } from '../limits/charges.ts';
import type { Limits } from '../limits/limits.ts';
import { networkOf } from '../limits/network.ts';
import type { OperatorDoor } from '../ports.ts';
import type { Origins } from './origin.ts';
import { API_HEADERS } from './refuse.ts';
import { queryOf, type Parameters } from '../input/request-text.ts';
import { responseSchema } from './serialise.ts';
import { bodyOf } from './server.ts';
import type { Who } from '../signing/who.ts';

export interface CallPorts {
  readonly who: Who;
  readonly operators: OperatorDoor;
  readonly hosts: Hosts;
  readonly origins: Origins;
  /** Of the pages that make the calls of operators. */
  readonly consoleOrigins: Origins;
  readonly charges: Charges;
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
    if (route.readsHistory) tellStale(reply, ports.historyStaleSince());
    let payer: Payer = { network: networkOf(request.ip), name: undefined, tier: 'standard' };
    const parameters = refusedAtCost(payer.network, ports, () => parametersOf({ route, request, origins, ports }));
    const charge = (more: number): void => ports.charges.items(route.rate, payer, more);
    const caller = new RequestCaller({ request, reply, origins, hosts: ports.hosts, charge });
    const asked = { route, request, network: payer.network, ports };
    const principal = route.access === 'operator' ? await operatorOf({ ...asked, caller }) : principalOf({ ...asked, parameters });
    payer = payerOf(payer.network, principal);
    const counted = ports.charges.call(route.rate, payer);
    if (counted !== undefined) await counted;
    const input = inputOf(parameters, bodyOf(request)?.value);
    if (counted !== undefined) await ports.charges.wallet(route.rate, payer, () => walletOf(input, principal) ?? route.path);
    const data = await answer({ principal, ...input, caller });
    reply.headers(API_HEADERS);
    return ok(data);
  };
}

/** A call that is refused by `judge` is charged to its network. */
function refusedAtCost<Judged>(network: string, { charges }: CallPorts, judge: () => Judged): Judged {
  try {
    return judge();
  } catch (error) {
    charges.stranger(network);
    throw error;
  }
}

function parametersOf({ route, request, origins, ports }: Omit<Asked, 'network'> & { origins: Origins }): Parameters {
  const url = request.raw.url ?? '';
  if (url.length > ports.limits.http.urlBytes) throw new ApiError('UriTooLong');
  checkOrigin(route, request, { origins, hosts: ports.hosts });
  return queryOf(url);
}

/** Of refusals too: that nothing can be read is a way of being stale. */
function tellStale(reply: FastifyReply, since: number | undefined): void {
  if (since !== undefined) reply.header(STALE_HEADER, since);
}

/** What changes something, and what logs in, is taken from our own pages, from those elsewhere that are listed, and from programs; the console from ours. */
function checkOrigin(route: Route, request: FastifyRequest, { origins, hosts }: { origins: Origins; hosts: Hosts }): void {
  const { origin } = request.headers;
  if (origin !== undefined && (route.method !== 'GET' || route.sameOrigin)) origins.check(origin, hosts.originOf(request.raw));
  if ((route.access === 'cookie' || route.access === 'operator') && request.headers[SAME_SITE_HEADER] === undefined)
    throw new ApiError('MissingField', { field: SAME_SITE_HEADER });
}

interface Asked {
  readonly route: Route;
  readonly request: FastifyRequest;
  readonly network: string;
  readonly ports: CallPorts;
}

function principalOf({ route, request, network, parameters, ports }: Asked & { parameters: Parameters }): Principal | undefined {
  if (route.access === 'public' || route.access === 'cookie') return undefined;
  const {
    headers,
    method,
    ip,
    raw: { url = '' },
  } = request;
  // By network and not by account: a key for reading must not use up what its owner may order.
  return refusedAtCost(network, ports, () => {
    const principal = ports.who.of({ headers, method, url, ip, parameters, bodyText: bodyOf(request)?.text ?? '' });
    if (!permits(principal, route.access)) throw new ApiError('PermissionMissing');
    return principal;
  });
}

async function operatorOf({ route, network, ports, caller }: Asked & { caller: RequestCaller }): Promise<Operator> {
  try {
    const operator = await ports.operators.enter(caller);
    if (route.role === undefined || !mayOperate(operator.role, route.role)) throw new ApiError('PermissionMissing');
    return operator;
  } catch (error) {
    ports.charges.stranger(network);
    throw error;
  }
}

function payerOf(network: string, principal: Principal | Operator | undefined): Payer {
  if (principal === undefined) return { network, name: undefined, tier: 'standard' };
  if ('operatorId' in principal) return { network, name: principal.operatorId, tier: 'standard' };
  return { network, name: principal.account, tier: principal.tier };
}

const ADDRESS_LINE = /^0x[0-9a-fA-F]{40}$/m;

/**
 * The wallet that an attempt to sign in is for: of the session, of a field, or the line of its address in the signed message; else the name that is to
 * log in. Calls without any are counted each by its path.
 */
function walletOf({ query, body }: Input, principal: Principal | Operator | undefined): string | undefined {
  if (principal !== undefined && 'address' in principal) return principal.address;
  const { evmAddress, walletAddress, username, message } = { ...fieldsOf(query), ...fieldsOf(body) };
  const named = [evmAddress, walletAddress, typeof message === 'string' ? ADDRESS_LINE.exec(message)?.[0] : undefined, username];
  return named.find((value) => typeof value === 'string')?.toLowerCase();
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> => (typeof value === 'object' && value !== null ? { ...value } : {});
