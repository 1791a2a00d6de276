import { NO_TICKS, ticks } from '@orrery/units';
import { expect, test } from 'vitest';
import { liquidationDistance } from './liquidation-distance.ts';

test('how far the price must go is said in per cent of the mark price, rounded down', () => {
  // (58,540.0 − 54,910.5) / 58,540.0 = 6.20003 %
  expect(liquidationDistance(ticks(585_400), ticks(549_105))).toEqual({ way: 'fall', percent: '6.2' });
  expect(liquidationDistance(ticks(1_000), ticks(1_019))).toEqual({ way: 'rise', percent: '1.9' });
  expect(liquidationDistance(ticks(100_000), ticks(99_951))).toEqual({ way: 'fall', percent: '0' });
});

test('where no price liquidates the position nothing is said', () => {
  expect(liquidationDistance(ticks(1_000), NO_TICKS)).toBeUndefined();
  expect(liquidationDistance(NO_TICKS, ticks(1_000))).toBeUndefined();
});
