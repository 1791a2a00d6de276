/** Public market data, straight from the views in memory. */
import {
  ApiError,
  CHECKSUM_LEVELS,
  DEPTH_LEVELS_DEFAULT,
  depthChecksum,
  type ClientConfig,
  type Depth,
  type Handlers,
  type IndexPrice,
  type Level,
  type quotationRoutes,
  type Ticker,
} from '@orrery/api';
import type { BookTerms, Market } from '@orrery/protocol';
import { addLots, lots, millis, parseTicks, printAtoms, printLots, printTicks, ticks, type Lots, type Ticks } from '@orrery/units';
import { dayTicker, type DepthLevel, type ListedMarket } from '@orrery/views';
import { assistPricesOf } from './assist-prices.ts';
import type { Floor } from '../floor.ts';
import { listingOf, marketNamed } from './listing.ts';
import { dealOf, klineOf } from './wire.ts';

const NUM_DEFAULT = 50;
const KLINES_DEFAULT = 500;

export interface MarketDataPorts {
  readonly floor: Floor;
  readonly now: () => number;
  readonly config: () => Pick<ClientConfig, 'currencyRates'>;
}

export const marketDataHandlers = ({ floor, now, config }: MarketDataPorts): Handlers<typeof quotationRoutes> => ({
  time: now,
  tickers: () => floor.markets.markets().map((listed) => tickerOf(floor, listed, now())),
  ticker: ({ query }) => tickerOf(floor, marketNamed(floor, query.symbol), now()),
  depth: ({ query }) => {
    const { market } = marketNamed(floor, query.symbol);
    const levels = query.level ?? DEPTH_LEVELS_DEFAULT;
    return query.merge === undefined
      ? depthOf(floor, market, levels, now())
      : mergedDepth(floor, market, { levels, merge: query.merge, at: now() });
  },
  deals: ({ query }) => {
    const { market } = marketNamed(floor, query.symbol);
    return floor.trades.last(market.market, query.num ?? NUM_DEFAULT).map((trade) => dealOf(trade, market));
  },
  klines: ({ query: { symbol, interval, limit, startTime, endTime } }) => {
    const { market } = marketNamed(floor, symbol);
    const listing = listingOf(floor, market);
    const range = {
      ...(startTime === undefined ? {} : { from: millis(startTime) }),
      ...(endTime === undefined ? {} : { to: millis(endTime) }),
    };
    const at = millis(now());
    const candles = floor.candles.continuous({ market: market.market, interval, limit: limit ?? KLINES_DEFAULT, ...range, now: at });
    return candles.map((candle) => klineOf(candle, { interval, now: at, since: floor.candles.tradedSince(market.market) }, listing));
  },
  assistPrices: () => assistPricesOf(floor, { rates: config().currencyRates, now: now() }),
  indexPrice: ({ query }) => indexPriceOf(marketNamed(floor, query.symbol)),
});

/** Of the book as it stands, however little of it is sent. */
export function checksumOf(floor: Floor, market: BookTerms): number {
  const { bids, asks } = floor.depth(market.market).snapshot(CHECKSUM_LEVELS);
  return depthChecksum({ b: printed(bids, market), a: printed(asks, market) });
}

export const printed = (side: readonly Pick<DepthLevel, 'price' | 'size'>[], market: BookTerms): Level[] =>
  side.map(({ price, size }) => levelOf(price, size, market));

export function depthOf(floor: Floor, market: Market, levels: number, at: number): Depth {
  const { updateId, bids, asks } = floor.depth(market.market).snapshot(levels);
  const [b, a] = [printed(bids, market), printed(asks, market)];
  const proof = levels < CHECKSUM_LEVELS ? {} : { c: depthChecksum({ b, a }) };
  return { s: market.symbol, t: at, id: updateId, seq: floor.seq, ...proof, a, b };
}

function mergedDepth(floor: Floor, market: Market, options: { levels: number; merge: string; at: number }): Depth {
  const { updateId, b, a } = mergedLevels(floor, market, options);
  return { s: market.symbol, t: options.at, id: updateId, seq: floor.seq, b, a };
}

/** Levels gathered into steps: bids down to theirs, asks up to theirs, so that no price looks better than it is. */
export function mergedLevels(
  floor: Floor,
  market: BookTerms,
  options: { levels: number; merge: string },
): { updateId: number; b: Level[]; a: Level[] } {
  const step = parseTicks(options.merge, market.pricePrecision);
  if (step === undefined || step === 0) throw new ApiError('MalformedField', { field: 'merge' });
  const { updateId, bids, asks } = floor.depth(market.market).snapshot(Number.MAX_SAFE_INTEGER);
  const gather = (side: readonly DepthLevel[], round: (price: Ticks) => number): Level[] => {
    const steps = new Map<number, Lots>();
    for (const { price, size } of side) {
      const at = round(price);
      if (!steps.has(at) && steps.size === options.levels) break;
      steps.set(at, addLots(steps.get(at) ?? lots(0), size));
    }
    return [...steps].map(([price, size]) => levelOf(ticks(price), size, market));
  };
  return {
    updateId,
    b: gather(bids, (price) => price - (price % step)),
    a: gather(asks, (price) => price + ((step - (price % step)) % step)),
  };
}

const levelOf = (price: Ticks, size: Lots, market: BookTerms): Level => [
  printTicks(price, market.pricePrecision),
  printLots(size, market.sizePrecision),
];

export function tickerOf(floor: Floor, { market, indexPrice }: ListedMarket, at: number): Ticker {
  const { last, open, high, low, volume, quoteVolume } = dayTicker(floor.candles, market.market, millis(at));
  const { quote } = listingOf(floor, market);
  const depth = floor.depth(market.market);
  const price = (value: Ticks | undefined): string | null =>
    value === undefined || value === 0 ? null : printTicks(value, market.pricePrecision);
  return {
    s: market.symbol,
    t: at,
    o: price(open),
    h: price(high),
    l: price(low),
    c: price(last),
    a: printLots(volume, market.sizePrecision),
    v: printAtoms(quoteVolume, quote.decimals),
    r: changeRatio(open, last),
    bp: price(depth.best('buy')?.price),
    ap: price(depth.best('sell')?.price),
    i: price(indexPrice),
  };
}

/** Of 24 hours, four decimals, towards zero. */
export function changeRatio(open: Ticks | undefined, last: Ticks | undefined): string {
  if (open === undefined || last === undefined || open === 0) return '0';
  const tenThousandths = Math.trunc(((last - open) * 10_000) / open);
  return (tenThousandths / 10_000).toString();
}

export const indexPriceOf = ({ market, indexPrice, indexPriceAt }: ListedMarket): IndexPrice => ({
  s: market.symbol,
  t: indexPriceAt,
  p: indexPrice === 0 ? null : printTicks(indexPrice, market.pricePrecision),
});
