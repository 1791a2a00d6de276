import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { MarginTier } from '@orrery/protocol';
import { atoms } from '@orrery/units';
import { initialMargin, maintenanceMargin, maxLeverageAt, maxNotionalAt } from './margin-tiers.ts';
import { LINEAR, usdc } from './testing/contracts.ts';

const { tiers } = LINEAR;

test.each([
  [0, 0],
  // Tier 1, to 4 M: 40x, so 1 / 80 of the notional.
  [100_000, 1_250],
  [4_000_000, 50_000],
  // Tier 2, to 1 B: 10x, so 5 % less the deduction 4 M × (5 % - 1.25 %) = 150,000.
  [5_000_000, 100_000],
  [1_000_000_000, 49_850_000],
  // Tier 3: 1x, so 50 % less 150,000 + 1 B × (50 % - 5 %) = 450,150,000.
  [2_000_000_000, 549_850_000],
])('the maintenance of a notional of %s USDC is %s', (notional, maintenance) => {
  expect(maintenanceMargin(usdc(notional), tiers)).toBe(usdc(maintenance));
});

test('maintenance and initial margin round up to a whole atom', () => {
  // 81 atoms / 80 = 1.0125; 81 / 10 = 8.1.
  expect(maintenanceMargin(atoms(81n), tiers)).toBe(2n);
  expect(initialMargin(atoms(81n), 10)).toBe(9n);
  expect(initialMargin(usdc(60_000), 20)).toBe(usdc(3_000));
});

test('a leverage is allowed up to the bound of the last tier that has it', () => {
  expect(maxLeverageAt(usdc(4_000_000), tiers)).toBe(40);
  expect(maxLeverageAt(atoms(usdc(4_000_000) + 1n), tiers)).toBe(10);
  expect(maxLeverageAt(atoms(usdc(10_000_000_000) + 1n), tiers)).toBe(0);
  expect(maxNotionalAt(40, tiers)).toBe(usdc(4_000_000));
  expect(maxNotionalAt(11, tiers)).toBe(usdc(4_000_000));
  expect(maxNotionalAt(10, tiers)).toBe(usdc(1_000_000_000));
  expect(maxNotionalAt(41, tiers)).toBe(0n);
});

/** Bounds rising, leverage falling, with denominators that share no factor. */
const someTiers: fc.Arbitrary<readonly MarginTier[]> = fc
  .uniqueArray(fc.integer({ min: 1, max: 125 }), { minLength: 1, maxLength: 5 })
  .map((leverages) =>
    leverages
      .sort((left, right) => right - left)
      .map((maxLeverage, index) => ({ maxLeverage, maxNotional: atoms(BigInt(1_000 * (index + 1) ** 3)) })),
  );

test('P9: maintenance is the sum of each tier taken by its own rate, never falls, and steps by at most an atom at a bound', () => {
  const sumOfParts = (notional: bigint, list: readonly MarginTier[]): number => {
    let sum = 0;
    let below = 0n;
    for (const [index, { maxNotional, maxLeverage }] of list.entries()) {
      const above = index === list.length - 1 || notional < maxNotional ? notional : maxNotional;
      if (above > below) sum += Number(above - below) / (2 * maxLeverage);
      below = maxNotional;
    }
    return sum;
  };
  fc.assert(
    fc.property(someTiers, fc.bigInt({ min: 1n, max: 200_000n }), (list, notional) => {
      const maintenance = Number(maintenanceMargin(atoms(notional), list));
      const exact = sumOfParts(notional, list);
      expect(maintenance).toBeGreaterThanOrEqual(exact - 1e-6);
      expect(maintenance).toBeLessThan(exact + 1 + 1e-6);
      const step = Number(maintenanceMargin(atoms(notional + 1n), list)) - maintenance;
      expect(step === 0 || step === 1).toBe(true);
    }),
  );
});
