import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { lots, ticks } from '@orrery/units';
import { DISTRIBUTIONS, rungsOf } from './scale.ts';
import type { Scale } from './scale.ts';

const scale = (part: Partial<Scale>): Scale => ({
  lower: ticks(100),
  upper: ticks(110),
  count: 3,
  size: lots(60),
  distribution: 'flat',
  ...part,
});
const shown = (part: Partial<Scale>): readonly string[] => rungsOf(scale(part)).map(({ price, size }) => `${size} @ ${price}`);

test('a flat scale spreads the size evenly between two prices, both of them taken', () => {
  expect(shown({})).toEqual(['20 @ 100', '20 @ 105', '20 @ 110']);
});

test('a rising scale has more towards the upper price, a falling one towards the lower', () => {
  expect(shown({ distribution: 'rising' })).toEqual(['10 @ 100', '20 @ 105', '30 @ 110']);
  expect(shown({ distribution: 'falling' })).toEqual(['30 @ 100', '20 @ 105', '10 @ 110']);
});

test('prices are rounded down to the grid, and what remains of the size goes to the first rungs', () => {
  expect(shown({ upper: ticks(105), count: 4, size: lots(10) })).toEqual(['3 @ 100', '3 @ 101', '2 @ 103', '2 @ 105']);
});

test('the sizes of a scale always add up to the whole, and its prices rise from the lower to the upper', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1_000_000 }),
      fc.integer({ min: 20, max: 1_000_000 }),
      fc.integer({ min: 2, max: 20 }),
      fc.integer({ min: 20, max: 10_000_000 }),
      fc.constantFrom(...DISTRIBUTIONS),
      (lower, width, count, size, distribution) => {
        const rungs = rungsOf({ lower: ticks(lower), upper: ticks(lower + width), count, size: lots(size), distribution });
        expect(rungs.reduce((sum, rung) => sum + rung.size, 0)).toBe(size);
        expect(rungs[0]?.price).toBe(lower);
        expect(rungs.at(-1)?.price).toBe(lower + width);
        const prices = rungs.map(({ price }) => price);
        expect(new Set(prices).size).toBe(count);
        expect(prices).toEqual(prices.toSorted((left, right) => left - right));
      },
    ),
  );
});
