/** The WebSocket server: lets connections in, hears them, keeps them within their limits, and closes what is over. */
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type RawData, type WebSocket } from 'ws';
import { ApiError, PING, PONG, refusal, STREAM_PATH, SUCCEED, Subscribe, type Principal } from '@orrery/api';
import type { AccountId } from '@orrery/units';
import type { Change, Floor } from '../floor.ts';
import type { Limits } from '../limits.ts';
import { marketNamed } from '../listing.ts';
import type { OrderDesk } from '../order-desk.ts';
import type { Origins } from '../origin.ts';
import type { Authenticator } from '../ports.ts';
import type { Buckets } from '../rates.ts';
import { refusalOf } from '../refuse.ts';
import { jsonOf } from '../request-text.ts';
import { validatorOf, type Validator } from '../validate.ts';
import type { Who } from '../who.ts';
import { CLOSE, Connection } from './connection.ts';
import { PrivateStreams } from './private-streams.ts';
import { PublicTopics, type Topic } from './public-topics.ts';
import { StreamRequests } from './requests.ts';
import type { Tickets } from './tickets.ts';

export interface StreamOptions {
  readonly floor: Floor;
  readonly desk: OrderDesk;
  readonly who: Who;
  readonly tickets: Tickets;
  readonly authenticator: Authenticator;
  readonly origins: Origins;
  readonly buckets: Buckets;
  readonly limits: Limits;
  readonly now: () => number;
  /** Where a connection comes from, and by which origin it reached us. */
  readonly callerOf: (request: IncomingMessage) => { ip: string; reachedBy: string };
}

type SubscribeSchema = (typeof Subscribe.anyOf)[number];

const subscriptionValidators = new Map<string, Validator<SubscribeSchema>>(
  Subscribe.anyOf.map((schema) => [schema.properties.sub.const, validatorOf(schema)]),
);

export class StreamServer {
  readonly #options: StreamOptions;
  readonly #server: WebSocketServer;
  readonly #connections = new Set<Connection>();
  readonly #perIp = new Map<string, number>();
  readonly #publicTopics: PublicTopics;
  readonly #privateStreams: PrivateStreams;
  readonly #requests: StreamRequests;
  readonly #endings: (() => void)[] = [];
  #lastId = 0;

  constructor(options: StreamOptions) {
    const { stream } = options.limits;
    this.#options = options;
    this.#publicTopics = new PublicTopics(options.floor, options.now);
    this.#privateStreams = new PrivateStreams(options.floor);
    this.#requests = new StreamRequests({ ...options, admit: (connection, principal) => this.#admit(connection, principal) });
    this.#server = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      maxPayload: stream.payloadBytes,
      maxFragments: stream.fragments,
      maxBufferedChunks: stream.bufferedChunks,
    });
    this.#run();
  }

  get count(): number {
    return this.#connections.size;
  }

  /** Takes the upgrades of an HTTP server. */
  attach(server: Server): void {
    server.on('upgrade', (request: IncomingMessage, wire: Duplex, head: Buffer) => {
      wire.on('error', () => wire.destroy());
      try {
        const { ip } = this.#greet(request);
        this.#server.handleUpgrade(request, wire, head, (socket) => this.#open(socket, wire, ip));
      } catch (error) {
        turnAway(wire, refusalOf(error));
      }
    });
  }

  close(): void {
    for (const end of this.#endings) end();
    for (const connection of this.#connections) connection.close(CLOSE.goingAway, 'the server stops');
    this.#server.close();
  }

  #run(): void {
    const {
      floor,
      authenticator,
      limits: { stream },
    } = this.#options;
    const every = (ms: number, work: () => void): void => {
      const timer = setInterval(work, ms);
      this.#endings.push(() => clearInterval(timer));
    };
    every(stream.depthIntervalMs, () => this.#publicTopics.publishDepth());
    every(stream.statsIntervalMs, () => this.#publicTopics.publishStats());
    every(stream.statsIntervalMs, () => this.#closeEnded());
    every(stream.pingMs, () => this.#heartbeat());
    this.#endings.push(
      floor.listen(this.#publicTopics),
      floor.listen(this.#privateStreams),
      floor.listen({ change: (change) => this.#closeBlocked(change), settled: () => undefined }),
      authenticator.onRevoked((credential) => this.#closeWhere((principal) => principal.credential === credential)),
    );
  }

  #greet(request: IncomingMessage): { ip: string } {
    const {
      origins,
      callerOf,
      limits: { stream },
    } = this.#options;
    const { ip, reachedBy } = callerOf(request);
    if (request.url !== STREAM_PATH) throw new ApiError('NotFound');
    origins.check(request.headers.origin, reachedBy);
    if (this.#connections.size >= stream.connectionsPerNode || (this.#perIp.get(ip) ?? 0) >= stream.connectionsPerIp) {
      throw new ApiError('TooManyConnections');
    }
    return { ip };
  }

  #open(socket: WebSocket, wire: Duplex, ip: string): void {
    const {
      limits: { stream },
      now,
    } = this.#options;
    this.#lastId += 1;
    const connection = new Connection({ socket, wire, ip, id: this.#lastId, limits: stream, now });
    this.#connections.add(connection);
    this.#perIp.set(ip, (this.#perIp.get(ip) ?? 0) + 1);
    // Whoever has asked for nothing by then is not a reader of ours.
    const idle = setTimeout(() => {
      if (connection.topics.size === 0 && connection.reader === undefined && connection.trader === undefined) {
        connection.close(CLOSE.policy, 'nothing was asked for');
      }
    }, stream.authenticateMs);
    socket.on('message', (data, isBinary) => this.#hear(connection, data, isBinary));
    socket.on('pong', () => (connection.heardAt = now()));
    socket.on('error', () => socket.terminate());
    socket.on('close', () => {
      clearTimeout(idle);
      this.#forget(connection);
    });
  }

  #forget(connection: Connection): void {
    this.#connections.delete(connection);
    this.#publicTopics.leaveAll(connection);
    this.#privateStreams.unsubscribe(connection);
    const left = (this.#perIp.get(connection.ip) ?? 1) - 1;
    if (left === 0) this.#perIp.delete(connection.ip);
    else this.#perIp.set(connection.ip, left);
  }

  #hear(connection: Connection, data: RawData, isBinary: boolean): void {
    connection.heardAt = this.#options.now();
    if (isBinary || !Buffer.isBuffer(data)) return connection.close(CLOSE.policy, 'text only');
    this.#take(connection, data.toString('utf8')).catch((error: unknown) => this.#refuse(connection, error));
  }

  async #take(connection: Connection, text: string): Promise<void> {
    const isTrader = connection.trader !== undefined;
    // Orders of a trader are counted as orders; everything else as messages.
    if (!isTrader || !text.startsWith('{"op"')) this.#chargeMessage(connection);
    if (text === PING) return connection.say(PONG);
    if (text === PONG) return;
    const message = jsonOf(text, this.#options.limits.http.depth);
    if (typeof message !== 'object' || message === null) throw new ApiError('MalformedBody');
    if ('op' in message) return this.#requests.take(connection, message);
    if ('sub' in message) return this.#subscribe(connection, message);
    if ('unsub' in message) return this.#unsubscribe(connection, message);
    throw new ApiError('MissingField', { field: 'sub' });
  }

  #chargeMessage(connection: Connection): void {
    const {
      buckets,
      limits: { stream },
    } = this.#options;
    try {
      buckets.take(`stream ${connection.id}`, stream.messages);
    } catch (error) {
      connection.close(CLOSE.policy, 'too many messages');
      throw error;
    }
  }

  /** Refused orders of a trader are counted as messages, so that hammering at a limit ends the connection. */
  #refuse(connection: Connection, error: unknown): void {
    const refused = refusalOf(error);
    if (refused.data.reason === 'TooManyRequests' && connection.trader !== undefined) {
      try {
        this.#chargeMessage(connection);
      } catch {
        return;
      }
      return;
    }
    connection.say(JSON.stringify({ resType: 'error', ...refusal(refused) }));
  }

  #subscribe(connection: Connection, message: { sub: unknown }): void {
    const subscription = subscriptionOf(message, 'sub');
    if (subscription.sub === 'subUser') {
      const principal = this.#options.tickets.use(subscription.token);
      if (principal === undefined) throw new ApiError('NotSignedIn', { field: 'token' });
      const reader = this.#options.who.admit(principal);
      this.#admit(connection, reader);
      this.#privateStreams.subscribe(connection, reader);
      connection.say(SUCCEED);
      this.#privateStreams.tellWhole(connection, reader);
      return;
    }
    if (connection.topics.size >= this.#options.limits.stream.topics) throw new ApiError('TooMany', { field: 'sub' });
    const topic = this.#topicOf(subscription);
    this.#publicTopics.subscribe(connection, topic);
    connection.say(SUCCEED);
    this.#publicTopics.tellWhole(connection, topic);
  }

  #unsubscribe(connection: Connection, { unsub, ...rest }: { unsub: unknown }): void {
    if (unsub === 'subUser') {
      this.#privateStreams.unsubscribe(connection);
    } else {
      const subscription = subscriptionOf({ ...rest, sub: unsub }, 'unsub');
      if (subscription.sub === 'subUser') throw new ApiError('MalformedField', { field: 'unsub' });
      this.#publicTopics.unsubscribe(connection, this.#topicOf(subscription));
    }
    connection.say(SUCCEED);
  }

  #topicOf(subscription: Exclude<Subscribe, { sub: 'subUser' }>): Topic {
    if (subscription.sub === 'subStats') return { kind: 'stats' };
    const {
      market: { market },
    } = marketNamed(this.#options.floor, subscription.symbol);
    if (subscription.sub === 'subKline') return { kind: 'kline', market, interval: subscription.type };
    return { kind: subscription.sub === 'subSymbol' ? 'market' : 'index', market };
  }

  #admit(connection: Connection, { account }: Principal): void {
    const isOwn = (other: Connection): boolean => other !== connection && isOf(other, account);
    const count = [...this.#connections].filter(isOwn).length;
    if (count >= this.#options.limits.stream.connectionsPerAccount) throw new ApiError('TooManyConnections');
  }

  #heartbeat(): void {
    const {
      now,
      limits: { stream },
    } = this.#options;
    for (const connection of this.#connections) {
      if (now() - connection.heardAt > stream.deadMs) connection.socket.terminate();
      else connection.socket.ping();
    }
  }

  #closeEnded(): void {
    const now = this.#options.now();
    this.#closeWhere((principal) => principal.endsAt <= now);
  }

  #closeBlocked({ event }: Change): void {
    if (event.type === 'AccountFlagSet' && event.flag === 'blocked' && event.value) {
      this.#closeWhere((principal) => principal.account === event.account);
    }
  }

  #closeWhere(isOver: (principal: Principal) => boolean): void {
    for (const connection of this.#connections) {
      const { trader, reader } = connection;
      if ((trader !== undefined && isOver(trader)) || (reader !== undefined && isOver(reader))) {
        connection.close(CLOSE.policy, 'the session has ended');
      }
    }
  }
}

/** An ending names what was subscribed to in the same words. */
function subscriptionOf(message: { sub: unknown }, field: 'sub' | 'unsub'): Subscribe {
  const validate = subscriptionValidators.get(String(message.sub));
  if (validate === undefined) throw new ApiError('MalformedField', { field });
  return validate(message);
}

const isOf = ({ trader, reader }: Connection, account: AccountId): boolean => trader?.account === account || reader?.account === account;

function turnAway(wire: Duplex, refused: ApiError): void {
  const body = JSON.stringify(refusal(refused));
  wire.end(
    `HTTP/1.1 ${refused.status} ${refused.data.reason}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
