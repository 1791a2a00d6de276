/** The WebSocket server: lets connections in, hears them, and closes what is over. */
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type RawData, type WebSocket } from 'ws';
import type { Event } from '@orrery/protocol';
import { ApiError, FUTURES_STREAM_PATH, PING, PONG, refusal, STREAM_PATH } from '@orrery/api';
import type { Floor } from '../floor.ts';
import type { Charges } from '../limits/charges.ts';
import type { Limits } from '../limits/limits.ts';
import { networkOf } from '../limits/network.ts';
import type { OrderDesk } from '../orders/order-desk.ts';
import type { ReadBarrier } from '../orders/read-barrier.ts';
import type { Origins } from '../http/origin.ts';
import type { Authenticator, NewsSource } from '../ports.ts';
import type { Buckets } from '../limits/rates.ts';
import { refusalOf } from '../http/refuse.ts';
import { jsonOf } from '../input/request-text.ts';
import type { Who } from '../signing/who.ts';
import { CLOSE, Connection } from './connection.ts';
import { Connections, type StreamsElsewhere } from './connections.ts';
import { FuturesPrivate } from './futures-private.ts';
import { FuturesSubscriptions } from './futures-subscriptions.ts';
import { FuturesTopics } from './futures-topics.ts';
import type { ListenKeys } from './listen-keys.ts';
import { PrivateStreams } from './private-streams.ts';
import { PublicTopics } from './public-topics.ts';
import { StreamRequests } from './requests.ts';
import { Subscriptions } from './subscriptions.ts';
import type { OpenStreams } from '../peers.ts';
import type { Tickets } from './tickets.ts';

export interface StreamOptions {
  readonly floor: Floor;
  readonly barrier: ReadBarrier;
  readonly desk: OrderDesk;
  readonly who: Who;
  readonly tickets: Tickets;
  readonly listenKeys: ListenKeys;
  readonly authenticator: Authenticator;
  readonly news: NewsSource;
  readonly origins: Origins;
  readonly buckets: Buckets;
  readonly charges: Charges;
  readonly limits: Limits;
  readonly now: () => number;
  /** Who may act ends by it. */
  readonly wallMs: () => number;
  readonly monotonicMs: () => number;
  /** Undefined: this process is alone. */
  readonly elsewhere: StreamsElsewhere | undefined;
  /** Where a connection comes from, and by which origin it reached us. */
  readonly callerOf: (request: IncomingMessage) => { ip: string; reachedBy: string };
}

/** What a private stream costs, besides its message, that goes on where another ended. */
const GOING_ON_MESSAGES = 4;

export class StreamServer {
  readonly #options: StreamOptions;
  readonly #server: WebSocketServer;
  readonly #connections: Connections;
  readonly #publicTopics: PublicTopics;
  readonly #privateStreams: PrivateStreams;
  readonly #subscriptions: Subscriptions;
  readonly #futuresTopics: FuturesTopics;
  readonly #futuresPrivate: FuturesPrivate;
  readonly #futuresSubscriptions: FuturesSubscriptions;
  readonly #requests: StreamRequests;
  readonly #endings: (() => void)[] = [];
  readonly #onRefused = (connection: Connection): void => void this.#chargeMessage(connection);
  #lastId = 0;

  constructor(options: StreamOptions) {
    const {
      floor,
      limits: { stream },
      now,
      monotonicMs,
    } = options;
    this.#options = options;
    this.#connections = new Connections(stream, monotonicMs, options.elsewhere);
    this.#publicTopics = new PublicTopics(floor, now);
    this.#privateStreams = new PrivateStreams(floor);
    const chargeGoingOn = (connection: Connection): boolean => this.#chargeMessage(connection, GOING_ON_MESSAGES);
    const terms = { topicsMax: stream.topics, chargeGoingOn };
    const parts = { connections: this.#connections, publicTopics: this.#publicTopics, privateStreams: this.#privateStreams };
    this.#subscriptions = new Subscriptions({ ...options, ...parts, ...terms });
    this.#futuresTopics = new FuturesTopics(floor, now);
    this.#futuresPrivate = new FuturesPrivate(floor);
    this.#futuresSubscriptions = new FuturesSubscriptions({
      ...options,
      connections: this.#connections,
      futuresTopics: this.#futuresTopics,
      futuresPrivate: this.#futuresPrivate,
      ...terms,
    });
    this.#requests = new StreamRequests({ ...options, connections: this.#connections });
    this.#server = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      autoPong: false,
      perMessageDeflate: false,
      maxPayload: stream.payloadBytes,
      maxFragments: stream.fragments,
      maxBufferedChunks: stream.bufferedChunks,
    });
    this.#server.on('wsClientError', (_error, wire) =>
      turnAway(wire, new ApiError('MalformedBody', { message: 'this is no WebSocket handshake' })),
    );
    this.#run();
  }

  get count(): number {
    return this.#connections.count;
  }

  open(): OpenStreams {
    return this.#connections.open();
  }

  /** Whether anybody is connected but the house. */
  get isWatched(): boolean {
    return this.#connections.isWatched;
  }

  /** Takes the upgrades of an HTTP server. */
  attach(server: Server): void {
    server.on('upgrade', (request: IncomingMessage, wire: Duplex, head: Buffer) => {
      wire.on('error', () => wire.destroy());
      try {
        const ip = this.#greet(request);
        const isFutures = request.url === FUTURES_STREAM_PATH;
        this.#server.handleUpgrade(request, wire, head, (socket) => this.#open({ socket, wire, ip, isFutures }));
      } catch (error) {
        turnAway(wire, refusalOf(error));
      }
    });
  }

  close(): void {
    for (const end of this.#endings) end();
    this.#connections.closeAll();
    this.#server.close();
  }

  #run(): void {
    const {
      floor,
      tickets,
      listenKeys,
      authenticator,
      news,
      limits: { stream },
      wallMs,
    } = this.#options;
    const every = (ms: number, work: () => void): void => {
      const timer = setInterval(work, ms);
      this.#endings.push(() => clearInterval(timer));
    };
    for (const topics of [this.#publicTopics, this.#futuresTopics]) {
      every(stream.depthIntervalMs, () => topics.publishDepth());
      every(stream.statsIntervalMs, () => topics.publishStats());
    }
    every(stream.statsIntervalMs, () => this.#connections.closeWhere((principal) => principal.endsAt <= wallMs()));
    every(stream.pingMs, () => this.#connections.heartbeat());
    this.#endings.push(
      floor.listen(this.#publicTopics),
      floor.listen(this.#privateStreams),
      floor.listen(this.#futuresTopics),
      floor.listen(this.#futuresPrivate),
      floor.listen({ change: (event) => this.#closeBlocked(event), settled: () => undefined }),
      news.onNews((change) => this.#privateStreams.sendNews(change)),
      authenticator.onRevoked((credential) => {
        tickets.revoke(credential);
        listenKeys.revoke(credential);
        this.#connections.closeWhere((principal) => principal.credential === credential);
      }),
    );
  }

  /** Where the connection comes from; throws when it may not be opened. */
  #greet(request: IncomingMessage): string {
    const { origins, callerOf } = this.#options;
    const { ip, reachedBy } = callerOf(request);
    if (request.url !== STREAM_PATH && request.url !== FUTURES_STREAM_PATH) throw new ApiError('NotFound');
    if (request.headers.origin !== undefined) origins.check(request.headers.origin, reachedBy);
    this.#connections.checkRoom(networkOf(ip));
    return ip;
  }

  #open({ socket, wire, ip, isFutures }: { socket: WebSocket; wire: Duplex; ip: string; isFutures: boolean }): void {
    const {
      limits: { stream },
      monotonicMs,
    } = this.#options;
    this.#lastId += 1;
    const connection = new Connection({ socket, wire, ip, isFutures, id: this.#lastId, limits: stream, now: monotonicMs });
    this.#connections.add(connection);
    const idle = setTimeout(() => closeUnused(connection), stream.authenticateMs);
    socket.on('message', (data, isBinary) => this.#hear(connection, data, isBinary));
    // Counted like messages: a client that requests pongs and reads none would fill our memory with them.
    socket.on('ping', (data) => {
      if (this.#chargeMessage(connection)) socket.pong(data);
    });
    socket.on('pong', () => {
      connection.heardAt = monotonicMs();
      this.#chargeMessage(connection);
    });
    socket.on('error', () => socket.terminate());
    socket.on('close', () => {
      clearTimeout(idle);
      this.#connections.remove(connection);
      const [topics, own] = isFutures ? [this.#futuresTopics, this.#futuresPrivate] : [this.#publicTopics, this.#privateStreams];
      topics.leaveAll(connection);
      own.unsubscribe(connection);
    });
  }

  #hear(connection: Connection, data: RawData, isBinary: boolean): void {
    // What was on its way when the connection was closed is not heard.
    if (!connection.isOpen) return;
    connection.heardAt = this.#options.monotonicMs();
    if (isBinary || !Buffer.isBuffer(data)) return connection.close(CLOSE.policy, 'text only');
    const text = data.toString('utf8');
    // Orders of those who may give them are charged as orders; everything else, and what is refused of them uncharged, as messages.
    const isOrder = connection.trader?.permission === 'TRADE' && text.startsWith('{"op":"order.');
    if (!isOrder && !this.#chargeMessage(connection)) return;
    const refuse = (error: unknown): undefined => {
      if (isOrder && !this.#chargeMessage(connection)) return;
      connection.say(JSON.stringify({ resType: 'error', ...refusal(refusalOf(error)) }));
    };
    connection.inTurn(() => {
      try {
        return this.#take(connection, text)?.catch(refuse);
      } catch (error) {
        return refuse(error);
      }
    });
  }

  /** @returns undefined when it is answered already, or need not be before what comes after it */
  #take(connection: Connection, text: string): Promise<void> | undefined {
    if (text === PING || text === PONG) {
      if (text === PING) connection.say(PONG);
      return undefined;
    }
    const message = jsonOf(text, this.#options.limits.http.depth);
    if (typeof message !== 'object' || message === null) throw new ApiError('MalformedBody');
    if (connection.isFutures) return this.#futuresSubscriptions.take(connection, message);
    if ('sub' in message) return this.#subscriptions.begin(connection, message);
    if ('unsub' in message) return this.#subscriptions.end(connection, message);
    if (!('op' in message)) throw new ApiError('MissingField', { field: 'sub' });
    return this.#requests.take(connection, message, this.#onRefused);
  }

  /** False when that was one message too many: then the connection is closed. */
  #chargeMessage(connection: Connection, messages = 1): boolean {
    const {
      buckets,
      limits: { stream },
    } = this.#options;
    try {
      buckets.take('stream', connection.id, stream.messages, messages);
      return true;
    } catch {
      connection.close(CLOSE.policy, 'too many messages');
      return false;
    }
  }

  #closeBlocked(event: Event): void {
    if (event.type === 'AccountFlagSet' && event.flag === 'blocked' && event.value) {
      this.#connections.closeWhere((principal) => principal.account === event.account);
    }
  }
}

/** A connection without a subscription by now is closed. */
function closeUnused(connection: Connection): void {
  const { topics, reader, trader, opening } = connection;
  const isUsed = topics.size > 0 || [reader, trader, opening].some((principal) => principal !== undefined);
  if (!isUsed) connection.close(CLOSE.policy, 'nothing was asked for');
}

function turnAway(wire: Duplex, refused: ApiError): void {
  const body = JSON.stringify(refusal(refused));
  wire.end(
    `HTTP/1.1 ${refused.status} ${refused.data.reason}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
