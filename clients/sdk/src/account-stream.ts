/**
 * The own account on the stream: subscribed by a ticket that is good once, sent whole, then change by change without a gap. After a connection that was lost it
 * asks for the trades since then.
 */
import type { StreamPush } from '@orrery/api';
import { balanceFrom, orderFrom } from './from-stream.ts';
import { Heard } from './heard.ts';
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
  readonly #heard = new Heard();
  #retry: ReturnType<typeof setTimeout> | undefined;
  #isSubscribed = false;
  /** Subscribed, and nothing heard yet. */
  #isAwaiting = false;
  #failures = 0;

  constructor(options: AccountStreamOptions) {
    this.#options = options;
  }

  /** Up to which command everything was heard; undefined before the first message. */
  get seq(): number | undefined {
    return this.#heard.seq;
  }

  /** @param from of another stream of the account, where this one goes on */
  listen(listener: AccountListener, from?: number): () => void {
    if (this.#listener !== undefined) throw new Error('the account has a listener already');
    this.#listener = listener;
    this.#heard.beginAt(from);
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

  /**
   * The exchange refused a message. Refusals name no subscription: while one is awaited, it is taken for the one that was refused.
   * @param field of the message that is refused
   */
  refused(field: string | undefined): void {
    if (!this.#isAwaiting) return;
    if (field === 'from') this.#startOver();
    this.#again();
  }

  /** The exchange does not know the number: it counts from less, as after a copy was restored. */
  #startOver(): void {
    this.#listener?.onGap?.({ from: 0, to: this.#heard.seq ?? 0 });
    this.#heard.beginAt(undefined);
  }

  pushed(push: AccountPush): void {
    const listener = this.#listener;
    // What comes before the subscription is of the one before.
    if (listener === undefined || !this.#isSubscribed || (this.#last === undefined && push.n !== 1)) return;
    if (this.#isAwaiting) this.#answered();
    const isNext = this.#last === undefined || push.n === this.#last + 1;
    this.#last = push.n;
    if (!isNext) {
      this.#options.send({ unsub: 'subUser' });
      void this.#subscribe();
      return;
    }
    this.#heard.reach(push.seq);
    if (push.resType === 'uBalance') listener.onBalance?.(balanceFrom(push.data));
    else if (push.resType === 'uOrder') listener.onOrder?.(orderFrom(push.data));
    else if (push.resType === 'uTrade') {
      if (this.#heard.isNew(push.seq, `${push.data.execId} ${push.data.takerMaker}`)) listener.onTrade?.(push.data);
    } else if (push.resType === 'uGap') listener.onGap?.(push.data);
    else if (push.resType === 'uReady') listener.onReady?.();
    else listener.onTopic?.(push);
  }

  #stop(): void {
    this.#round += 1;
    this.#isSubscribed = false;
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
    this.#isSubscribed = false;
    const round = this.#round;
    try {
      const token = await this.#options.ticket();
      if (round !== this.#round) return;
      this.#last = undefined;
      this.#listener?.onReset?.();
      this.#isSubscribed = true;
      this.#options.send({ sub: 'subUser', token, ...(this.#heard.seq !== undefined && { from: this.#heard.seq }) });
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
