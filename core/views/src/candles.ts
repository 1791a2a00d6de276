/** Candles of every market and interval, built up from trades and from minute candles of before. Minutes without a trade have none; `continuous` fills them in. */
import { assert, millis, NO_ATOMS, NO_LOTS, type Lots, type MarketId, type Millis, type Ticks } from '@orrery/units';
import type { Event, Trade } from '@orrery/protocol';
import { CandleSeries, joinCandles, type Candle } from './candle-series.ts';
import type { Fold, Moment } from './fold.ts';
import { INTERVALS, openTimeOf, type Interval } from './interval.ts';

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

type Series = Readonly<Record<Interval, CandleSeries>>;

/** Of whole candles of each interval the next coarser ones consist. A month is not made of weeks. */
const COARSER: Readonly<Record<Interval, readonly Interval[]>> = {
  '1m': ['5m'],
  '5m': ['15m'],
  '15m': ['30m'],
  '30m': ['1h'],
  '1h': ['4h'],
  '4h': ['1d'],
  '1d': ['1w', '1M'],
  '1w': [],
  '1M': [],
};

export class CandlesView implements Fold {
  readonly #series = new Map<MarketId, Series>();
  /** The trades of each market's latest minute, not yet in its series: they go there together, when the minute is over or somebody asks. */
  readonly #latest = new Map<MarketId, Candle>();

  readonly #since = new Map<MarketId, Millis>();

  apply(event: Event, { at }: Moment): void {
    if (event.type === 'Trade') this.#record(event, at);
  }

  /** The minute of the first trade here, as far back as candles are kept: older ones have prices of elsewhere. `undefined` before it. */
  tradedSince(market: MarketId): Millis | undefined {
    return this.#since.get(market);
  }

  /** A price that nobody traded at, such as a mark price: candles of no volume. */
  mark(market: MarketId, price: Ticks, at: Millis): void {
    this.#record({ market, price, size: NO_LOTS, notional: NO_ATOMS }, at);
  }

  #record({ market, price, size, notional }: Pick<Trade, 'market' | 'price' | 'size' | 'notional'>, at: Millis): void {
    const latest = this.#latest.get(market);
    const openTime = openTimeOf('1m', at);
    this.#follow(market, openTime, size);
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

  /**
   * Minute candles of history, oldest first, before the first live trade.
   * @param common those that come before them, where other views have the same: none of them has a volume
   */
  preload(market: MarketId, minutes: Iterable<Candle>, common?: CandlesBefore): void {
    this.#settle(market);
    assert(common === undefined || !this.#series.has(market), 'what views have in common is the first of each');
    const loading = common?.copy() ?? new Loading(this.#seriesOf(market));
    this.#series.set(market, loading.series);
    let before = loading.series['1m'].last?.openTime ?? -1;
    for (const minute of minutes) {
      assert(minute.openTime > before, 'history is loaded before what followed it');
      before = minute.openTime;
      this.#follow(market, minute.openTime, minute.volume);
      loading.add('1m', minute);
    }
    loading.end();
  }

  /** Oldest first; when there are more than `limit`, the latest of them. */
  candles(query: CandleQuery): readonly Candle[] {
    const { series, start, end } = this.#chosen(query);
    return series?.slice(start, end) ?? [];
  }

  /**
   * The same without gaps: a candle of an interval without a trade repeats the last close and has no volume. None from before the first trade.
   * @param now the last candle is the one of this moment, unless the query ends before
   */
  continuous(query: CandleQuery & { readonly now: Millis }): readonly Candle[] {
    const { market, interval, limit, from = 0, to = query.now, now } = query;
    this.#settle(market);
    const series = this.#series.get(market)?.[interval];
    const found: Candle[] = [];
    if (series === undefined) return found;
    let index = series.firstAfter(Math.min(to, now)) - 1;
    for (let at = openTimeOf(interval, millis(Math.min(to, now))); index >= 0 && at >= from && found.length < limit;) {
      const candle = series.at(index);
      if (candle.openTime >= at) index -= 1;
      found.push(candle.openTime >= at ? candle : flatFrom(candle, at));
      if (at === 0) break;
      at = openTimeOf(interval, millis(at - 1));
    }
    return found.toReversed();
  }

  /** One candle of those that `candles` would give. */
  joined(query: CandleQuery): Candle | undefined {
    const { series, start, end } = this.#chosen(query);
    return series?.joined(start, end);
  }

  #chosen({ market, interval, limit, from, to }: CandleQuery): { series: CandleSeries | undefined; start: number; end: number } {
    this.#settle(market);
    const series = this.#series.get(market)?.[interval];
    if (series === undefined) return { series, start: 0, end: 0 };
    const end = to === undefined ? series.length : series.firstAfter(to);
    const start = from === undefined ? 0 : series.firstAfter(from - 1);
    return { series, start: Math.max(start, end - limit, 0), end };
  }

  #follow(market: MarketId, openTime: Millis, volume: Lots): void {
    if (volume > NO_LOTS && !this.#since.has(market)) this.#since.set(market, openTime);
  }

  #settle(market: MarketId): void {
    const latest = this.#latest.get(market);
    if (latest === undefined) return;
    this.#latest.delete(market);
    this.#add(market, latest);
  }

  #seriesOf(market: MarketId): Series {
    const series = this.#series.get(market) ?? emptySeries();
    this.#series.set(market, series);
    return series;
  }

  #add(market: MarketId, part: Candle): void {
    const series = this.#seriesOf(market);
    for (const interval of INTERVALS) series[interval].merge(part, openTimeOf(interval, part.openTime));
  }
}

/** Minute candles that were loaded once, for each view that begins with them. */
export class CandlesBefore {
  readonly #loading = new Loading(emptySeries());

  /** @param minutes oldest first, without volume */
  constructor(minutes: Iterable<Candle>) {
    for (const minute of minutes) {
      assert(minute.volume === NO_LOTS, 'what views have in common was traded by nobody here');
      this.#loading.add('1m', minute);
    }
  }

  copy(): Loading {
    return this.#loading.copy();
  }
}

/** Many minutes in order: each interval takes whole candles of the finer one, where one minute at a time would go to all nine. */
class Loading {
  readonly series: Series;
  /** By interval, what is not a whole candle yet. */
  readonly #parts: Map<Interval, Candle>;

  constructor(series: Series, parts: ReadonlyMap<Interval, Candle> = new Map()) {
    this.series = series;
    this.#parts = new Map(parts);
  }

  copy(): Loading {
    const series = Object.fromEntries(INTERVALS.map((interval) => [interval, this.series[interval].copy()])) as Series;
    return new Loading(series, this.#parts);
  }

  add(interval: Interval, candle: Candle): void {
    this.series[interval].merge(candle, candle.openTime);
    for (const coarser of COARSER[interval]) {
      const openTime = openTimeOf(coarser, candle.openTime);
      const part = this.#parts.get(coarser);
      if (part?.openTime === openTime) this.#parts.set(coarser, joinCandles(part, candle));
      else {
        if (part !== undefined) this.add(coarser, part);
        this.#parts.set(coarser, { ...candle, openTime });
      }
    }
  }

  end(): void {
    // From fine to coarse: each gives its last part to the next.
    for (const interval of INTERVALS) {
      const part = this.#parts.get(interval);
      if (part !== undefined) this.add(interval, part);
    }
  }
}

/** Nothing was traded: the last price stands. */
const flatFrom = ({ close }: Candle, openTime: Millis): Candle => ({
  openTime,
  open: close,
  high: close,
  low: close,
  close,
  volume: NO_LOTS,
  quoteVolume: NO_ATOMS,
});

const emptySeries = (): Series => {
  const series = (): CandleSeries => new CandleSeries(CANDLES_KEPT);
  return {
    '1m': series(),
    '5m': series(),
    '15m': series(),
    '30m': series(),
    '1h': series(),
    '4h': series(),
    '1d': series(),
    '1w': series(),
    '1M': series(),
  };
};
