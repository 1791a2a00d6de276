/** The CORS exchange before a page of another origin may call us and read the answer. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  ACCOUNT_HEADER,
  ApiError,
  isOperatorPath,
  REQUEST_ID_HEADER,
  SAME_SITE_HEADER,
  SEQ_HEADER,
  SIGNED_HEADERS,
  STALE_HEADER,
} from '@orrery/api';
import { methodsAt } from './methods.ts';
import type { Origins } from './origin.ts';
import { API_HEADERS } from './refuse.ts';

/** What our own pages send. */
const REQUEST_HEADERS = ['authorization', 'content-type', SAME_SITE_HEADER, ACCOUNT_HEADER, ...Object.values(SIGNED_HEADERS)].join(', ');
/** What they read: the date is the clock of the exchange, by which they count down. */
const ANSWER_HEADERS = [SEQ_HEADER, STALE_HEADER, REQUEST_ID_HEADER, 'retry-after', 'date'].join(', ');
const PREFLIGHT_SECONDS = 600;
const RPC_PATH = '/rpc';

export function mountCors(server: FastifyInstance, origins: Origins): void {
  // Not async: most calls come from no page, and none should wait for a promise that has nothing to say.
  server.addHook('onRequest', (request, reply, done) => {
    const { origin } = request.headers;
    if (origin === undefined || allow(request, reply, { origin, origins })) done();
  });
}

/** @returns false when that was the whole answer. */
function allow(request: FastifyRequest, reply: FastifyReply, { origin, origins }: { origin: string; origins: Origins }): boolean {
  const path = request.url.split('?', 1)[0] ?? '';
  if (path === RPC_PATH) return allowRpc(request, reply);
  const methods = methodsAt(path);
  const isAllowed = origins.isForeign(origin) && methods !== undefined && !isOperatorPath(path);
  if (isAllowed) reply.headers({ 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true', vary: 'origin' });
  if (methods !== undefined && isPreflight(request)) {
    if (!isAllowed) throw new ApiError('ForeignOrigin');
    answerPreflight(reply, methods);
    return false;
  }
  if (isAllowed) reply.header('access-control-expose-headers', ANSWER_HEADERS);
  return true;
}

/** As public nodes do: wallets call it from wherever they are, it reads no cookie, and answers the same to all. */
function allowRpc(request: FastifyRequest, reply: FastifyReply): boolean {
  reply.header('access-control-allow-origin', '*');
  if (!isPreflight(request)) return true;
  reply
    .code(204)
    .headers({
      ...API_HEADERS,
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'content-type',
      'access-control-max-age': String(PREFLIGHT_SECONDS),
    })
    .send();
  return false;
}

const isPreflight = ({ method, headers }: FastifyRequest): boolean =>
  method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;

const answerPreflight = (reply: FastifyReply, methods: readonly string[]): FastifyReply =>
  reply
    .code(204)
    .headers({
      ...API_HEADERS,
      'access-control-allow-methods': methods.join(', '),
      'access-control-allow-headers': REQUEST_HEADERS,
      'access-control-max-age': String(PREFLIGHT_SECONDS),
    })
    .send();
