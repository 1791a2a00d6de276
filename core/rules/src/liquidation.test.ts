import { expect, test } from 'vitest';
import { atoms, lots, ppm } from '@orrery/units';
import { firstLiquidation, solvencyStage } from './liquidation.ts';
import { usdc } from './testing/contracts.ts';

test.each([
  [100, 100, 'safe'],
  [99, 100, 'orderBook'],
  // Two thirds of 100 are 66.67: 67 is above, 66 below.
  [67, 100, 'orderBook'],
  [66, 100, 'takeover'],
  // Exactly two thirds.
  [60, 90, 'orderBook'],
  [-1, 100, 'takeover'],
  // Nothing is held.
  [0, 0, 'safe'],
] as const)('P5: with an equity of %s and a maintenance of %s the stage is %s', (equity, maintenance, stage) => {
  expect(solvencyStage({ equity: atoms(BigInt(equity)), maintenance: atoms(BigInt(maintenance)) })).toBe(stage);
});

test.each([
  // 100,000 USDC are not above the bound.
  [1_000, 100_000, 1_000],
  // A fifth of 1,000, and of 1,001 200.2, rounded up.
  [1_000, 100_000.000_001, 200],
  [1_001, 150_000, 201],
  [1, 150_000, 1],
])('of %s lots worth %s USDC, %s are liquidated first', (size, notional, first) => {
  const terms = { partialLiquidationAbove: usdc(100_000), partialLiquidationPpm: ppm(200_000) };
  expect(firstLiquidation(lots(size), usdc(notional), terms)).toBe(first);
});
