/** Candles of every market and interval, built up from trades and from minute candles of before. Minutes without a trade have none. */
import { addAtoms, addLots, assert, type Atoms, type Lots, type MarketId, type Millis, type Ticks } from '@orrery/units';
import type { Event } from '@orrery/protocol';
import type { Fold, Moment } from './fold.ts';
import { INTERVALS, openTimeOf, type Interval } from './interval.ts';

export interface Candle {
  readonly openTime: Millis;
  readonly open: Ticks;
  readonly high: Ticks;
  readonly low: Ticks;
  readonly close: Ticks;
  readonly volume: Lots;
  /** Quote atoms. */
  readonly quoteVolume: Atoms;
}

/** Candles kept of each market and interval: a month of minutes. */
export const CANDLES_KEPT = 45_000;

export interface CandleQuery {
  readonly market: MarketId;
  readonly interval: Interval;
  readonly limit: number;
  /** Of the first and the last candle's opening, both included. */
  readonly from?: Millis;
  readonly to?: Millis;
}

type Series = Readonly<Record<Interval, Candle[]>>;

export class CandlesView implements Fold {
  readonly #series = new Map<MarketId, Series>();
  /** The trades of each market's latest minute, not yet in its series: they go there together, when the minute is over or somebody asks. */
  readonly #latest = new Map<MarketId, Candle>();

  apply(event: Event, { at }: Moment): void {
    if (event.type !== 'Trade') return;
    const { market, price, size, notional } = event;
    const latest = this.#latest.get(market);
    const openTime = openTimeOf('1m', at);
    const part = {
      openTime,
      open: price,
      high: price,
      low: price,
      close: price,
      volume: size,
      quoteVolume: notional,
    };
    if (latest === undefined) this.#latest.set(market, part);
    // A time that went back, as between two machines, belongs to the newest minute.
    else if (latest.openTime >= openTime) this.#latest.set(market, joinCandles(latest, part));
    else {
      this.#add(market, latest);
      this.#latest.set(market, part);
    }
  }

  /** Minute candles of history, oldest first, before the first live trade. */
  preload(market: MarketId, minutes: readonly Candle[]): void {
    this.#settle(market);
    const known = this.#series.get(market)?.['1m'].at(-1)?.openTime ?? -1;
    assert((minutes[0]?.openTime ?? known + 1) > known, 'history is loaded before what followed it');
    for (const minute of minutes) this.#add(market, minute);
  }

  /** Oldest first; when there are more than `limit`, the latest of them. */
  candles({ market, interval, limit, from, to }: CandleQuery): readonly Candle[] {
    this.#settle(market);
    const series = this.#series.get(market)?.[interval] ?? [];
    const end = to === undefined ? series.length : firstAfter(series, to);
    const start = from === undefined ? 0 : firstAfter(series, from - 1);
    return series.slice(Math.max(start, end - limit, 0), end);
  }

  #settle(market: MarketId): void {
    const latest = this.#latest.get(market);
    if (latest === undefined) return;
    this.#latest.delete(market);
    this.#add(market, latest);
  }

  #add(market: MarketId, part: Candle): void {
    const series = this.#series.get(market) ?? emptySeries();
    this.#series.set(market, series);
    for (const interval of INTERVALS) merge(series[interval], part, openTimeOf(interval, part.openTime));
  }
}

function merge(series: Candle[], part: Candle, openTime: Millis): void {
  const last = series.at(-1);
  if (last !== undefined && last.openTime >= openTime) {
    series[series.length - 1] = joinCandles(last, part);
    return;
  }
  series.push({ ...part, openTime });
  // Cut rarely: each cut moves the whole series.
  if (series.length >= 1.1 * CANDLES_KEPT) series.splice(0, series.length - CANDLES_KEPT);
}

/** One candle of two that follow one another, or of parts of one. */
export function joinCandles(first: Candle, then: Candle): Candle {
  return {
    openTime: first.openTime,
    open: first.open,
    high: then.high > first.high ? then.high : first.high,
    low: then.low < first.low ? then.low : first.low,
    close: then.close,
    volume: addLots(first.volume, then.volume),
    quoteVolume: addAtoms(first.quoteVolume, then.quoteVolume),
  };
}

const emptySeries = (): Series => ({ '1m': [], '5m': [], '15m': [], '30m': [], '1h': [], '4h': [], '1d': [], '1w': [], '1M': [] });

/** Index of the first candle that opened after `time`. */
function firstAfter(series: readonly Candle[], time: number): number {
  let low = 0;
  let high = series.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const candle = series[middle];
    if (candle !== undefined && candle.openTime <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}
