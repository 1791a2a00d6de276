import * as fc from 'fast-check';
import { atoms, lots, millis, ticks } from '@orrery/units';
import { expect, test } from 'vitest';
import { CandleSeries, joinCandles, type Candle } from './candle-series.ts';

const KEPT = 300;
/** What is dropped is dropped by this number. */
const CHUNK_ROWS = 256;
const BEGAN_AT = 1_790_000_000_000;

/** The same as plain objects, all of them. */
class PlainSeries {
  candles: Candle[] = [];

  merge(part: Candle, openTime: Candle['openTime']): void {
    const last = this.candles.at(-1);
    if (last !== undefined && last.openTime >= openTime) this.candles = [...this.candles.slice(0, -1), joinCandles(last, part)];
    else this.candles = [...this.candles, { ...part, openTime }];
  }

  copy(): PlainSeries {
    const copy = new PlainSeries();
    copy.candles = this.candles;
    return copy;
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
const steps = (maxLength: number) => fc.array(fc.tuple(fc.integer({ min: -1, max: 3 }), part), { maxLength });
/** Candles before the drawn ones: about as many as fill a chunk, two, three. */
const before = fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: -20, max: 3 }));

/** A series and its twin, which are asked the same. */
interface Pair {
  readonly series: CandleSeries;
  readonly plain: PlainSeries;
  at: number;
}

function merge(pair: Pair, emitted: readonly (readonly [number, Omit<Candle, 'openTime'>])[]): void {
  for (const [step, each] of emitted) {
    pair.at += step;
    for (const one of [pair.series, pair.plain]) one.merge({ ...each, openTime: millis(pair.at) }, millis(pair.at));
  }
}

function expectSame({ series, plain, at }: Pair, from: number, count: number): void {
  const all = plain.candles;
  expect(series.length).toBeGreaterThanOrEqual(Math.min(KEPT, all.length));
  expect(series.length).toBeLessThanOrEqual(KEPT + 2 * CHUNK_ROWS);
  const candles = all.slice(all.length - series.length);
  expect(series.slice(0, series.length)).toEqual(candles);
  expect(series.last).toEqual(candles.at(-1));
  const [start, end] = [Math.min(from, candles.length), Math.min(from + count, candles.length)];
  expect(series.joined(start, end)).toEqual(start === end ? undefined : candles.slice(start, end).reduce(joinCandles));
  const time = at - (from % 20);
  expect(series.firstAfter(time)).toBe(candles.filter(({ openTime }) => openTime <= time).length);
}

test('rows of numbers say what candles as objects would, and copies that have rows in common go on each for itself', () => {
  fc.assert(
    fc.property(
      before,
      part,
      fc.tuple(steps(40), steps(40), steps(40)),
      fc.nat(800),
      fc.nat(300),
      (many, one, [first, mine, yours], from, count) => {
        const [chunks, more] = many;
        const pair: Pair = { series: new CandleSeries(KEPT), plain: new PlainSeries(), at: BEGAN_AT };
        merge(
          pair,
          Array.from({ length: Math.max(0, chunks * CHUNK_ROWS + more) }, () => [1, one] as const),
        );
        merge(pair, first);
        const copy: Pair = { series: pair.series.copy(), plain: pair.plain.copy(), at: pair.at };
        merge(pair, mine);
        merge(copy, yours);
        expectSame(pair, from, count);
        expectSame(copy, from, count);
      },
    ),
    { numRuns: 300 },
  );
});
