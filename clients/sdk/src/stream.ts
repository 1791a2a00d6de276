/** The live stream: market data, the own account, and orders over one connection that heals itself. */
import {
  ITEMS_REFUSED,
  STREAM_PATH,
  SUCCESS,
  SUCCEED,
  type BatchItem,
  type FaultName,
  type StreamMessage,
  type StreamOperation,
  type StreamPush,
  type StreamReply,
  type StreamRequest,
} from '@orrery/api';
import { AccountStream } from './account-stream.ts';
import { CallError, ConnectionError } from './call-error.ts';
import { Connection, type ConnectionState, type OpenSocket } from './connection.ts';
import { DepthReplica } from './depth-replica.ts';
import { tickerFrom } from './from-stream.ts';
import { Renewals } from './renewals.ts';
import { Subscriptions } from './subscriptions.ts';
import {
  indexPriceTopic,
  klineTopic,
  marketTopic,
  tickerTopic,
  type AccountListener,
  type KlineTopic,
  type Listeners,
  type MarketListener,
} from './topic.ts';
import { CALL_TIMEOUT_MS } from './transport.ts';

export interface StreamOptions {
  /** Origin of the exchange, such as `http://localhost:8080`. */
  readonly baseUrl: string;
  /** A ticket for the own account: `() => client.streamTicket()`. */
  readonly ticket?: () => Promise<string>;
  readonly openSocket?: OpenSocket;
  readonly onState?: (state: ConnectionState) => void;
  /** A message was refused, or a ticket could not be had. */
  readonly onFault?: (error: Error) => void;
}

type OrderOperation = Exclude<StreamOperation, 'login' | 'loginKey'>;
type ParametersOf<Operation extends StreamOperation> = Extract<StreamRequest, { readonly op: Operation }>['params'];

/** What each operation answers: the same as the HTTP call of its name. */
interface Answers {
  readonly 'order.create': string;
  readonly 'order.oco': { readonly groupId: string; readonly above: string; readonly below: string };
  readonly 'order.cancel': string;
  readonly 'order.batchCreate': readonly BatchItem[];
  readonly 'order.batchCancel': readonly BatchItem[];
  readonly 'order.cancelAll': readonly string[];
  readonly 'order.update': string;
}

interface Waiting {
  readonly resolve: (data: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly timer: ReturnType<typeof setTimeout>;
}

/** Ends a subscription. */
export type Unlisten = () => void;

export class Stream {
  readonly #options: StreamOptions;
  readonly #connection: Connection;
  readonly #markets: Subscriptions<Listeners['market']>;
  readonly #klines: Subscriptions<Listeners['kline']>;
  readonly #tickers: Subscriptions<Listeners['ticker']>;
  readonly #indexPrices: Subscriptions<Listeners['indexPrice']>;
  readonly #account: AccountStream;
  readonly #depths = new Map<string, DepthReplica>();
  readonly #renewals = new Renewals((symbol) => this.#markets.renew(marketTopic(symbol)));
  readonly #waiting = new Map<number, Waiting>();
  #requests = 0;
  #state: ConnectionState = 'connecting';
  #login: Promise<unknown> | undefined;

  constructor(options: StreamOptions) {
    this.#options = options;
    const url = new URL(STREAM_PATH, options.baseUrl);
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
    this.#markets = new Subscriptions(send);
    this.#klines = new Subscriptions(send);
    this.#tickers = new Subscriptions(send);
    this.#indexPrices = new Subscriptions(send);
    this.#account = new AccountStream({ send, ticket: () => this.#ticket(), onFault: (error) => options.onFault?.(error) });
    this.#connection.open();
  }

  get state(): ConnectionState {
    return this.#state;
  }

  market(symbol: string, listener: MarketListener): Unlisten {
    const unlisten = this.#markets.add(marketTopic(symbol), listener);
    const depth = this.#depths.get(symbol) ?? new DepthReplica(symbol);
    this.#depths.set(symbol, depth);
    if (depth.isProven) listener.onDepth?.(depth);
    return () => {
      unlisten();
      if (this.#markets.of(marketTopic(symbol)).length === 0) this.#depths.delete(symbol);
    };
  }

  klines(topic: KlineTopic, listener: Listeners['kline']): Unlisten {
    return this.#klines.add(klineTopic(topic), listener);
  }

  tickers(listener: Listeners['ticker']): Unlisten {
    return this.#tickers.add(tickerTopic, listener);
  }

  indexPrice(symbol: string, listener: Listeners['indexPrice']): Unlisten {
    return this.#indexPrices.add(indexPriceTopic(symbol), listener);
  }

  /**
   * The own account: one listener at a time.
   * @param options.from the `accountSeq` of another stream, at any address: this one goes on there, and sends the trades of that command again
   */
  account(listener: AccountListener, { from }: { readonly from?: number | undefined } = {}): Unlisten {
    return this.#account.listen(listener, from);
  }

  /** Up to which command the account's changes were heard; undefined before the first. */
  get accountSeq(): number | undefined {
    return this.#account.seq;
  }

  /** Gives an order over the stream. Rejects with a `CallError` when it is refused, a `ConnectionError` when the answer was lost. */
  async request<Operation extends OrderOperation>(op: Operation, params: ParametersOf<Operation>): Promise<Answers[Operation]> {
    await this.#loggedIn();
    // The gateway answers each operation as its HTTP call of the same name.
    return (await this.#ask(op, params)) as Answers[Operation];
  }

  /** @returns the round trip to the exchange over this connection, milliseconds. Rejects with a `ConnectionError` when it is lost before the answer. */
  ping(): Promise<number> {
    return this.#connection.ping();
  }

  close(): void {
    this.#connection.close();
  }

  #ticket(): Promise<string> {
    const { ticket } = this.#options;
    return ticket === undefined ? Promise.reject(new Error('this stream was opened without tickets')) : ticket();
  }

  /** Once a connection; a login that failed is tried again by the next request. */
  #loggedIn(): Promise<unknown> {
    this.#login ??= this.#ticket()
      .then((token) => this.#ask('login', { token }))
      .catch((error: unknown) => {
        this.#login = undefined;
        throw error;
      });
    return this.#login;
  }

  #ask<Operation extends StreamOperation>(op: Operation, params: ParametersOf<Operation>): Promise<unknown> {
    if (this.#state !== 'open') return Promise.reject(new ConnectionError('the stream is not connected', { timedOut: false }));
    this.#requests += 1;
    const id = this.#requests;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(id);
        reject(new ConnectionError(`${op} was not answered in time`, { timedOut: true }));
      }, CALL_TIMEOUT_MS);
      this.#waiting.set(id, { resolve, reject, timer });
      this.#connection.send(JSON.stringify({ op, id, params }));
    });
  }

  #changed(state: ConnectionState): void {
    this.#state = state;
    if (state === 'open') {
      for (const subscriptions of [this.#markets, this.#klines, this.#tickers, this.#indexPrices]) subscriptions.begin();
      this.#account.begin();
    } else this.#forget();
    this.#options.onState?.(state);
  }

  /** What was known by the connection that is gone. */
  #forget(): void {
    this.#login = undefined;
    this.#account.end();
    this.#renewals.end();
    for (const { reject, timer } of this.#waiting.values()) {
      clearTimeout(timer);
      reject(new ConnectionError('the stream was lost before the answer', { timedOut: false }));
    }
    this.#waiting.clear();
    for (const depth of this.#depths.values()) if (depth.isProven) this.#lose(depth);
  }

  #heard(text: string): void {
    if (text === SUCCEED) return;
    const message = parsed(text);
    if (message === undefined) this.#options.onFault?.(new Error('a message of the stream could not be read'));
    else if (message.resType === 'reply') this.#answered(message);
    else if (message.resType === 'error') {
      const { code, msg, data } = message;
      const { reason, field } = data;
      this.#options.onFault?.(new CallError({ code, msg, status: 0, reason: reason as FaultName, field }));
      this.#account.refused(field);
    } else this.#pushed(message);
  }

  #answered({ id, code, msg, data }: StreamReply): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    this.#waiting.delete(id);
    clearTimeout(waiting.timer);
    if (code === SUCCESS || code === ITEMS_REFUSED) waiting.resolve(data);
    else waiting.reject(new CallError({ code, msg, status: 0, ...(data as { reason?: FaultName; field?: string } | null) }));
  }

  #pushed(push: StreamPush): void {
    switch (push.resType) {
      case 'qAllDepth':
        return this.#depthChanged(push.data.s, (depth) => depth.reset(push.data), 'whole');
      case 'qDepth':
        return this.#depthChanged(push.data.s, (depth) => depth.apply(push.data), push.data.c === undefined ? 'more follows' : 'last');
      case 'qDeal':
        return this.#markets.notify(marketTopic(push.data.s), (listener) => listener.onDeal?.(push.data));
      case 'qKLine':
        return this.#klines.notify(klineTopic({ symbol: push.data.s, interval: push.data.i }), (listener) => listener(push.data));
      case 'qStats':
        return this.#tickers.notify(tickerTopic, (listener) => listener(tickerFrom(push.data)));
      case 'qIndex':
        return this.#indexPrices.notify(indexPriceTopic(push.data.s), (listener) => listener(push.data));
      default:
        return this.#account.pushed(push);
    }
  }

  #depthChanged(symbol: string, change: (depth: DepthReplica) => boolean, update: 'whole' | 'last' | 'more follows'): void {
    const depth = this.#depths.get(symbol);
    if (depth === undefined) return;
    const wasProven = depth.isProven;
    if (change(depth)) {
      if (update !== 'more follows') this.#markets.notify(marketTopic(symbol), (listener) => listener.onDepth?.(depth));
      return;
    }
    if (wasProven) this.#lose(depth);
    // Changes that come before the whole are nothing to rely on, and no fault either; a whole that does not fit its checksum is one.
    if (wasProven || update === 'whole') this.#renewals.ask(symbol);
  }

  #lose(depth: DepthReplica): void {
    depth.clear();
    this.#markets.notify(marketTopic(depth.symbol), (listener) => listener.onDepthLost?.());
  }
}

/** The gateway sends what the contract says; a kind of message that is newer than this client falls through. */
function parsed(text: string): StreamMessage | undefined {
  try {
    return JSON.parse(text) as StreamMessage;
  } catch {
    return undefined;
  }
}
