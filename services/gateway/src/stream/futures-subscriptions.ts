/** The requests of a connection to the stream of contracts: `SUBSCRIBE` and `UNSUBSCRIBE`, each taken whole or not at all. */
import { ApiError, FuturesStreamRequest, SUCCESS, type Principal, type PrivateFuturesTopic } from '@orrery/api';
import type { Floor } from '../floor.ts';
import { validatorOf } from '../input/validate.ts';
import type { ReadBarrier } from '../orders/read-barrier.ts';
import type { Who } from '../signing/who.ts';
import type { Connection } from './connection.ts';
import type { Connections } from './connections.ts';
import type { FuturesPrivate } from './futures-private.ts';
import { futuresTopicOf, type ParsedTopic } from './futures-topic.ts';
import type { FuturesTopics } from './futures-topics.ts';
import type { ListenKeys } from './listen-keys.ts';

export interface FuturesSubscriptionPorts {
  readonly floor: Floor;
  readonly barrier: ReadBarrier;
  readonly who: Who;
  readonly listenKeys: ListenKeys;
  readonly connections: Connections;
  readonly futuresTopics: FuturesTopics;
  readonly futuresPrivate: FuturesPrivate;
  readonly topicsMax: number;
  readonly chargeGoingOn: (connection: Connection) => boolean;
}

/** Of listen keys. */
type Owners = ReadonlyMap<string, Principal>;

interface Beginning {
  readonly keys: ReadonlySet<string>;
  readonly from: number | undefined;
  readonly begin: (owners: Owners) => void;
}

const HAPPENINGS: ReadonlySet<PrivateFuturesTopic> = new Set<PrivateFuturesTopic>(['trade', 'liquidation']);

const validate = validatorOf(FuturesStreamRequest);

export class FuturesSubscriptions {
  readonly #ports: FuturesSubscriptionPorts;

  constructor(ports: FuturesSubscriptionPorts) {
    this.#ports = ports;
  }

  /** Throws what is refused. @returns a promise where it has to be looked up whose streams these are, which rejects with what is refused */
  take(connection: Connection, message: object): Promise<void> | undefined {
    const { method, params, id, from } = validate(message);
    const topics = params.map((text) => futuresTopicOf(this.#ports.floor, text));
    const succeed = (): void => connection.say(JSON.stringify({ id, code: SUCCESS, msg: 'success' }));
    if (method === 'UNSUBSCRIBE') {
      for (const topic of topics) this.#end(connection, topic);
      succeed();
      return undefined;
    }
    const resumed = topics.flatMap(({ isPrivate, topic }) => (isPrivate && HAPPENINGS.has(topic) ? [topic] : []));
    if (from !== undefined && resumed.length === 0)
      throw new ApiError('MalformedField', { field: 'from', message: 'from goes with trade or liquidation' });
    if (from !== undefined && !this.#ports.chargeGoingOn(connection)) return undefined;
    this.#checkRoom(connection, topics);
    const begin = (owners: Owners): void => {
      this.#begin(connection, topics, owners);
      succeed();
      if (from !== undefined && connection.reader !== undefined)
        this.#ports.futuresPrivate.sendMissed(connection, connection.reader, { from, topics: resumed });
      for (const topic of topics) this.#sendWhole(connection, topic);
    };
    const keys = new Set(topics.flatMap((topic) => (topic.isPrivate ? [topic.listenKey] : [])));
    if (keys.size > 0) return this.#beginPrivate(connection, { keys, from, begin });
    begin(new Map());
    return undefined;
  }

  async #beginPrivate(connection: Connection, { keys, from, begin }: Beginning): Promise<void> {
    if (from !== undefined) await this.#waitUntil(connection, { keys, from });
    // After the wait: a key may have ended meanwhile.
    const owners = await this.#ownersOf(keys);
    // Closed meanwhile, it would stay among the readers.
    if (connection.isOpen) begin(owners);
  }

  /** The reader has heard as much at another process. */
  async #waitUntil(connection: Connection, { keys, from }: { readonly keys: ReadonlySet<string>; readonly from: number }): Promise<void> {
    [connection.opening] = (await this.#ownersOf(keys)).values();
    try {
      await this.#ports.barrier.views(from, 'from');
    } finally {
      connection.opening = undefined;
    }
  }

  #checkRoom(connection: Connection, topics: readonly ParsedTopic[]): void {
    const fresh = new Set(topics.flatMap((topic) => (topic.isPrivate ? [] : [topic.topic.event])));
    for (const event of connection.topics) fresh.delete(event);
    if (connection.topics.size + fresh.size > this.#ports.topicsMax) throw new ApiError('TooMany', { field: 'params' });
  }

  async #ownersOf(keys: ReadonlySet<string>): Promise<Owners> {
    const owners = new Map<string, Principal>();
    for (const key of keys) {
      const owner = await this.#ports.listenKeys.ownerOf(key, ['futures']);
      if (owner === undefined) throw new ApiError('NotSignedIn', { field: 'params' });
      owners.set(key, owner);
    }
    return owners;
  }

  #begin(connection: Connection, topics: readonly ParsedTopic[], owners: Owners): void {
    const { futuresTopics, futuresPrivate } = this.#ports;
    const readers = topics.map((topic) => (topic.isPrivate ? this.#readerOf(connection, owners.get(topic.listenKey)) : undefined));
    if (new Set(readers.flatMap((reader) => reader?.account ?? [])).size > 1) throw new ApiError('NotYours', { field: 'params' });
    for (const [index, parsed] of topics.entries()) {
      const reader = readers[index];
      if (!parsed.isPrivate) futuresTopics.subscribe(connection, parsed.topic);
      else if (reader !== undefined) futuresPrivate.subscribe(connection, reader, parsed.topic);
    }
  }

  /** Whose stream it is comes from the listen key alone; a connection is one account's. */
  #readerOf(connection: Connection, owner: Principal | undefined): Principal {
    const { who, connections } = this.#ports;
    if (owner === undefined) throw new ApiError('NotSignedIn', { field: 'params' });
    const reader = who.admit(owner);
    if (connection.reader !== undefined && connection.reader.account !== reader.account)
      throw new ApiError('NotYours', { field: 'params' });
    connections.admit(connection, reader.account);
    return reader;
  }

  #end(connection: Connection, parsed: ParsedTopic): void {
    if (parsed.isPrivate) this.#ports.futuresPrivate.unsubscribe(connection, parsed.topic);
    else this.#ports.futuresTopics.unsubscribe(connection, parsed.topic.event);
  }

  #sendWhole(connection: Connection, parsed: ParsedTopic): void {
    const { reader } = connection;
    if (!parsed.isPrivate) this.#ports.futuresTopics.sendWhole(connection, parsed.topic);
    else if (reader !== undefined) this.#ports.futuresPrivate.sendWhole(connection, reader, parsed.topic);
  }
}
