import { expect, test } from 'vitest';
import { atoms, NO_TICKS, ppm, ticks } from '@orrery/units';
import { collateralWorth, type CollateralTerms } from './collateral-worth.ts';

/** A lot of 1,000 atoms is worth 1 atom a tick. */
const TERMS: CollateralTerms = { price: ticks(600_000), lotAtoms: atoms(1_000n), tickLotAtoms: atoms(1n), ratioPpm: ppm(900_000) };

test.each<[string, bigint, Partial<CollateralTerms>, bigint]>([
  // 1 BTC at 60,000 USDC, of which 0.9 count.
  ['a coin', 100_000_000n, {}, 54_000_000_000n],
  // 1,999 × 10 / 1,000 = 19.99 is 19 first, and 0.9 of that 17.1.
  ['an amount off the grid', 1_999n, { price: ticks(10) }, 17n],
  // 1,119 / 1,000 is 1 first, and 0.9 of that nothing; at once it would be 1.007.
  ['an atom of value', 1_119n, { price: ticks(1) }, 0n],
  // 10 × 0.95 = 9.5 rounds down; 10.9 at once would be 10.355.
  ['a value that is rounded twice', 10_900n, { price: ticks(1), ratioPpm: ppm(950_000) }, 9n],
  ['a coin without a price', 100_000_000n, { price: NO_TICKS }, 0n],
  ['nothing', 0n, {}, 0n],
])('the worth of %s', (_what, amount, terms, worth) => {
  expect(collateralWorth(atoms(amount), { ...TERMS, ...terms })).toBe(worth);
});
