/** Distributes outside prices: to the heart every three seconds, by the process that holds the lease, and to listeners in this process every second. */
import { type Lease, whileHeld } from '@orrery/foundation';
import { HeartError } from '@orrery/protocol';
import type { Heart } from '@orrery/protocol';
import type { MarketId, Millis, Ticks } from '@orrery/units';
import type { OutsideMarket, OutsidePrice, PriceSource } from './price-source.ts';

export interface OutsidePricesOptions {
  readonly source: PriceSource;
  readonly markets: readonly OutsideMarket[];
  readonly heart: Pick<Heart, 'submit'>;
  readonly lease: Lease;
  readonly now: () => Millis;
  /** Gets the prices that changed, once a second. */
  readonly publish: (prices: readonly OutsidePrice[]) => void;
  readonly log: (line: string) => void;
}

const PUBLISH_EVERY_MS = 1_000;
/** Ticks of the publishing timer: history is not flooded with prices. */
const SUBMIT_EVERY = 3;
/** Ticks after which an unchanged price is repeated: silence means that there is no price, and market makers stop quoting. */
const REPEAT_EVERY = 9;

interface Watched {
  readonly market: OutsideMarket;
  published: Ticks | undefined;
  submitted: Ticks | undefined;
  /** Number of the beat. */
  submittedAt: number;
  isSubmitting: boolean;
  /** What was complained about last: once is enough. */
  complaint: string;
}

export class OutsidePrices {
  readonly #options: OutsidePricesOptions;
  readonly #watched: readonly Watched[];
  readonly #latest = new Map<MarketId, OutsidePrice>();
  #ticks = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: OutsidePricesOptions) {
    this.#options = options;
    this.#watched = options.markets.map((market) => ({
      market,
      published: undefined,
      submitted: undefined,
      submittedAt: 0,
      isSubmitting: false,
      complaint: '',
    }));
  }

  /** The last fresh price of a market. */
  latest(market: MarketId): OutsidePrice | undefined {
    return this.#latest.get(market);
  }

  /** Resolves when the first prices are with the heart, or are another process's. */
  async start(): Promise<void> {
    this.#timer ??= setInterval(() => void this.tick(), PUBLISH_EVERY_MS);
    await this.tick();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** One beat of the timer. Resolves when the prices that it submitted are answered. */
  async tick(): Promise<void> {
    const prices = this.#readPrices();
    const changed = prices.filter(({ watched, price }) => watched.published !== price.price);
    for (const { watched, price } of changed) watched.published = price.price;
    if (changed.length > 0) this.#options.publish(changed.map(({ price }) => price));
    const isDue = this.#ticks % SUBMIT_EVERY === 0;
    this.#ticks += 1;
    if (!isDue) return;
    await whileHeld(this.#options.lease, async () => {
      await Promise.all(prices.map(({ watched, price }) => this.#submit(watched, price)));
    });
  }

  #readPrices(): readonly { watched: Watched; price: OutsidePrice }[] {
    const at = this.#options.now();
    return this.#watched.flatMap((watched) => {
      const price = this.#options.source.price(watched.market.market, at);
      if (price === undefined) {
        this.#latest.delete(watched.market.market);
        this.#complain(watched, 'there is no fresh outside price');
        return [];
      }
      this.#latest.set(watched.market.market, price);
      return [{ watched, price }];
    });
  }

  /** A price that the heart did not take is not tried again: the next one is newer. */
  async #submit(watched: Watched, { market, price }: OutsidePrice): Promise<void> {
    const isKnown = watched.submitted === price && this.#ticks - watched.submittedAt < REPEAT_EVERY;
    if (watched.isSubmitting || isKnown) return;
    watched.isSubmitting = true;
    try {
      const { events } = await this.#options.heart.submit({ type: 'SetIndexPrice', market, price });
      const refused = events.find((event) => event.type === 'CommandRejected');
      if (refused === undefined) {
        watched.submitted = price;
        watched.submittedAt = this.#ticks;
        watched.complaint = '';
      } else {
        this.#complain(watched, `the outside price was refused: ${refused.reason}`);
      }
    } catch (cause) {
      if (!(cause instanceof HeartError)) throw cause;
      this.#complain(watched, `the outside price could not be reported: ${cause.message}`);
    } finally {
      watched.isSubmitting = false;
    }
  }

  #complain(watched: Watched, complaint: string): void {
    if (watched.complaint === complaint) return;
    watched.complaint = complaint;
    this.#options.log(`${watched.market.symbol}: ${complaint}`);
  }
}
