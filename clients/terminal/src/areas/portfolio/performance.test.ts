import { expect, test } from 'vitest';
import { changeOf, drawdownOf, gains, lastDay, winRateOf } from './performance.ts';
import type { Snapshot } from './performance.ts';

const HOUR = 3_600_000;
const at = (hour: number, equity: string, net = '1000'): Snapshot => ({ time: hour * HOUR, equity, net });

test('what is paid in or out is no gain', () => {
  expect(gains([at(0, '1000'), at(1, '1010.5'), at(2, '1510.5', '1500'), at(3, '500', '500')])).toEqual(['0', '10.5', '10.5', '0']);
  expect(gains([])).toEqual([]);
});

test('the change is the gain in percent of what was there and what came in, towards zero', () => {
  expect(changeOf([at(0, '1000'), at(1, '1005.559')])).toEqual({ amount: '5.559', percent: '0.55' });
  expect(changeOf([at(0, '1000'), at(1, '994.441')])).toEqual({ amount: '-5.559', percent: '-0.55' });
  expect(changeOf([at(0, '0', '0'), at(1, '1100', '1000')])).toEqual({ amount: '100', percent: '10.00' });
});

test('without two snapshots, or without anything to gain on, the change is not known', () => {
  expect(changeOf([])).toBeUndefined();
  expect(changeOf([at(0, '1000')])).toBeUndefined();
  expect(changeOf([at(0, '0', '0'), at(1, '5', '0')])).toEqual({ amount: '5', percent: undefined });
});

test('the last day begins with the newest snapshot that is at least a day old', () => {
  const snapshots = [at(0, '1'), at(5, '2'), at(8, '3'), at(30, '4')];
  expect(lastDay(snapshots).map(({ equity }) => equity)).toEqual(['2', '3', '4']);
  expect(lastDay([at(0, '1'), at(3, '2')]).map(({ equity }) => equity)).toEqual(['1', '2']);
  expect(lastDay([])).toEqual([]);
});

test.each([
  [0, 0, undefined],
  [1, 0, '0.00'],
  [3, 2, '66.66'],
  [8, 5, '62.50'],
  [4, 4, '100.00'],
])('of %s closed positions %s won: %s', (closedPositions, wonPositions, rate) => {
  expect(winRateOf({ closedPositions, wonPositions })).toBe(rate);
});

test('the drawdown is the deepest fall from a highest value, rounded up, and a withdrawal is no fall', () => {
  expect(drawdownOf([at(0, '1000'), at(1, '1200'), at(2, '900'), at(3, '1100'), at(4, '1000')])).toBe('25.00');
  expect(drawdownOf([at(0, '300'), at(1, '299')])).toBe('0.34');
  expect(drawdownOf([at(0, '1000'), at(1, '600', '600'), at(2, '600', '600')])).toBe('0.00');
  expect(drawdownOf([at(0, '1000'), at(1, '1500', '1500'), at(2, '1350', '1500')])).toBe('10.00');
  expect(drawdownOf([at(0, '1000')])).toBeUndefined();
});

test('what is lost in the first hour is a loss: an account begins with nothing, and what came in is what worked', () => {
  const newcomer = [at(0, '0', '0'), at(0.4, '7350', '10000')];
  expect(gains(newcomer)).toEqual(['0', '-2650']);
  expect(changeOf(newcomer)).toEqual({ amount: '-2650', percent: '-26.50' });
  expect(drawdownOf(newcomer)).toBe('26.50');
  expect(drawdownOf([at(0, '0', '0'), at(1, '0', '0'), at(2, '90', '100'), at(3, '0', '10'), at(4, '45', '60')])).toBe('19.00');
});
