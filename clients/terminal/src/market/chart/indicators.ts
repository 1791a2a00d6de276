/** The indicators of the chart, in the order of the list: where each is drawn and with what it is computed. */

export const INDICATORS = [
  'MA',
  'EMA',
  'SMA',
  'BOLL',
  'SAR',
  'BBI',
  'VWAP',
  'VOL',
  'MACD',
  'RSI',
  'KDJ',
  'ATR',
  'OBV',
  'CCI',
  'DMI',
  'WR',
  'ROC',
  'MTM',
  'TRIX',
  'AO',
] as const;
export type Indicator = (typeof INDICATORS)[number];

const OVER_CANDLES: ReadonlySet<Indicator> = new Set(['MA', 'EMA', 'SMA', 'BOLL', 'SAR', 'BBI', 'VWAP']);

/** Those over the candles share their axis of prices; each other one has a pane of its own. */
export const isOverCandles = (indicator: Indicator): boolean => OVER_CANDLES.has(indicator);

/** Panes below the candles at most: more would leave none of them readable. */
export const PANES_MAX = 4;
/** Lines over the candles at most, by indicator. */
export const OVERLAYS_MAX = 4;

/** What professionals look at, rather than the library's defaults. */
export const PARAMETERS: Partial<Record<Indicator, number[]>> = {
  MA: [7, 25, 99],
  EMA: [20, 50],
  VOL: [5, 10],
  RSI: [14],
  CCI: [20],
  WR: [14],
  ATR: [14],
};

/** Decimals of those that do not count in prices. */
export const PRECISIONS: Partial<Record<Indicator, number>> = { RSI: 2, KDJ: 2, CCI: 2, DMI: 2, WR: 2, ROC: 2, TRIX: 4, OBV: 2 };

/** Whether one more of its kind fits. */
export function hasRoom(indicators: readonly Indicator[], indicator: Indicator): boolean {
  const beside = indicators.filter((other) => isOverCandles(other) === isOverCandles(indicator));
  return beside.length < (isOverCandles(indicator) ? OVERLAYS_MAX : PANES_MAX);
}

/** Switches one on or off. The list's order is kept; one that has no room stays off. */
export function toggled(indicators: readonly Indicator[], indicator: Indicator): readonly Indicator[] {
  if (indicators.includes(indicator)) return indicators.filter((other) => other !== indicator);
  if (!hasRoom(indicators, indicator)) return indicators;
  return INDICATORS.filter((known) => known === indicator || indicators.includes(known));
}

/** Bars that must have traded before a pane of volumes says anything. */
const TRADED_BARS_LEAST = 5;

/** Bars of history in which nobody traded here have a price and no volume: a pane of them would be empty. */
export function hasVolume(bars: Iterable<{ readonly volume?: number }>): boolean {
  let traded = 0;
  for (const { volume = 0 } of bars) {
    if (volume > 0) traded += 1;
    if (traded >= TRADED_BARS_LEAST) return true;
  }
  return false;
}
