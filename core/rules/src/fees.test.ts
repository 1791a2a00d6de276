import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { atoms, ppm, signedPpm } from '@orrery/units';
import { feeOn } from './fees.ts';

const rate = fc.integer({ min: 0, max: 100_000 }).map(ppm);
const amount = fc.bigInt({ min: 0n, max: 10n ** 30n }).map(atoms);

test.each([
  [0n, 1_000, 0n],
  [1n, 1_000, 1n],
  [1_000n, 1_000, 1n],
  [1_001n, 1_000, 2n],
  [999_999n, 500, 500n],
  [1_000_001n, 500, 501n],
  [20n, 0, 0n],
] as const)('the fee on %s atoms at %s ppm is %s', (received, ratePpm, fee) => {
  expect(feeOn(atoms(received), ppm(ratePpm))).toBe(fee);
});

test('M6: a fee is at least 0 and at most what is received', () => {
  fc.assert(fc.property(amount, rate, (received, ratePpm) => feeOn(received, ratePpm) >= 0n && feeOn(received, ratePpm) <= received));
});

test('M5: many small fills never cost less than one big fill, and at most one atom each more', () => {
  const dust = fc.array(fc.bigInt({ min: 1n, max: 20n }), { minLength: 1, maxLength: 50 });
  fc.assert(
    fc.property(dust, rate, (parts, ratePpm) => {
      const whole = feeOn(atoms(parts.reduce((sum, part) => sum + part, 0n)), ratePpm);
      const split = parts.reduce((sum, part) => sum + feeOn(atoms(part), ratePpm), 0n);
      return split >= whole && split <= whole + BigInt(parts.length);
    }),
  );
});

test.each([
  [1_000_000n, -50, -50n],
  [999_999n, -50, -49n],
  [19_999n, -50, 0n],
  [0n, -50, 0n],
  [1_000_001n, 500, 501n],
] as const)('at a signed rate, the fee on %s atoms at %s ppm is %s', (received, ratePpm, fee) => {
  expect(feeOn(atoms(received), signedPpm(ratePpm))).toBe(fee);
});

test('M5: many small rebates never pay more than one big rebate', () => {
  const dust = fc.array(fc.bigInt({ min: 1n, max: 10n ** 6n }), { minLength: 1, maxLength: 50 });
  fc.assert(
    fc.property(dust, rate, (parts, ratePpm) => {
      const rebate = signedPpm(0 - ratePpm);
      const whole = feeOn(atoms(parts.reduce((sum, part) => sum + part, 0n)), rebate);
      return whole <= parts.reduce((sum, part) => sum + feeOn(atoms(part), rebate), 0n);
    }),
  );
});

test('a rate below zero is no rate of a market, and a fraction is no rate', () => {
  expect(() => ppm(-1)).toThrow('rate in ppm must be a safe integer from 0');
  expect(() => signedPpm(0.5)).toThrow('signed rate in ppm must be a safe integer');
});
