/** The messages of the stream in the numbers of the page: ticks, lots and bars. */
import type { Deal, Kline, Level } from '@orrery/api';
import { parseLots, parseTicks } from '@orrery/units';
import type { Bar } from './bars.ts';
import type { BookSide } from './ladder.ts';
import type { View } from './messages.ts';
import type { TapeTrade } from './tape.ts';

/** Levels a side for the depth chart and for estimates. */
const DEPTH_LEVELS = 200;

/** Floats are for drawing only: nothing is computed from a candle. */
export function barOf(kline: Kline): Bar {
  return {
    time: kline.t,
    open: Number(kline.o),
    high: Number(kline.h),
    low: Number(kline.l),
    close: Number(kline.c),
    volume: Number(kline.a),
    ...(kline.outside && { outside: true }),
  };
}

/** Text of the wire in ticks and lots. The exchange lists no level that its own market cannot count. */
export function sideOf(levels: readonly Level[], { pricePrecision, sizePrecision }: View): BookSide {
  const prices = new Float64Array(levels.length);
  const sizes = new Float64Array(levels.length);
  levels.forEach(([price, size], at) => {
    prices[at] = parseTicks(price, pricePrecision) ?? 0;
    sizes[at] = parseLots(size, sizePrecision) ?? 0;
  });
  return { prices, sizes, length: levels.length };
}

export function pairsOf(side: BookSide): Float64Array<ArrayBuffer> {
  const count = Math.min(side.length, DEPTH_LEVELS);
  const packed = new Float64Array(2 * count);
  for (let level = 0; level < count; level += 1) {
    packed[2 * level] = side.prices[level] ?? 0;
    packed[2 * level + 1] = side.sizes[level] ?? 0;
  }
  return packed;
}

/** Trades of another market, or such that this market cannot count, are left out. */
export function tradesOf(deals: readonly Deal[], { symbol, pricePrecision, sizePrecision }: View): readonly TapeTrade[] {
  const trades: TapeTrade[] = [];
  for (const deal of deals) {
    const price = parseTicks(deal.p, pricePrecision);
    const size = parseLots(deal.a, sizePrecision);
    if (deal.s !== symbol || price === undefined || size === undefined) continue;
    trades.push({ id: Number(deal.id), time: deal.t, price, size, takerSide: deal.m === 1 ? 'buy' : 'sell' });
  }
  return trades;
}
