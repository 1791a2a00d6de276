import { lots, millis, NO_ATOMS, ticks } from '@orrery/units';
import type { Interval } from '@orrery/views';
import { expect, test } from 'vitest';
import { isOutside } from './wire.ts';

const HOUR = 3_600_000;
const NOON = Date.UTC(2026, 10, 28, 12);

/** Opened this number of hours after noon; the first trade here was at half past three. */
test.each<[hours: number, interval: Interval, outside: boolean]>([
  [0, '1h', true],
  [2, '1h', true],
  [3, '1h', false],
  [4, '1h', false],
  [-12, '1d', false],
  [-36, '1d', true],
])('a candle of %i h, %s', (hours, interval, outside) => {
  const [price, volume] = [ticks(1), lots(0)];
  const candle = {
    openTime: millis(NOON + hours * HOUR),
    open: price,
    high: price,
    low: price,
    close: price,
    volume,
    quoteVolume: NO_ATOMS,
  };
  expect(isOutside(candle, { interval, since: millis(NOON + 3.5 * HOUR) })).toBe(outside);
  // Before the first trade all prices are of elsewhere.
  expect(isOutside(candle, { interval, since: undefined })).toBe(true);
});
