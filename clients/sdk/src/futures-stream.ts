/** The live stream of perpetual contracts: market data and the own account over one connection that heals itself. */
import { FUTURES_STREAM_PATH, type FaultName, type FuturesDepthUpdate, type FuturesPush, type FuturesStreamReply } from '@orrery/api';
import { CallError } from './call-error.ts';
import { Connection, type ConnectionState, type OpenSocket } from './connection.ts';
import { DepthReplica } from './depth-replica.ts';
import { FuturesAccountStream } from './futures-account-stream.ts';
import {
  futuresKlineTopic,
  type ContractListener,
  type FuturesAccountListener,
  type FuturesKlineTopic,
  type FuturesListeners,
} from './futures-topic.ts';
import { Renewals } from './renewals.ts';
import type { Unlisten } from './stream.ts';
import { Subscriptions } from './subscriptions.ts';

export interface FuturesStreamOptions {
  /** Origin of the exchange, such as `http://localhost:8080`. */
  readonly baseUrl: string;
  /** A listen key of the own account: `() => client.listenKey({ type: 'futures' })`. */
  readonly listenKey?: () => Promise<string>;
  readonly openSocket?: OpenSocket;
  readonly onState?: (state: ConnectionState) => void;
  /** A message was refused, or a listen key could not be had. */
  readonly onFault?: (error: Error) => void;
}

/** A topic as it stands in `Subscriptions`: what begins and ends it is the same text under another method. */
interface NamedTopic {
  readonly name: string;
  readonly begin: object;
  readonly end: object;
}

interface Refusal {
  readonly resType: 'error';
  readonly code: number;
  readonly msg: string;
  readonly data: { readonly reason: string; readonly field?: string };
}

const TICKERS = 'agg_tickers';

export class FuturesStream {
  readonly #options: FuturesStreamOptions;
  readonly #connection: Connection;
  readonly #depths: Subscriptions<ContractListener>;
  readonly #deals: Subscriptions<ContractListener>;
  readonly #klines: Subscriptions<FuturesListeners['kline']>;
  readonly #tickers: Subscriptions<FuturesListeners['tickers']>;
  readonly #fundings: Subscriptions<FuturesListeners['funding']>;
  readonly #account: FuturesAccountStream;
  readonly #replicas = new Map<string, DepthReplica>();
  readonly #renewals = new Renewals((symbol) => this.#depths.renew(this.#topic(depthOf(symbol))));
  #requests = 0;
  #state: ConnectionState = 'connecting';

  constructor(options: FuturesStreamOptions) {
    this.#options = options;
    const url = new URL(FUTURES_STREAM_PATH, options.baseUrl);
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
    this.#connection = new Connection({
      url: url.href,
      onState: (state) => this.#changed(state),
      onMessage: (text) => this.#heard(text),
      ...(options.openSocket === undefined ? {} : { openSocket: options.openSocket }),
    });
    const send = (message: object): void => {
      if (this.#state === 'open') this.#connection.send(JSON.stringify(message));
    };
    this.#depths = new Subscriptions(send);
    this.#deals = new Subscriptions(send);
    this.#klines = new Subscriptions(send);
    this.#tickers = new Subscriptions(send);
    this.#fundings = new Subscriptions(send);
    this.#account = new FuturesAccountStream({
      send,
      nextId: () => this.#nextId(),
      listenKey: () => this.#listenKey(),
      onFault: (error) => options.onFault?.(error),
    });
    this.#connection.open();
  }

  get state(): ConnectionState {
    return this.#state;
  }

  contract(symbol: string, listener: ContractListener): Unlisten {
    const replica = this.#replicas.get(symbol) ?? new DepthReplica(symbol);
    this.#replicas.set(symbol, replica);
    const leaveDepth = this.#depths.add(this.#topic(depthOf(symbol)), listener);
    const leaveDeals = this.#deals.add(this.#topic(dealsOf(symbol)), listener);
    if (replica.isProven) listener.onDepth?.(replica);
    return () => {
      leaveDepth();
      leaveDeals();
      if (this.#depths.of(this.#topic(depthOf(symbol))).length === 0) this.#replicas.delete(symbol);
    };
  }

  klines(topic: FuturesKlineTopic, listener: FuturesListeners['kline']): Unlisten {
    return this.#klines.add(this.#topic(futuresKlineTopic(topic)), listener);
  }

  /** The last 24 hours, mark, index and best prices of every contract, where one of them has changed. */
  tickers(listener: FuturesListeners['tickers']): Unlisten {
    return this.#tickers.add(this.#topic(TICKERS), listener);
  }

  funding(symbol: string, listener: FuturesListeners['funding']): Unlisten {
    return this.#fundings.add(this.#topic(fundingOf(symbol)), listener);
  }

  /**
   * The own account: one listener at a time.
   * @param options.from the `accountSeq` of another stream, at any address: this one goes on there, and sends what happened in that command again
   */
  account(listener: FuturesAccountListener, { from }: { readonly from?: number | undefined } = {}): Unlisten {
    return this.#account.listen(listener, from);
  }

  /** Up to which command the account's changes were heard; undefined before the first. */
  get accountSeq(): number | undefined {
    return this.#account.seq;
  }

  close(): void {
    this.#connection.close();
  }

  #listenKey(): Promise<string> {
    const { listenKey } = this.#options;
    return listenKey === undefined ? Promise.reject(new Error('this stream was opened without listen keys')) : listenKey();
  }

  #nextId(): number {
    this.#requests += 1;
    return this.#requests;
  }

  #topic(name: string): NamedTopic {
    const request = (method: 'SUBSCRIBE' | 'UNSUBSCRIBE'): object => ({ method, params: [name], id: this.#nextId() });
    return { name, begin: request('SUBSCRIBE'), end: request('UNSUBSCRIBE') };
  }

  #changed(state: ConnectionState): void {
    this.#state = state;
    if (state === 'open') {
      for (const subscriptions of [this.#depths, this.#deals, this.#klines, this.#tickers, this.#fundings]) subscriptions.begin();
      this.#account.begin();
    } else {
      this.#account.end();
      this.#renewals.end();
      for (const replica of this.#replicas.values()) if (replica.isProven) this.#lose(replica);
    }
    this.#options.onState?.(state);
  }

  #heard(text: string): void {
    const message = parsed(text);
    if (message === undefined) this.#options.onFault?.(new Error('a message of the stream could not be read'));
    else if ('topic' in message) this.#pushed(message);
    else if ('resType' in message) {
      const { code, msg, data } = message;
      const { reason, ...field } = data;
      this.#options.onFault?.(new CallError({ code, msg, status: 0, reason: reason as FaultName, ...field }));
      this.#account.refused(data.field);
    } else this.#account.replied(message.id);
  }

  #pushed(push: FuturesPush): void {
    switch (push.topic) {
      case 'depth_update':
        return this.#depthChanged(push.data);
      case 'trade':
        return this.#deals.notify(this.#topic(push.event), (listener) => listener.onDeal?.(push.data));
      case 'kline':
        return this.#klines.notify(this.#topic(push.event), (listener) => listener(push.data));
      case 'agg_tickers':
        return this.#tickers.notify(this.#topic(push.event), (listener) => listener(push.data));
      case 'funding':
        return this.#fundings.notify(this.#topic(push.event), (listener) => listener(push.data));
      case 'order':
      case 'balance':
      case 'position':
      case 'own_trade':
      case 'liquidation':
      case 'account':
      case 'terms':
      case 'twap':
      case 'gap':
      case 'ready':
        return this.#account.pushed(push);
      default:
      // A topic that nobody listens to here.
    }
  }

  #depthChanged(update: FuturesDepthUpdate): void {
    const replica = this.#replicas.get(update.s);
    if (replica === undefined) return;
    const wasProven = replica.isProven;
    if (replica.update(update)) {
      this.#depths.notify(this.#topic(depthOf(update.s)), (listener) => listener.onDepth?.(replica));
      return;
    }
    if (wasProven) this.#lose(replica);
    // Changes that come before the whole are nothing to rely on, and no fault either; a whole that does not fit its checksum is one.
    if (wasProven || update.whole) this.#renewals.ask(update.s);
  }

  #lose(replica: DepthReplica): void {
    replica.clear();
    this.#depths.notify(this.#topic(depthOf(replica.symbol)), (listener) => listener.onDepthLost?.());
  }
}

const depthOf = (symbol: string): string => `depth_update@${symbol.toLowerCase()}`;
const dealsOf = (symbol: string): string => `trade@${symbol.toLowerCase()}`;
const fundingOf = (symbol: string): string => `funding@${symbol.toLowerCase()}`;

/** The gateway sends what the contract says; a kind of message that is newer than this client falls through. */
function parsed(text: string): FuturesPush | FuturesStreamReply | Refusal | undefined {
  try {
    return JSON.parse(text) as FuturesPush | FuturesStreamReply | Refusal;
  } catch {
    return undefined;
  }
}
