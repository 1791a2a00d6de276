/** Mounts routes on the server: from where, who, how often, with what; then the handler, then the envelope. */
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  ACCOUNT_HEADER,
  ApiError,
  batchOf,
  FILE_TYPES,
  isOperatorPath,
  isSignerPath,
  mayOperate,
  ok,
  permits,
  REQUEST_ID_HEADER,
  SentFile,
  SentPieces,
  SAME_SITE_HEADER,
  STALE_HEADER,
  type Mounted,
  type Operator,
  type Principal,
  type Route,
} from '@orrery/api';
import type { OnCaller } from './access-log.ts';
import type { Attendance } from '../attendance.ts';
import { RequestCaller } from './caller.ts';
import type { Hosts } from './host.ts';
import { inputReader, type Input } from '../input/input.ts';
import type { Charges, Payer } from '../limits/charges.ts';
import type { Limits } from '../limits/limits.ts';
import { networkOf } from '../limits/network.ts';
import type { OperatorDoor } from '../ports.ts';
import type { Origins } from './origin.ts';
import { isWithdrawal, logRefusedWithdrawal } from './refused-withdrawal.ts';
import { API_HEADERS } from './refuse.ts';
import { queryOf, type Parameters } from '../input/request-text.ts';
import { answersOf } from './serialise.ts';
import { bodyOf } from './server.ts';
import type { Who } from '../signing/who.ts';

export interface CallPorts {
  readonly who: Who;
  readonly operators: OperatorDoor;
  readonly hosts: Hosts;
  readonly origins: Origins;
  /** Of the pages that make the calls of operators. */
  readonly consoleOrigins: Origins;
  /** Of the signing page. */
  readonly signerOrigins: Origins;
  readonly attendance: Attendance;
  readonly charges: Charges;
  readonly limits: Limits;
  readonly historyStaleSince: () => number | undefined;
  /** For those who log. */
  readonly onCaller?: OnCaller | undefined;
}

export function mountCalls(server: FastifyInstance, mounted: readonly Mounted[], ports: CallPorts): void {
  for (const each of mounted) {
    const { route } = each;
    const { schema, serialise } = answersOf(route.response);
    for (const url of [route.path, ...(route.aliases ?? [])]) {
      server.route({
        method: route.method,
        url,
        bodyLimit: bodyLimitOf(route, ports.limits),
        ...(route.upload ? uploadHooks(route, ports) : {}),
        schema: { response: { 200: schema } },
        serializerCompiler: () => serialise,
        handler: handlerOf(each, ports),
      });
    }
  }
}

const bodyLimitOf = ({ path, upload }: Route, { http }: Limits): number =>
  upload ? http.uploadBodyBytes : path.includes('/batch/') ? http.batchBodyBytes : http.bodyBytes;

/** Strangers are refused before their file is read into memory, and so is everybody while too many files are read. */
function uploadHooks(route: Route, ports: CallPorts) {
  let running = 0;
  const counted = new WeakSet<FastifyRequest>();
  const leave = (request: FastifyRequest): void => {
    if (counted.delete(request)) running -= 1;
  };
  return {
    onRequest: async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      const origins = ports.origins;
      await ports.who.learn(request.headers);
      await principalOf({
        route,
        request,
        network: networkOf(request.ip),
        ports,
        parameters: parametersOf({ route, request, origins, ports }),
      });
      if (running >= ports.limits.http.uploadsAtOnce) throw new ApiError('Overloaded', { retryAfterSeconds: 5 });
      running += 1;
      counted.add(request);
      // Also when the sender leaves before the end.
      reply.raw.once('close', () => leave(request));
    },
  };
}

function handlerOf({ route, answer }: Mounted, ports: CallPorts): (request: FastifyRequest, reply: FastifyReply) => Promise<unknown> {
  const inputOf = inputReader(route);
  const origins = originsOf(route, ports);
  const called = async (request: FastifyRequest, reply: FastifyReply, onCaller: (principal: Principal | Operator | undefined) => void) => {
    if (route.readsHistory) markStale(reply, ports.historyStaleSince());
    let payer: Payer = { network: networkOf(request.ip), name: undefined, tier: 'standard' };
    const parameters = refusedAtCost(payer.network, ports, () => parametersOf({ route, request, origins, ports }));
    const charge = (more: number): void => ports.charges.items(route.rate, payer, more);
    const caller = new RequestCaller({ request, reply, origins, hosts: ports.hosts, charge });
    const asked = { route, request, network: payer.network, ports };
    const learnt = ports.who.learn(request.headers);
    if (learnt !== undefined) await learnt;
    const found = route.access === 'operator' ? operatorOf({ ...asked, caller }) : principalOf({ ...asked, parameters });
    const principal = found instanceof Promise ? await found : found;
    payer = payerOf(payer.network, principal);
    ports.onCaller?.(request, principal);
    onCaller(principal);
    if (principal !== undefined && 'account' in principal) ports.attendance.called(principal);
    const counted = ports.charges.call(route.rate, payer);
    if (counted !== undefined) await counted;
    const file = fileOf(route, request);
    const input = { ...inputOf(parameters, bodyOf(request)?.value), ...file };
    if (counted !== undefined) await ports.charges.wallet(route.rate, payer, () => walletOf(input, principal) ?? route.path);
    const data = await answer({ principal, ...input, caller });
    reply.headers(API_HEADERS).header(REQUEST_ID_HEADER, request.id);
    if (data instanceof SentPieces) return sendPieces(reply, data);
    if (data instanceof SentFile) return sendFile(reply, data);
    return route.batch && Array.isArray(data) ? batchOf(data) : ok(data);
  };
  if (!isWithdrawal(route)) return (request, reply) => called(request, reply, () => undefined);
  return async (request, reply) => {
    let by: Principal | Operator | undefined;
    try {
      return await called(request, reply, (principal) => (by = principal));
    } catch (error) {
      logRefusedWithdrawal(error, request, by);
      throw error;
    }
  };
}

/** A file is the body of an upload, and of nothing else. */
function fileOf(route: Route, { body }: FastifyRequest): { readonly body?: SentFile } {
  if (!(body instanceof SentFile)) {
    if (route.upload && body !== undefined && body !== null) throw new ApiError('UnsupportedMediaType', { message: UPLOAD_TYPES });
    if (route.upload) throw new ApiError('MissingField', { field: 'file' });
    return {};
  }
  if (!route.upload) throw new ApiError('UnsupportedMediaType');
  return { body };
}

const UPLOAD_TYPES = `the body must be a file: ${FILE_TYPES.join(', ')}`;

function sendFile(reply: FastifyReply, { type, bytes, name = 'file' }: SentFile): Buffer {
  attach(reply, type, name);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Its length is known before: what ends early is seen to have. */
function sendPieces(reply: FastifyReply, { type, name, bytes, pieces }: SentPieces): Readable {
  attach(reply, type, name);
  reply.header('content-length', bytes);
  return Readable.from(pieces);
}

/** Never shown in a page of ours: a browser saves it, guesses no type, and runs nothing in it. */
function attach(reply: FastifyReply, type: string, name: string): void {
  reply.headers({
    'content-type': type,
    'content-disposition': `attachment; filename="${name}"`,
    'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
  });
}

/** Which pages make this call. */
function originsOf({ path }: Route, { origins, consoleOrigins, signerOrigins }: CallPorts): Origins {
  if (isOperatorPath(path)) return consoleOrigins;
  return isSignerPath(path) ? signerOrigins : origins;
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
function markStale(reply: FastifyReply, since: number | undefined): void {
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

function principalOf({
  route,
  request,
  network,
  parameters,
  ports,
}: Asked & { parameters: Parameters }): Principal | Promise<Principal> | undefined {
  if (route.access === 'public' || route.access === 'cookie') return undefined;
  const {
    headers,
    method,
    ip,
    raw: { url = '' },
  } = request;
  const { access } = route;
  const permitted = (principal: Principal): Principal => {
    if (!permits(principal, access)) throw new ApiError('PermissionMissing');
    if (isForAnother(headers[ACCOUNT_HEADER], principal)) throw new ApiError('AccountChanged');
    return principal;
  };
  // By network and not by account: a key for reading must not use up what its owner may order.
  const found = refusedAtCost(network, ports, () => {
    const admitted = ports.who.of({ headers, method, url, ip, parameters, bodyText: bodyOf(request)?.text ?? '' });
    return admitted instanceof Promise ? admitted : permitted(admitted);
  });
  if (!(found instanceof Promise)) return found;
  return found.then(permitted).catch((error: unknown) => {
    // Nobody is to blame for a database that is away.
    if (!(error instanceof ApiError && error.data.reason === 'Upstream')) ports.charges.stranger(network);
    throw error;
  });
}

/** Whether the caller made the call for another account than the one it would act on. */
const isForAnother = (account: string | readonly string[] | undefined, principal: Principal): boolean =>
  account !== undefined && account !== String(principal.account);

async function operatorOf({ route, network, ports, caller }: Asked & { caller: RequestCaller }): Promise<Operator> {
  try {
    const operator = await ports.operators.enter(caller);
    const { role, right } = route;
    if (role === undefined || !mayOperate(operator.role, role)) throw new ApiError('PermissionMissing');
    if (right !== undefined && !operator.rights.includes(right)) throw new ApiError('PermissionMissing');
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
