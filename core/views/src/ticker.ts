/** The last 24 hours of a market, rolling by the minute. */
import { addAtoms, addLots, NO_ATOMS, NO_LOTS, type Atoms, type Lots, type MarketId, type Millis, type Ticks } from '@orrery/units';
import type { Candle, CandlesView } from './candles.ts';
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
  const minutes = candles.candles({ market, interval: '1m', limit: DAY_MS / MINUTE_MS });
  const recent = minutes.filter((minute) => minute.openTime > at - DAY_MS);
  return { ...total(recent), last: minutes.at(-1)?.close };
}

function total(minutes: readonly Candle[]): Omit<Ticker, 'last'> {
  const [first] = minutes;
  let [high, low, volume, quoteVolume] = [first?.high, first?.low, NO_LOTS, NO_ATOMS];
  for (const minute of minutes) {
    if (high === undefined || minute.high > high) high = minute.high;
    if (low === undefined || minute.low < low) low = minute.low;
    volume = addLots(volume, minute.volume);
    quoteVolume = addAtoms(quoteVolume, minute.quoteVolume);
  }
  return { open: first?.open, high, low, volume, quoteVolume };
}
