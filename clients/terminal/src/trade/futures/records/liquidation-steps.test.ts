import type { Liquidation } from '@orrery/api';
import { expect, test } from 'vitest';
import { coverOf, stepsOf, sumOf } from './liquidation-steps.ts';

const step = (id: string, part: Partial<Liquidation>): Liquidation => ({
  id,
  liquidationId: '1',
  symbol: 'BTC_USDC',
  positionSide: 'BOTH',
  stage: 'ORDER_BOOK',
  markPrice: '59000',
  equity: '12.5',
  maintenanceMargin: '29.5',
  size: '0.01',
  price: '58990',
  fromMargin: '10',
  fromLiquidator: '0',
  fromInsurance: '0',
  uncovered: '0',
  settleCoin: 'USDC',
  createdTime: 1_000,
  ...part,
});

/** Newest first, as the exchange lists them. */
const STEPS = [
  step('e', { liquidationId: '3', symbol: 'ETH_USDC', createdTime: 5_000 }),
  step('d', { liquidationId: '2', createdTime: 4_000, stage: 'TAKE_OVER', size: '0.02', fromMargin: '2', fromInsurance: '0.5' }),
  step('c', { liquidationId: '2', createdTime: 3_000 }),
  step('b', { liquidationId: '1', createdTime: 2_000 }),
  step('a', { liquidationId: '1', createdTime: 1_000 }),
];
const ids = (steps: readonly Liquidation[]): string => steps.map(({ id }) => id).join(' ');

test.each([
  ['its number', { symbol: 'BTC_USDC', liquidationId: '1' }, 'a b'],
  ['a number of another contract', { symbol: 'BTC_USDC', liquidationId: '3' }, ''],
  ['the position it ended', { symbol: 'BTC_USDC', positionSide: 'BOTH', createdTime: 500, closedTime: 4_000 }, 'c d'],
  ['a position that ended before', { symbol: 'BTC_USDC', positionSide: 'BOTH', createdTime: 500, closedTime: 2_000 }, 'a b'],
  ['a position of the other side', { symbol: 'BTC_USDC', positionSide: 'LONG', createdTime: 500, closedTime: 4_000 }, ''],
] as const)('a liquidation is found by %s', (_by, name, found) => {
  expect(ids(stepsOf(STEPS, name))).toBe(found);
});

test('what its steps closed and who paid add up', () => {
  const steps = stepsOf(STEPS, { symbol: 'BTC_USDC', liquidationId: '2' });
  expect(sumOf(steps, { size: 5, settle: 6 })).toEqual({
    size: '0.03',
    fromMargin: '12',
    fromLiquidator: '0',
    fromInsurance: '0.5',
    uncovered: '0',
  });
});

test.each([
  ['12.5', '29.5', '42.3'],
  ['29.5', '29.5', '100'],
  ['-3', '29.5', '0'],
])('equity of %s before a maintenance of %s covers %s %% of it', (equity, maintenanceMargin, percent) => {
  expect(coverOf({ equity, maintenanceMargin }, 6)).toBe(percent);
});
