/**
 * Calls a second between the processes of an exchange: each sends the others, a few times a second, what it has given out of the buckets of busy callers, and
 * takes what they gave out of its own. So a caller who spreads over all of them has the rate of one, after a first burst at each. No call waits for a message.
 */
import type { Peers } from '@orrery/foundation';
import type { Buckets, Use } from './rates.ts';

export const RATES_SENT_MS = 200;
/** In one message. */
const USES_MOST = 2_000;

interface RatesMessage {
  readonly rates: readonly Use[];
}

export class SharedRates {
  readonly #buckets: Buckets;
  readonly #peers: Peers;
  readonly #endListening: () => void;
  readonly #sending: NodeJS.Timeout;

  constructor({ buckets, peers }: { readonly buckets: Buckets; readonly peers: Peers }) {
    this.#buckets = buckets;
    this.#peers = peers;
    this.#endListening = peers.onMessage((message) => this.#hear(message));
    this.#sending = setInterval(() => this.send(), RATES_SENT_MS).unref();
  }

  send(): void {
    const uses = this.#buckets.takeUnsent();
    for (let from = 0; from < uses.length; from += USES_MOST)
      this.#peers.send(JSON.stringify({ rates: uses.slice(from, from + USES_MOST) } satisfies RatesMessage));
  }

  close(): void {
    clearInterval(this.#sending);
    this.#endListening();
  }

  #hear(message: string): void {
    const { rates = [] } = JSON.parse(message) as Partial<RatesMessage>;
    for (const use of rates) this.#buckets.given(use);
  }
}
