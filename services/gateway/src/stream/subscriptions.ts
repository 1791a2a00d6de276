/** The subscriptions of a connection: `sub` and `unsub`, acknowledged by the text `succeed`. */
import { ApiError, SUCCEED, Subscribe } from '@orrery/api';
import type { Floor } from '../floor.ts';
import { marketNamed } from '../market-data/listing.ts';
import { validatorOf, type Validator } from '../input/validate.ts';
import type { ReadBarrier } from '../orders/read-barrier.ts';
import type { Who } from '../signing/who.ts';
import type { Connection } from './connection.ts';
import type { Connections } from './connections.ts';
import type { ListenKeys } from './listen-keys.ts';
import type { PrivateStreams } from './private-streams.ts';
import type { PublicTopics, Topic } from './public-topics.ts';
import type { Tickets } from './tickets.ts';

export interface SubscriptionPorts {
  readonly floor: Floor;
  readonly barrier: ReadBarrier;
  readonly who: Who;
  readonly tickets: Tickets;
  readonly listenKeys: ListenKeys;
  readonly connections: Connections;
  readonly publicTopics: PublicTopics;
  readonly privateStreams: PrivateStreams;
  readonly topicsMax: number;
  /** A stream that goes on where another ended may be sent a thousand trades. False: that was too much, and the connection is closed. */
  readonly chargeGoingOn: (connection: Connection) => boolean;
}

type SubscribeUser = Extract<Subscribe, { readonly sub: 'subUser' }>;
type SubscribeSchema = (typeof Subscribe.anyOf)[number];

const validators = new Map<string, Validator<SubscribeSchema>>(
  Subscribe.anyOf.map((schema) => [schema.properties.sub.const, validatorOf(schema)]),
);

export class Subscriptions {
  readonly #ports: SubscriptionPorts;

  constructor(ports: SubscriptionPorts) {
    this.#ports = ports;
  }

  /** @returns a promise where it has to be looked up whose stream it is */
  begin(connection: Connection, message: { sub: unknown }): Promise<void> | undefined {
    const { publicTopics, topicsMax } = this.#ports;
    const subscription = subscriptionOf(message, 'sub');
    if (subscription.sub === 'subUser') return this.#beginPrivate(connection, subscription);
    if (connection.topics.size >= topicsMax) throw new ApiError('TooMany', { field: 'sub' });
    const topic = this.#topicOf(subscription);
    publicTopics.subscribe(connection, topic);
    connection.say(SUCCEED);
    publicTopics.sendWhole(connection, topic);
    return undefined;
  }

  end(connection: Connection, { unsub, ...rest }: { unsub: unknown }): undefined {
    const { publicTopics, privateStreams } = this.#ports;
    if (unsub === 'subUser') {
      privateStreams.unsubscribe(connection);
    } else {
      const subscription = subscriptionOf({ ...rest, sub: unsub }, 'unsub');
      if (subscription.sub === 'subUser') throw new ApiError('MalformedField', { field: 'unsub' });
      publicTopics.unsubscribe(connection, this.#topicOf(subscription));
    }
    connection.say(SUCCEED);
  }

  /** Whose stream it is comes from the ticket or the listen key, never from the message. */
  async #beginPrivate(connection: Connection, { token, from }: SubscribeUser): Promise<void> {
    const { tickets, listenKeys, who, connections, privateStreams, barrier, chargeGoingOn } = this.#ports;
    if (from !== undefined && !chargeGoingOn(connection)) return;
    const principal = (await tickets.use(token)) ?? (await listenKeys.ownerOf(token, ['spot', 'always-spot']));
    if (principal === undefined) throw new ApiError('NotSignedIn', { field: 'token' });
    connection.opening = principal;
    try {
      // The reader has heard as much at another process.
      await barrier.views(from, 'from');
    } finally {
      connection.opening = undefined;
    }
    // Closed meanwhile, it would stay among the readers.
    if (!connection.isOpen) return;
    const reader = who.admit(principal);
    connections.admit(connection, reader.account);
    privateStreams.subscribe(connection, reader);
    connection.say(SUCCEED);
    privateStreams.sendWhole(connection, reader, from);
  }

  #topicOf(subscription: Exclude<Subscribe, { sub: 'subUser' }>): Topic {
    if (subscription.sub === 'subStats') return { kind: 'stats' };
    const { market } = marketNamed(this.#ports.floor, subscription.symbol).market;
    if (subscription.sub === 'subKline') return { kind: 'kline', market, interval: subscription.type };
    return { kind: subscription.sub === 'subSymbol' ? 'market' : 'index', market };
  }
}

/** An ending names what was subscribed to in the same words. */
function subscriptionOf(message: { sub: unknown }, field: 'sub' | 'unsub'): Subscribe {
  const validate = typeof message.sub === 'string' ? validators.get(message.sub) : undefined;
  if (validate === undefined) throw new ApiError('MalformedField', { field });
  return validate(message);
}
