/** The own account on the stream: subscribed by a ticket that is good once, sent whole, then change by change without a gap. */
import type { StreamPush } from '@orrery/api';
import { balanceFrom, orderFrom } from './from-stream.ts';
import type { AccountListener } from './topic.ts';

export interface AccountStreamOptions {
  readonly send: (message: object) => void;
  readonly ticket: () => Promise<string>;
  readonly onFault: (error: Error) => void;
}

type AccountPush = Extract<StreamPush, { readonly n: number }>;

const RETRY_MS = 2_000;
const RETRY_MAX_MS = 30_000;
/** A subscription that is taken is answered sooner. */
const ANSWER_MS = 10_000;

export class AccountStream {
  readonly #options: AccountStreamOptions;
  #listener: AccountListener | undefined;
  #connected = false;
  /** Counts subscriptions, so that a ticket that arrives late is not used for another. */
  #round = 0;
  /** Of the last message; undefined until the first of a subscription. */
  #last: number | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  /** Subscribed, and nothing heard yet. */
  #isAwaiting = false;
  #failures = 0;

  constructor(options: AccountStreamOptions) {
    this.#options = options;
  }

  listen(listener: AccountListener): () => void {
    if (this.#listener !== undefined) throw new Error('the account has a listener already');
    this.#listener = listener;
    if (this.#connected) void this.#subscribe();
    return () => {
      this.#listener = undefined;
      this.#stop();
      if (this.#connected) this.#options.send({ unsub: 'subUser' });
    };
  }

  /** A new connection is open. */
  begin(): void {
    this.#connected = true;
    if (this.#listener !== undefined) void this.#subscribe();
  }

  /** The connection is gone. */
  end(): void {
    this.#connected = false;
    this.#stop();
  }

  /** The exchange refused a message. Refusals name no subscription: while one is awaited, it is taken for the one that was refused. */
  refused(): void {
    if (this.#isAwaiting) this.#again();
  }

  pushed(push: AccountPush): void {
    const listener = this.#listener;
    if (listener === undefined || !this.#connected) return;
    if (this.#isAwaiting) this.#answered();
    const isNext = this.#last === undefined || push.n === this.#last + 1;
    this.#last = push.n;
    if (!isNext) {
      this.#options.send({ unsub: 'subUser' });
      void this.#subscribe();
      return;
    }
    if (push.resType === 'uBalance') listener.onBalance?.(balanceFrom(push.data));
    else if (push.resType === 'uOrder') listener.onOrder?.(orderFrom(push.data));
    else if (push.resType === 'uTrade') listener.onTrade?.(push.data);
    else if (push.resType === 'uReady') listener.onReady?.();
    else listener.onTopic?.(push);
  }

  #stop(): void {
    this.#round += 1;
    this.#answered();
  }

  #answered(): void {
    this.#isAwaiting = false;
    this.#failures = 0;
    clearTimeout(this.#retry);
  }

  #again(): void {
    const wasSubscribed = this.#isAwaiting;
    this.#isAwaiting = false;
    clearTimeout(this.#retry);
    const wait = Math.min(RETRY_MS * 2 ** this.#failures, RETRY_MAX_MS);
    this.#failures += 1;
    this.#retry = setTimeout(() => {
      if (wasSubscribed) this.#options.send({ unsub: 'subUser' });
      void this.#subscribe();
    }, wait);
  }

  async #subscribe(): Promise<void> {
    this.#round += 1;
    const round = this.#round;
    try {
      const token = await this.#options.ticket();
      if (round !== this.#round) return;
      this.#last = undefined;
      this.#listener?.onReset?.();
      this.#options.send({ sub: 'subUser', token });
      this.#isAwaiting = true;
      clearTimeout(this.#retry);
      this.#retry = setTimeout(() => this.#again(), ANSWER_MS);
    } catch (error) {
      if (round !== this.#round) return;
      this.#options.onFault(error instanceof Error ? error : new Error('no ticket', { cause: error }));
      this.#again();
    }
  }
}
