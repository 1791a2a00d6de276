import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { atoms } from '@orrery/units';
import { apportion, fillCapped } from './apportion.ts';
import { naiveFilling, naiveShares } from './testing/naive-filling.ts';

const ofAtoms = (values: readonly number[]) => values.map((value) => atoms(BigInt(value)));

test.each([
  // 10 of 3 + 3 + 1: 4.29, 4.29 and 1.43: the last atom to the largest remainder.
  [10, [3, 3, 1], [4, 4, 2]],
  // Of equal remainders the first.
  [1, [1, 1], [1, 0]],
  [0, [1, 2], [0, 0]],
])('M5: %s is divided by the weights %s', (amount, weights, parts) => {
  expect(apportion(atoms(BigInt(amount)), ofAtoms(weights))).toEqual(ofAtoms(parts));
});

test.each([
  [
    'what is above a cap goes on to the others',
    100,
    [
      [1, 10],
      [1, 50],
      [2, 80],
    ],
    [10, 30, 60],
  ],
  [
    'all of it when the caps are less',
    100,
    [
      [1, 10],
      [1, 20],
    ],
    [10, 20],
  ],
  [
    'nothing into a cap of 0',
    5,
    [
      [9, 0],
      [1, 5],
    ],
    [0, 5],
  ],
] as const)('P6: %s', (_what, amount, vessels, parts) => {
  const given = vessels.map(([weight, cap]) => ({ weight: atoms(BigInt(weight)), cap: atoms(BigInt(cap)) }));
  expect(fillCapped(atoms(BigInt(amount)), given)).toEqual(ofAtoms(parts));
});

const whole = fc.oneof(fc.bigInt({ min: 0n, max: 12n }), fc.bigInt({ min: 0n, max: 10n ** 24n }));
const vessel = fc.record({ weight: whole.map((weight) => atoms(weight + 1n)), cap: whole.map(atoms) });

test('P6, M5: water-filling takes what a naive one does, no part above its cap, and to the atom', () => {
  fc.assert(
    fc.property(whole.map(atoms), fc.array(vessel, { minLength: 1, maxLength: 8 }), (amount, vessels) => {
      const taken = fillCapped(amount, vessels);
      const caps = vessels.reduce((sum, { cap }) => sum + cap, 0n);
      expect(taken.reduce((sum, part) => sum + part, 0n)).toBe(amount < caps ? amount : caps);
      expect(taken.every((part, index) => part >= 0n && part <= vessels[index]!.cap)).toBe(true);
      expect(taken).toEqual(naiveFilling(amount, vessels));
    }),
    { numRuns: 2_000 },
  );
});

test('P7, M5: gains that pay in proportion pay no more than they are', () => {
  fc.assert(
    fc.property(fc.array(whole.map(atoms), { minLength: 1, maxLength: 8 }), whole, (gains, wanted) => {
      const total = gains.reduce((sum, gain) => sum + gain, 0n);
      const amount = atoms(wanted < total ? wanted : total);
      const paid = total === 0n ? gains : apportion(amount, gains);
      expect(paid.every((part, index) => part <= gains[index]!)).toBe(true);
      if (total > 0n) expect(paid).toEqual(naiveShares(amount, gains, [...gains.keys()]));
    }),
    { numRuns: 2_000 },
  );
});
