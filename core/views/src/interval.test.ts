import * as fc from 'fast-check';
import { millis } from '@orrery/units';
import { expect, test } from 'vitest';
import { INTERVALS, openTimeOf } from './interval.ts';

const at = (text: string) => millis(Date.parse(text));

test.each([
  ['1m', '2026-03-05T10:17:59.999Z', '2026-03-05T10:17:00Z'],
  ['15m', '2026-03-05T10:17:00Z', '2026-03-05T10:15:00Z'],
  ['4h', '2026-03-05T10:17:00Z', '2026-03-05T08:00:00Z'],
  ['1d', '2026-03-05T10:17:00Z', '2026-03-05T00:00:00Z'],
  ['1w', '2026-03-05T10:17:00Z', '2026-03-02T00:00:00Z'],
  ['1w', '2026-03-02T00:00:00Z', '2026-03-02T00:00:00Z'],
  ['1w', '2026-03-01T23:59:59Z', '2026-02-23T00:00:00Z'],
  ['1M', '2024-02-29T23:59:59Z', '2024-02-01T00:00:00Z'],
  ['1M', '2026-12-31T23:59:59Z', '2026-12-01T00:00:00Z'],
] as const)('the %s candle of %s opened at %s', (interval, time, opened) => {
  expect(openTimeOf(interval, at(time))).toBe(at(opened));
});

test('months begin where the civil calendar says, for four hundred years', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: at('2400-01-01T00:00:00Z') }), (time) => {
      const date = new Date(time);
      expect(openTimeOf('1M', millis(time))).toBe(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1));
    }),
    { numRuns: 2_000 },
  );
});

test('opening times are their own opening times and never lie ahead', () => {
  fc.assert(
    fc.property(fc.integer({ min: 7 * 86_400_000, max: 2 ** 42 }), fc.constantFrom(...INTERVALS), (time, interval) => {
      const opened = openTimeOf(interval, millis(time));
      expect(opened).toBeLessThanOrEqual(time);
      expect(openTimeOf(interval, opened)).toBe(opened);
    }),
  );
});
