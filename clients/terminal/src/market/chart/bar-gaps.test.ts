import { expect, test } from 'vitest';
import type { Bar } from '../../platform/feed/bars.ts';
import { barsBetween } from './bar-gaps.ts';

const MINUTE = 60_000;
const bar = (minute: number, price: number): Bar => ({
  time: minute * MINUTE,
  open: price,
  high: price,
  low: price,
  close: price,
  volume: 1,
});
const flat = (minute: number, price: number): Bar => ({ ...bar(minute, price), volume: 0 });

test('minutes without a trade repeat the last close', () => {
  expect(barsBetween(bar(10, 100), bar(13, 90), '1m')).toEqual([flat(11, 100), flat(12, 100)]);
  expect(barsBetween(bar(0, 100), bar(45, 90), '15m')).toEqual([flat(15, 100), flat(30, 100)]);
});

test('there are none before the first bar, within a bar, and of months', () => {
  expect(barsBetween(undefined, bar(13, 90), '1m')).toEqual([]);
  expect(barsBetween(bar(13, 100), bar(13, 90), '1m')).toEqual([]);
  expect(barsBetween(bar(13, 100), bar(14, 90), '1m')).toEqual([]);
  expect(barsBetween(bar(0, 100), bar(200_000, 90), '1M')).toEqual([]);
});

test('after a long absence the newest of them are enough', () => {
  const found = barsBetween(bar(0, 100), bar(10_000, 90), '1m');
  expect(found).toHaveLength(500);
  expect(found.at(-1)).toEqual(flat(9_999, 100));
});
