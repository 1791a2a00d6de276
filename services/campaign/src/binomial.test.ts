import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { binomialTail } from './binomial.ts';

/** A second way: every outcome of the draws, one by one. */
function counted({ draws, successes, chance }: { draws: number; successes: number; chance: number }): number {
  let sum = 0;
  for (let outcome = 0; outcome < 2 ** draws; outcome++) {
    const lucky = outcome.toString(2).replaceAll('0', '').length;
    if (lucky >= successes) sum += chance ** lucky * (1 - chance) ** (draws - lucky);
  }
  return sum;
}

test('[T10] the tail of the binomial distribution equals the count of every outcome', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 12 }),
      fc.integer({ min: 0, max: 13 }),
      fc.double({ min: 0.001, max: 0.9, noNaN: true }),
      (draws, successes, chance) => {
        const asked = { draws, successes, chance };
        expect(binomialTail(asked)).toBeCloseTo(counted(asked), 12);
      },
    ),
  );
});

test('[T10] figures of a chain: 22 lucky blocks are usual in a day of 43,200, 23 are not; every block lucky is next to impossible', () => {
  const chance = 10 / 65_536;
  const day = (successes: number) => binomialTail({ draws: 43_200, successes, chance });
  expect(day(22)).toBeGreaterThan(1e-6);
  expect(day(23)).toBeLessThan(1e-6);
  expect(binomialTail({ draws: 6_554, successes: 1, chance })).toBeCloseTo(0.632, 3);
  expect(binomialTail({ draws: 1_000, successes: 1_000, chance })).toBeLessThan(1e-300);
});
