/** Outside prices from live feeds: the median of the fresh mid prices. It has no history. */
import { parseDecimal, ticks } from '@orrery/units';
import type { MarketId, Millis, Ticks } from '@orrery/units';
import type { OutsideMarket, OutsidePrice, PriceSource } from '../price-source.ts';
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

export class LivePrices implements PriceSource {
  readonly #options: LivePricesOptions;
  readonly #markets: ReadonlyMap<MarketId, OutsideMarket>;
  readonly #feeds: readonly LiveFeed[];

  constructor(options: LivePricesOptions) {
    const { feeds, markets, monotonicMs, log, retryMs } = options;
    this.#options = options;
    this.#markets = new Map(markets.map((market) => [market.market, market]));
    this.#feeds = feeds.map((config) => new LiveFeed({ config, monotonicMs, log, ...(retryMs === undefined ? {} : { retryMs }) }));
  }

  price(id: MarketId, at: Millis): OutsidePrice | undefined {
    const market = this.#markets.get(id);
    if (market === undefined) return undefined;
    const price = robustMedian(this.#freshMids(market), this.#leastSources(market));
    return price === undefined ? undefined : { market: id, symbol: market.symbol, price, at, label: 'live' };
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
    for (const feed of this.#feeds) feed.close();
  }

  #freshMids(market: OutsideMarket): readonly Ticks[] {
    const now = this.#options.monotonicMs();
    return this.#feeds.flatMap((feed) => {
      const quote = feed.quote(market.symbol);
      if (quote === undefined || now - quote.heardAt > STALE_MS) return [];
      const mid = midPrice(quote, market.pricePrecision);
      return mid === undefined ? [] : [mid];
    });
  }

  /** Of three sources or more at least two must agree; fewer are all that was configured. */
  #leastSources({ symbol }: OutsideMarket): number {
    return this.#options.feeds.filter(({ symbols }) => symbols.has(symbol)).length >= 3 ? 2 : 1;
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
