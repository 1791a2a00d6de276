/** Heikin-Ashi candles: each averages its own bar and begins in the middle of the one before, so that trends stand out. */

export interface Candle {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
}

/** Floats are for drawing only. */
export function heikinAshi(bars: readonly Candle[]): readonly Candle[] {
  const averaged: Candle[] = [];
  for (const bar of bars) {
    const before = averaged.at(-1);
    const open = before === undefined ? (bar.open + bar.close) / 2 : (before.open + before.close) / 2;
    const close = (bar.open + bar.high + bar.low + bar.close) / 4;
    averaged.push({ open, close, high: Math.max(bar.high, open, close), low: Math.min(bar.low, open, close) });
  }
  return averaged;
}
