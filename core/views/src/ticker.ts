/** The last 24 hours of a market, rolling by the minute. */
import { millis, NO_ATOMS, NO_LOTS, type Atoms, type Lots, type MarketId, type Millis, type Ticks } from '@orrery/units';
import type { CandlesView } from './candles.ts';
import { DAY_MS, MINUTE_MS } from './interval.ts';

export interface Ticker {
  /** Of the last trade, however long ago; undefined before the first. */
  readonly last: Ticks | undefined;
  /** Of the last 24 hours; undefined when nothing was traded in them. */
  readonly open: Ticks | undefined;
  readonly high: Ticks | undefined;
  readonly low: Ticks | undefined;
  readonly volume: Lots;
  /** Quote atoms. */
  readonly quoteVolume: Atoms;
}

export function dayTicker(candles: CandlesView, market: MarketId, at: Millis): Ticker {
  const [newest] = candles.candles({ market, interval: '1m', limit: 1 });
  const day = candles.joined({ market, interval: '1m', limit: DAY_MS / MINUTE_MS, from: millis(Math.max(0, at - DAY_MS + 1)) });
  return {
    last: newest?.close,
    open: day?.open,
    high: day?.high,
    low: day?.low,
    volume: day?.volume ?? NO_LOTS,
    quoteVolume: day?.quoteVolume ?? NO_ATOMS,
  };
}
