/** The outside price of each market as the exchange publishes it, and whether it is still good. */
import { type PairTerms, readPrice } from '@orrery/sdk';
import type { IndexPrice } from '@orrery/api';
import type { Ticks } from '@orrery/units';

interface Known {
  readonly price: Ticks;
  /** The exchange's time of it. */
  readonly reportedAt: number;
  /** Ours. */
  readonly heardAt: number;
}

export class PriceWatch {
  readonly #known = new Map<string, Known>();
  readonly #staleMs: number;
  readonly #now: () => number;

  /** @param options.staleMs a price that has not been updated for this long is not quoted on. */
  constructor(options: { readonly staleMs: number; readonly now: () => number }) {
    this.#staleMs = options.staleMs;
    this.#now = options.now;
  }

  /** @returns true when the price is another than before. */
  hear({ p, t }: IndexPrice, rules: PairTerms): boolean {
    const price = p === null ? undefined : readPrice(p, rules);
    const before = this.#known.get(rules.symbol);
    // A repeated price is no update: a feed that stands still must go stale.
    if (price === undefined || (before !== undefined && t <= before.reportedAt)) return false;
    this.#known.set(rules.symbol, { price, reportedAt: t, heardAt: this.#now() });
    return price !== before?.price;
  }

  /** Undefined while none is known or it is stale. */
  price(symbol: string): Ticks | undefined {
    const known = this.#known.get(symbol);
    return known === undefined || this.silence(symbol) > this.#staleMs ? undefined : known.price;
  }

  /** Milliseconds since a new price was heard. */
  silence(symbol: string): number {
    return this.#now() - (this.#known.get(symbol)?.heardAt ?? Number.NEGATIVE_INFINITY);
  }
}
