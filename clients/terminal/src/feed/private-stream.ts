/** The account's own stream: asks the page for a ticket, follows the numbers, and starts anew when one is missing. Told at once, never batched. */
import type { StreamPush, Subscribe, Unsubscribe } from '@orrery/api';
import type { Post } from './messages.ts';

/** A refused ticket is asked for again, but not faster than this. */
const ASK_AGAIN_MS = 3_000;

type OwnMessage = Extract<StreamPush, { readonly n: number }>;

export interface PrivateStreamPorts {
  readonly send: (message: Subscribe | Unsubscribe) => void;
  readonly post: Post;
  readonly now: () => number;
}

export class PrivateStream {
  readonly #ports: PrivateStreamPorts;
  #account: 'signedIn' | 'signedOut' = 'signedOut';
  #isOpen = false;
  #askedAt = -ASK_AGAIN_MS;
  #again: ReturnType<typeof setTimeout> | undefined;
  /** Number of the last message; `undefined` before the first of a subscription. */
  #last: number | undefined;

  constructor(ports: PrivateStreamPorts) {
    this.#ports = ports;
  }

  setAccount(account: 'signedIn' | 'signedOut'): void {
    if (account === 'signedOut' && this.#account === 'signedIn') this.#ports.send({ unsub: 'subUser' });
    this.#account = account;
    this.#askedAt = -ASK_AGAIN_MS;
    this.#ask();
  }

  opened(): void {
    this.#isOpen = true;
    this.#ask();
  }

  closed(): void {
    this.#isOpen = false;
    clearTimeout(this.#again);
    this.#again = undefined;
    this.#askedAt = -ASK_AGAIN_MS;
  }

  authorize(ticket: string): void {
    if (!this.#isOpen || this.#account === 'signedOut') return;
    this.#last = undefined;
    this.#ports.post({ type: 'private', message: { kind: 'begin' } });
    this.#ports.send({ sub: 'subUser', token: ticket });
  }

  refused(): void {
    if (this.#last === undefined) this.#ask();
  }

  take(message: OwnMessage): void {
    if (this.#last !== undefined && message.n !== this.#last + 1) {
      this.#ports.send({ unsub: 'subUser' });
      this.#last = undefined;
      this.#ask();
      return;
    }
    this.#last = message.n;
    switch (message.resType) {
      case 'uBalance': return this.#ports.post({ type: 'private', message: { kind: 'balance', balance: message.data } });
      case 'uOrder': return this.#ports.post({ type: 'private', message: { kind: 'order', order: message.data } });
      case 'uTrade': return this.#ports.post({ type: 'private', message: { kind: 'trade', trade: message.data } });
      case 'uReady': return this.#ports.post({ type: 'private', message: { kind: 'ready' } });
    }
  }

  #ask(): void {
    if (!this.#isOpen || this.#account === 'signedOut' || this.#again !== undefined) return;
    const wait = this.#askedAt + ASK_AGAIN_MS - this.#ports.now();
    if (wait > 0) {
      this.#again = setTimeout(() => {
        this.#again = undefined;
        this.#ask();
      }, wait);
      return;
    }
    this.#askedAt = this.#ports.now();
    this.#ports.post({ type: 'ticketWanted' });
  }
}
