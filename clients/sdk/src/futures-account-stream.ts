/** The own account on the stream of contracts: subscribed by a listen key, sent whole, then change by change without a gap. */
import { PRIVATE_FUTURES_TOPICS, type FuturesOwnPush } from '@orrery/api';
import type { FuturesAccountListener } from './futures-topic.ts';

export interface FuturesAccountStreamOptions {
  readonly send: (method: 'SUBSCRIBE' | 'UNSUBSCRIBE', params: readonly string[]) => void;
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
  #retry: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;

  constructor(options: FuturesAccountStreamOptions) {
    this.#options = options;
  }

  listen(listener: FuturesAccountListener): () => void {
    if (this.#listener !== undefined) throw new Error('the account has a listener already');
    this.#listener = listener;
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

  /** The exchange refused a message. Refusals name no subscription: while one is awaited, it is taken for the one that was refused. */
  refused(): void {
    if (this.#topics.length > 0 && this.#ready.size === 0) this.#again();
  }

  pushed(push: FuturesOwnPush): void {
    const listener = this.#listener;
    const isNext = this.#last === undefined || push.n === this.#last + 1;
    this.#last = push.n;
    if (listener === undefined || this.#topics.length === 0) return;
    if (!isNext) {
      this.#leave();
      void this.#subscribe();
      return;
    }
    switch (push.topic) {
      case 'order':
        return listener.onOrder?.(push.data);
      case 'balance':
        return listener.onBalance?.(push.data);
      case 'position':
        return listener.onPosition?.(push.data);
      case 'own_trade':
        return listener.onTrade?.(push.data);
      case 'liquidation':
        return listener.onLiquidation?.(push.data);
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
    if (this.#connected && this.#topics.length > 0) this.#options.send('UNSUBSCRIBE', this.#topics);
    this.#topics = [];
    this.#stop();
  }

  #stop(): void {
    this.#round += 1;
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
      this.#options.send('SUBSCRIBE', this.#topics);
      clearTimeout(this.#retry);
      this.#retry = setTimeout(() => this.#again(), ANSWER_MS);
    } catch (error) {
      if (round !== this.#round) return;
      this.#options.onFault(error instanceof Error ? error : new Error('no listen key', { cause: error }));
      this.#again();
    }
  }
}
