import { expect, test } from 'vitest';
import { averageTrueRange, volumeWeightedPrice } from './extra-indicators.ts';

const HOUR = 3_600_000;
const bar = (hour: number, high: number, low: number, close: number, volume = 0) => ({ timestamp: hour * HOUR, high, low, close, volume });

test('the average true range counts a gap from the close before, and begins after a whole period', () => {
  const bars = [bar(0, 12, 10, 12), bar(1, 20, 18, 18), bar(2, 19, 17, 18)];
  expect(averageTrueRange(bars, 2)).toEqual([{}, { atr: 5 }, { atr: 3.5 }]);
});

test('the price weighted by volume begins with the first trade and again at midnight UTC', () => {
  const bars = [bar(22, 10, 10, 10), bar(22.5, 10, 10, 10, 1), bar(23, 20, 20, 20, 3), bar(24, 40, 40, 40), bar(25, 40, 40, 40, 2)];
  expect(volumeWeightedPrice(bars)).toEqual([{}, { vwap: 10 }, { vwap: 17.5 }, {}, { vwap: 40 }]);
});
