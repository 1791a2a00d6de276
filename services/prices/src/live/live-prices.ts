/** Outside prices from live feeds: the median of the fresh mid prices. It has no history. */
import { parseDecimal, ticks } from '@orrery/units';
import type { MarketId, Millis, Ticks } from '@orrery/units';
import type { IndexSample, OutsideMarket, OutsidePrice, PriceRound, PriceSample, PriceSource } from '../price-source.ts';
import type { FeedConfig } from './feed-config.ts';
import type { Quote } from './format.ts';
import { LiveFeed, STALE_MS } from './live-feed.ts';
import { robustMedian } from './median.ts';

export interface LivePricesOptions {
  readonly feeds: readonly FeedConfig[];
  readonly markets: readonly OutsideMarket[];
  readonly monotonicMs: () => number;
  readonly log: (line: string) => void;
  readonly retryMs?: number;
}

/** Decimals in which quotes are read, before they become ticks. */
const QUOTE_DECIMALS = 16;

interface Feed extends Pick<FeedConfig, 'venue' | 'weight'> {
  /** Its format, and its place in the configuration. */
  readonly name: string;
  readonly quotes: LiveFeed;
}

export class LivePrices implements PriceSource {
  readonly #options: LivePricesOptions;
  readonly #markets: ReadonlyMap<MarketId, OutsideMarket>;
  readonly #feeds: readonly Feed[];

  constructor(options: LivePricesOptions) {
    const { feeds, markets, monotonicMs, log, retryMs } = options;
    this.#options = options;
    this.#markets = new Map(markets.map((market) => [market.market, market]));
    this.#feeds = feeds.map((config, index) => ({
      ...config,
      name: `${config.format}-${index + 1}`,
      quotes: new LiveFeed({ config, monotonicMs, log, ...(retryMs === undefined ? {} : { retryMs }) }),
    }));
  }

  price(id: MarketId, at: Millis): OutsidePrice | undefined {
    const market = this.#markets.get(id);
    if (market === undefined) return undefined;
    const price = robustMedian(this.#freshMids(market), this.#leastSources(market));
    return price === undefined ? undefined : { market: id, symbol: market.symbol, price, at, label: 'live' };
  }

  round(id: MarketId): PriceRound {
    const market = this.#markets.get(id);
    const heard = (venue: Feed['venue']): readonly IndexSample[] =>
      market === undefined
        ? []
        : this.#feeds
            .filter((feed) => feed.venue === venue)
            .flatMap((feed) => {
              const sample = this.#sampleOf(feed, market);
              return sample === undefined ? [] : [{ ...sample, weight: feed.weight }];
            });
    return { index: heard('spot'), external: heard('perpetual').map(({ source, price, ageMs }) => ({ source, price, ageMs })) };
  }

  bars(): readonly [] {
    return [];
  }

  historyBars(): readonly [] {
    return [];
  }

  labelOf(id: MarketId): 'live' | undefined {
    return this.#markets.has(id) ? 'live' : undefined;
  }

  close(): void {
    for (const { quotes } of this.#feeds) quotes.close();
  }

  #freshMids(market: OutsideMarket): readonly Ticks[] {
    return this.#feeds.flatMap((feed) => {
      const sample = feed.venue === 'spot' ? this.#sampleOf(feed, market) : undefined;
      return sample === undefined || sample.ageMs > STALE_MS ? [] : [sample.price];
    });
  }

  #sampleOf({ name, quotes }: Feed, market: OutsideMarket): PriceSample | undefined {
    const quote = quotes.quote(market.symbol);
    if (quote === undefined) return undefined;
    const price = midPrice(quote, market.pricePrecision);
    const ageMs = Math.max(0, Math.round(this.#options.monotonicMs() - quote.heardAt));
    return price === undefined ? undefined : { source: name, price, ageMs };
  }

  /** Of three sources or more at least two must agree; fewer are all that was configured. */
  #leastSources({ symbol }: OutsideMarket): number {
    return this.#options.feeds.filter(({ symbols, venue }) => venue === 'spot' && symbols.has(symbol)).length >= 3 ? 2 : 1;
  }
}

/** To the nearest tick; undefined where bid and ask make no sense. */
export function midPrice({ bid, ask }: Pick<Quote, 'bid' | 'ask'>, pricePrecision: number): Ticks | undefined {
  const low = parseDecimal(bid, QUOTE_DECIMALS);
  const high = parseDecimal(ask, QUOTE_DECIMALS);
  if (low === undefined || high === undefined || low === 0n || low > high) return undefined;
  const twoTicks = 2n * 10n ** BigInt(QUOTE_DECIMALS - pricePrecision);
  const mid = (low + high + twoTicks / 2n) / twoTicks;
  return mid === 0n || mid > BigInt(Number.MAX_SAFE_INTEGER) ? undefined : ticks(Number(mid));
}
