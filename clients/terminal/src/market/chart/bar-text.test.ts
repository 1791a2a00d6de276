import { expect, test } from 'vitest';
import { formatDecimal } from '../../kit/format/number-format.ts';
import { formatTime } from '../../kit/format/time.ts';
import { barText, barTime } from './bar-text.ts';

const shown = (value: number, decimals: number): string => formatDecimal(barText(value), { format: '1,234.56', decimals });

test.each([
  [0.29, 2, '0.29'],
  [60_540.1, 1, '60,540.1'],
  [60_540, 1, '60,540.0'],
  [1.999, 2, '1.99'],
  [12_345.678_9, 2, '12,345.67'],
  [0.000_000_15, 7, '0.0000001'],
  [0, 2, '0.00'],
])('chart words round down: %d at %i decimals is %s', (value, decimals, words) => {
  expect(shown(value, decimals)).toBe(words);
});

test('bars of days, weeks and months carry the date of the exchange, and shorter ones a time in the chosen zone', () => {
  const midnight = Date.UTC(2026, 10, 2);
  // As somebody in New York reads it: five hours behind.
  const inNewYork = (millis: number): string => formatTime(millis - 5 * 3_600_000, { zone: 'utc', separator: '-' });
  expect((['4h', '1d', '1w', '1M'] as const).map((interval) => barTime(midnight, interval, inNewYork))).toEqual([
    '2026-11-01 19:00:00',
    '2026-11-02',
    '2026-11-02',
    '2026-11',
  ]);
});
