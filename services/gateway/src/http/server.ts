/** The HTTP server: bounded in time, size and number before anything is understood. */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import fastifyCookie from '@fastify/cookie';
import Fastify, { LogController, type FastifyBaseLogger, type FastifyInstance, type FastifyRequest } from 'fastify';
import { ApiError, FILE_TYPES, refusal, SentFile, type ApiFault } from '@orrery/api';
import type { Charges } from '../limits/charges.ts';
import type { Limits } from '../limits/limits.ts';
import { atCost } from './at-cost.ts';
import { addDate } from './date-header.ts';
import { answerError, API_HEADERS } from './refuse.ts';
import { newRequestId } from './request-id.ts';
import { limitSockets } from './sockets.ts';
import { jsonOf } from '../input/request-text.ts';

export interface ServerOptions {
  readonly limits: Limits;
  readonly charges: Charges;
  readonly logger: FastifyBaseLogger;
  /** Proxies in front; 0: X-Forwarded-* is ignored. */
  readonly proxyHops: number;
  /** The time of the exchange. */
  readonly now: () => number;
}

/** A JSON body: its value, and its text as it was signed. */
export class JsonBody {
  readonly text: string;
  readonly value: unknown;

  constructor(text: string, value: unknown) {
    this.text = text;
    this.value = value;
  }
}

export function createServer({ limits: { http }, charges, logger, proxyHops, now }: ServerOptions): FastifyInstance {
  const server = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    // Requests are not logged one by one: none needs a logger of its own.
    childLoggerFactory: (log) => log,
    genReqId: newRequestId,
    bodyLimit: http.bodyBytes,
    exposeHeadRoutes: false,
    trustProxy: proxyHops === 0 ? false : (_address, hop) => hop < proxyHops,
    requestTimeout: http.requestTimeoutMs,
    connectionTimeout: http.idleTimeoutMs,
    keepAliveTimeout: http.idleTimeoutMs,
    maxRequestsPerSocket: http.requestsPerSocket,
    forceCloseConnections: true,
    http: {
      maxHeaderSize: http.headerBytes,
      requestTimeout: http.requestTimeoutMs,
      headersTimeout: http.headersTimeoutMs,
      connectionsCheckingInterval: http.checkIntervalMs,
      // `Hosts` refuses a missing one, with an envelope.
      requireHostHeader: false,
      // Programs that offer HTTP/2 beside their call get its answer over this one.
      shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === 'websocket',
    },
    // Parameters are read from the address by `queryOf`, which refuses what a parser would guess at.
    routerOptions: { querystringParser: () => ({}), maxParamLength: 256 },
    clientErrorHandler: refuseSocket,
    frameworkErrors: (error, request, reply) => answerError(atCost(error, request, charges), reply),
  });
  addDate(server, now);
  // Without its hook: few calls read cookies, and those parse them.
  void server.register(fastifyCookie, { hook: false });
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, bytes: Buffer, done) => {
    try {
      done(null, bytes.length === 0 ? undefined : jsonBodyOf(bytes, http.depth));
    } catch (error) {
      done(error instanceof Error ? error : new ApiError('MalformedBody'));
    }
  });
  // The limit of the body is each call's own: only an upload takes more than a call of JSON does.
  server.addContentTypeParser([...FILE_TYPES], { parseAs: 'buffer' }, (request, bytes: Buffer<ArrayBuffer>, done) => {
    done(null, new SentFile((request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '', bytes));
  });
  refuseAtCost(server, charges);
  server.server.on('checkExpectation', refuseExpectation);
  limitSockets(server.server, { ofNetwork: proxyHops === 0 ? http.socketsPerNetwork : undefined, ofAll: http.sockets });
  return server;
}

/** A call charges by itself; what fails before it is charged here. */
function refuseAtCost(server: FastifyInstance, charges: Charges): void {
  const reachedCalls = new WeakSet<FastifyRequest>();
  server.addHook('preHandler', (request, _reply, done) => {
    reachedCalls.add(request);
    done();
  });
  server.setErrorHandler((error, request, reply) =>
    answerError(reachedCalls.has(request) ? error : atCost(error, request, charges), reply),
  );
}

/** Bytes that are not UTF-8 would be read as something else than what was signed. */
function jsonBodyOf(bytes: Buffer, depthMax: number): JsonBody {
  if (!isUtf8(bytes)) throw new ApiError('MalformedBody', { message: 'the body is not UTF-8' });
  const text = bytes.toString('utf8');
  return new JsonBody(text, jsonOf(text, depthMax));
}

/** The JSON body of a request, when it has one. */
export const bodyOf = (request: FastifyRequest): JsonBody | undefined => (request.body instanceof JsonBody ? request.body : undefined);

const SOCKET_FAULTS: Readonly<Record<string, ApiFault>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'RequestTimeout',
  HPE_HEADER_OVERFLOW: 'HeadersTooLarge',
};

/** Node knows one expectation, `100-continue`, and would answer any other without a body. */
function refuseExpectation(_request: IncomingMessage, response: ServerResponse): void {
  const fault = new ApiError('MalformedField', { field: 'expect' });
  response.writeHead(fault.status, { 'content-type': 'application/json; charset=utf-8', connection: 'close', ...API_HEADERS });
  response.end(JSON.stringify(refusal(fault)));
}

/** What is no HTTP request gets an answer too, and then the socket is closed. */
export function refuseSocket(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const fault = new ApiError(SOCKET_FAULTS[error.code ?? ''] ?? 'MalformedBody', { message: 'this is not a request that can be read' });
  const body = JSON.stringify(refusal(fault));
  if (socket.writable) {
    socket.write(
      `HTTP/1.1 ${fault.status} ${fault.data.reason}\r\nContent-Type: application/json; charset=utf-8\r\n` +
        `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    );
  }
  socket.destroySoon();
}
