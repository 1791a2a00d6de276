import { expect, test } from 'vitest';
import { distanceText } from './distance.ts';

test.each([
  [101, 100, '+1.00%'],
  [99, 100, '\u22121.00%'],
  [100, 100, '0.00%'],
  [100.001, 100, '0.00%'],
  [60_999.9, 60_000, '+1.66%'],
  [0.4992, 0.5, '\u22120.16%'],
])('%d against %d is %s', (price, from, words) => {
  expect(distanceText(price, from)).toBe(words);
});

test('without a price there is no distance', () => {
  expect(distanceText(0, 100)).toBeUndefined();
  expect(distanceText(100, Number.NaN)).toBeUndefined();
});
