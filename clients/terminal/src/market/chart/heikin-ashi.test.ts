import { expect, test } from 'vitest';
import { heikinAshi } from './heikin-ashi.ts';

test('each candle closes at the mean of its bar and opens in the middle of the one before', () => {
  const bars = [
    { open: 10, high: 14, low: 8, close: 12 },
    { open: 12, high: 20, low: 12, close: 20 },
    { open: 20, high: 21, low: 19, close: 20 },
  ];
  expect(heikinAshi(bars)).toEqual([
    { open: 11, high: 14, low: 8, close: 11 },
    { open: 11, high: 20, low: 11, close: 16 },
    { open: 13.5, high: 21, low: 13.5, close: 20 },
  ]);
});

test('no bars, no candles', () => {
  expect(heikinAshi([])).toEqual([]);
});
