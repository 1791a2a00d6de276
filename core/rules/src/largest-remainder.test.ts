import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { divideBig, divideWhole } from './largest-remainder.ts';
import { naiveShares } from './testing/naive-filling.ts';

/** The products of such numbers are far beyond what a number holds exactly. */
const whole = fc.oneof(
  fc.integer({ min: 0, max: 12 }),
  fc.integer({ min: 0, max: 2 ** 50 }),
  fc.integer({ min: 2 ** 48, max: Number.MAX_SAFE_INTEGER }),
);
const weights = fc.array(whole, { minLength: 1, maxLength: 8 }).filter((drawn) => drawn.some((weight) => weight > 0));

test('M5, P7: numbers and longer amounts are divided to the unit, as a naive division does', () => {
  fc.assert(
    fc.property(whole, weights, (amount, drawn) => {
      const big = drawn.map(BigInt);
      const expected = naiveShares(BigInt(amount), big, [...drawn.keys()]);
      expect(divideBig(BigInt(amount), big)).toEqual(expected);
      expect(divideWhole(amount, drawn).map(BigInt)).toEqual(expected);
      expect(divideBig(BigInt(amount) << 64n, big)).toEqual(naiveShares(BigInt(amount) << 64n, big, [...drawn.keys()]));
    }),
    { numRuns: 3_000 },
  );
});

test.each([
  // 2 of 1 + 1 + 1: 0.67 each, so the first two.
  [2, [1, 1, 1], [1, 1, 0]],
  // 3 of 2 + 2 + 1 + 2: 0.86, 0.86, 0.43 and 0.86.
  [3, [2, 2, 1, 2], [1, 1, 0, 1]],
  // A quotient that a number rounds up to the next whole one.
  [2 ** 49 - 1, [2 ** 49 - 1, 1], [2 ** 49 - 2, 1]],
])('M5: %s is divided by %s', (amount, drawn, parts) => {
  expect(divideWhole(amount, drawn)).toEqual(parts);
});
