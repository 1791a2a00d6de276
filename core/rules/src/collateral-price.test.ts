import { describe, expect, test } from 'vitest';
import { atoms, NO_TICKS, ticks } from '@orrery/units';
import { nextCollateralPrice, openingShare } from './collateral-price.ts';
import type { WeightedSample } from './index-price.ts';

const venues = (...prices: readonly number[]): readonly WeightedSample[] =>
  prices.map((price) => ({ price: ticks(price), ageMs: 0, weight: 1 }));
const BOUNDS = { minPrice: ticks(1), maxPrice: ticks(1_000_000) };

describe('the price of a collateral', () => {
  test.each<[string, number, readonly WeightedSample[], number]>([
    ['begins with the median', 0, venues(1_000, 1_010, 10_000), 1_010],
    ['follows by at most 5 % up', 1_000, venues(1_200, 1_200, 1_200), 1_050],
    ['and down', 1_000, venues(10, 10, 10), 950],
    ['does not follow one venue', 1_000, venues(1_000, 10_000, 1_000), 1_000],
    ['nor a sample of nothing, or beyond the bounds of the market', 1_000, venues(1_004, 0, 1_000_001, 1_006), 1_005],
    ['nor two venues more than 1 % apart', 1_000, venues(1_000, 1_011), NO_TICKS],
    ['nor one venue alone', 1_000, venues(1_000), NO_TICKS],
  ])('%s', (_what, before, samples, after) => {
    expect(nextCollateralPrice(ticks(before), samples, BOUNDS)).toBe(after);
  });

  test.each([
    [0, 5_400n],
    [60_000, 5_400n],
    [60_001, 5_399n],
    [330_000, 2_700n],
    [599_999, 0n],
    [600_000, 0n],
    [9_000_000, 0n],
  ])('counts for what opens by its age: after %i ms %d of 5,400', (ageMs, counted) => {
    expect(openingShare(atoms(5_400n), ageMs)).toBe(counted);
  });
});
