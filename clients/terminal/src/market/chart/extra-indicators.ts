/** Indicators that klinecharts does not bring: the average true range and the price weighted by volume. */
import type { IndicatorTemplate, KLineData } from 'klinecharts';

export type PricedBar = Pick<KLineData, 'timestamp' | 'high' | 'low' | 'close' | 'volume'>;

interface Atr {
  readonly atr?: number;
}

/** Wilder's average of the true range; nothing before the first whole period. */
export function averageTrueRange(bars: readonly PricedBar[], period: number): readonly Atr[] {
  let average = 0;
  return bars.map(({ high, low }, at) => {
    const before = bars[at - 1]?.close;
    const range = before === undefined ? high - low : Math.max(high, before) - Math.min(low, before);
    average = at < period ? average + range / period : (average * (period - 1) + range) / period;
    return at < period - 1 ? {} : { atr: average };
  });
}

interface Vwap {
  readonly vwap?: number;
}

const DAY_MS = 86_400_000;

/** The mean price of what was traded since midnight UTC, weighted by size; nothing until something was traded. */
export function volumeWeightedPrice(bars: readonly PricedBar[]): readonly Vwap[] {
  let [day, value, volume] = [Number.NaN, 0, 0];
  return bars.map((bar) => {
    const itsDay = Math.floor(bar.timestamp / DAY_MS);
    if (itsDay !== day) [day, value, volume] = [itsDay, 0, 0];
    const traded = bar.volume ?? 0;
    value += ((bar.high + bar.low + bar.close) / 3) * traded;
    volume += traded;
    return volume > 0 ? { vwap: value / volume } : {};
  });
}

export const atrIndicator: IndicatorTemplate<Atr, number> = {
  name: 'ATR',
  shortName: 'ATR',
  calcParams: [14],
  series: 'price',
  figures: [{ key: 'atr', title: 'ATR: ', type: 'line' }],
  calc: (bars, { calcParams }) => [...averageTrueRange(bars, calcParams[0] ?? 14)],
};

export const vwapIndicator: IndicatorTemplate<Vwap> = {
  name: 'VWAP',
  shortName: 'VWAP',
  series: 'price',
  figures: [{ key: 'vwap', title: 'VWAP: ', type: 'line' }],
  calc: (bars) => [...volumeWeightedPrice(bars)],
};
