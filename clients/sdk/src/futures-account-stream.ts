/**
 * The own account on the stream of contracts: subscribed by a listen key, sent whole, then change by change without a gap. After a connection that was lost it asks
 * for the trades and liquidations since then.
 */
import { PRIVATE_FUTURES_TOPICS, type FuturesOwnPush, type FuturesStreamRequest } from '@orrery/api';
import type { FuturesAccountListener } from './futures-topic.ts';
import { Heard } from './heard.ts';

export interface FuturesAccountStreamOptions {
  readonly send: (request: FuturesStreamRequest) => void;
  /** For the next request: its reply names it. */
  readonly nextId: () => number;
  readonly listenKey: () => Promise<string>;
  readonly onFault: (error: Error) => void;
}

const RETRY_MS = 2_000;
const RETRY_MAX_MS = 30_000;
/** A subscription that is taken is answered sooner. */
const ANSWER_MS = 10_000;

export class FuturesAccountStream {
  readonly #options: FuturesAccountStreamOptions;
  #listener: FuturesAccountListener | undefined;
  #connected = false;
  /** Counts subscriptions, so that a key that arrives late is not used for another. */
  #round = 0;
  /** What is subscribed now. */
  #topics: readonly string[] = [];
  /** Topics of which everything there is has been sent. */
  readonly #ready = new Set<string>();
  /** Of the last message of this connection; undefined until the first. */
  #last: number | undefined;
  /** The request that subscribes, until its reply: what comes before that is of the subscription before. */
  #awaited: number | undefined;
  readonly #heard = new Heard();
  #retry: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;

  constructor(options: FuturesAccountStreamOptions) {
    this.#options = options;
  }

  /** Up to which command everything was heard; undefined before the first message. */
  get seq(): number | undefined {
    return this.#heard.seq;
  }

  /** @param from of another stream of the account, where this one goes on */
  listen(listener: FuturesAccountListener, from?: number): () => void {
    if (this.#listener !== undefined) throw new Error('the account has a listener already');
    this.#listener = listener;
    this.#heard.beginAt(from);
    if (this.#connected) void this.#subscribe();
    return () => {
      this.#listener = undefined;
      this.#leave();
    };
  }

  /** A new connection is open. */
  begin(): void {
    this.#connected = true;
    this.#last = undefined;
    if (this.#listener !== undefined) void this.#subscribe();
  }

  /** The connection is gone. */
  end(): void {
    this.#connected = false;
    this.#topics = [];
    this.#stop();
  }

  /** The exchange took the message of this number. */
  replied(id: number): void {
    if (id === this.#awaited) this.#awaited = undefined;
  }

  /**
   * The exchange refused a message. Refusals name no subscription: while one is awaited, it is taken for the one that was refused.
   * @param field of the message that is refused
   */
  refused(field: string | undefined): void {
    if (this.#awaited === undefined) return;
    if (field === 'from') this.#startOver();
    this.#again();
  }

  /** The exchange does not know the number: it counts from less, as after a copy was restored. */
  #startOver(): void {
    this.#listener?.onGap?.({ from: 0, to: this.#heard.seq ?? 0 });
    this.#heard.beginAt(undefined);
  }

  pushed(push: FuturesOwnPush): void {
    const listener = this.#listener;
    const isNext = this.#last === undefined || push.n === this.#last + 1;
    this.#last = push.n;
    if (listener === undefined || this.#topics.length === 0 || this.#awaited !== undefined) return;
    if (!isNext) {
      this.#leave();
      void this.#subscribe();
      return;
    }
    this.#heard.reach(push.seq);
    switch (push.topic) {
      case 'order':
        return listener.onOrder?.(push.data);
      case 'balance':
        return listener.onBalance?.(push.data);
      case 'position':
        return listener.onPosition?.(push.data);
      case 'own_trade':
        if (this.#heard.isNew(push.seq, `${push.data.execId} ${push.data.takerMaker}`)) listener.onTrade?.(push.data);
        return;
      case 'liquidation':
        if (this.#heard.isNew(push.seq, push.data.id)) listener.onLiquidation?.(push.data);
        return;
      case 'gap':
        return listener.onGap?.(push.data);
      case 'account':
        return listener.onAccount?.(push.data);
      case 'terms':
        return listener.onTerms?.(push.data);
      case 'twap':
        return listener.onTwap?.(push.data);
      case 'ready':
        this.#readied(push.data.topic, listener);
    }
  }

  #readied(topic: string, listener: FuturesAccountListener): void {
    const wasReady = this.#ready.size === PRIVATE_FUTURES_TOPICS.length;
    this.#ready.add(topic);
    if (wasReady || this.#ready.size < PRIVATE_FUTURES_TOPICS.length) return;
    this.#failures = 0;
    clearTimeout(this.#retry);
    listener.onReady?.();
  }

  #leave(): void {
    if (this.#connected && this.#topics.length > 0) this.#request('UNSUBSCRIBE');
    this.#topics = [];
    this.#stop();
  }

  #request(method: FuturesStreamRequest['method']): void {
    const { send, nextId } = this.#options;
    const { seq: from } = this.#heard;
    const id = nextId();
    if (method === 'SUBSCRIBE') this.#awaited = id;
    send({ method, params: [...this.#topics], id, ...(method === 'SUBSCRIBE' && from !== undefined && { from }) });
  }

  #stop(): void {
    this.#round += 1;
    this.#awaited = undefined;
    this.#ready.clear();
    clearTimeout(this.#retry);
  }

  #again(): void {
    this.#leave();
    const wait = Math.min(RETRY_MS * 2 ** this.#failures, RETRY_MAX_MS);
    this.#failures += 1;
    this.#retry = setTimeout(() => void this.#subscribe(), wait);
  }

  async #subscribe(): Promise<void> {
    this.#round += 1;
    const round = this.#round;
    try {
      const key = await this.#options.listenKey();
      if (round !== this.#round || !this.#connected) return;
      this.#ready.clear();
      this.#listener?.onReset?.();
      this.#topics = PRIVATE_FUTURES_TOPICS.map((topic) => `${topic}@${key}`);
      this.#request('SUBSCRIBE');
      clearTimeout(this.#retry);
      this.#retry = setTimeout(() => this.#again(), ANSWER_MS);
    } catch (error) {
      if (round !== this.#round) return;
      this.#options.onFault(error instanceof Error ? error : new Error('no listen key', { cause: error }));
      this.#again();
    }
  }
}
