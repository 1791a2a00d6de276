import * as fc from 'fast-check';
import { atoms, lots, millis, ticks } from '@orrery/units';
import { expect, test } from 'vitest';
import { CandleSeries, joinCandles, type Candle } from './candle-series.ts';

const KEPT = 10;

/** The same as plain objects. */
class PlainSeries {
  candles: Candle[] = [];

  merge(part: Candle, openTime: Candle['openTime']): void {
    const last = this.candles.at(-1);
    if (last !== undefined && last.openTime >= openTime) {
      this.candles = [...this.candles.slice(0, -1), joinCandles(last, part)];
      return;
    }
    if (this.candles.length >= 1.1 * KEPT) this.candles = this.candles.slice(-KEPT);
    this.candles = [...this.candles, { ...part, openTime }];
  }
}

const price = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }).map(ticks);
const part = fc.record({
  open: price,
  high: price,
  low: price,
  close: price,
  volume: fc.integer({ min: 0, max: 2 ** 40 }).map(lots),
  // Of a coin with eighteen decimals it is beyond 2^63 soon.
  quoteVolume: fc.oneof(fc.constant(0n), fc.bigInt({ min: 0n, max: 10n ** 30n })).map(atoms),
});
const parts = fc.array(fc.tuple(fc.integer({ min: -1, max: 3 }), part), { maxLength: 150 });

test('rows of numbers say what candles as objects would', () => {
  fc.assert(
    fc.property(parts, fc.nat(20), fc.nat(20), (emitted, from, count) => {
      const [series, plain] = [new CandleSeries(KEPT), new PlainSeries()];
      let at = 1_790_000_000_000;
      for (const [step, each] of emitted) {
        at += step;
        for (const one of [series, plain]) one.merge({ ...each, openTime: millis(at) }, millis(at));
      }
      const { candles } = plain;
      expect(series.slice(0, series.length)).toEqual(candles);
      expect(series.last).toEqual(candles.at(-1));
      const [start, end] = [Math.min(from, candles.length), Math.min(from + count, candles.length)];
      expect(series.joined(start, end)).toEqual(start === end ? undefined : candles.slice(start, end).reduce(joinCandles));
      const time = at - from;
      expect(series.firstAfter(time)).toBe(candles.filter(({ openTime }) => openTime <= time).length);
    }),
    { numRuns: 500 },
  );
});
