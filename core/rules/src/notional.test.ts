import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { atoms, lots, ticks } from '@orrery/units';
import { affordableSize, baseAmount, notional, valueAt } from './notional.ts';
import { BTC_USDC } from './testing/orders.ts';

test.each([
  [1, 1, 1n],
  [1_000_000, 100, 100_000_000n],
  [100_000_000, 10_000_000, 1_000_000_000_000_000n],
  [2 ** 30 - 1, 10 ** 12, 1_073_741_823_000_000_000_000n],
] as const)('%s ticks times %s lots are %s atoms, exact beyond the safe integers', (price, size, value) => {
  expect(notional(ticks(price), lots(size), BTC_USDC)).toBe(value);
});

test('a lot is a number of atoms of the base asset', () => {
  expect(baseAmount(lots(3), BTC_USDC)).toBe(3_000n);
});

test('what an amount is worth is the notional of its lots, and a part of an atom is left out', () => {
  const price = ticks(1_000_001);
  expect(valueAt(baseAmount(lots(7), BTC_USDC), price, BTC_USDC)).toBe(notional(price, lots(7), BTC_USDC));
  // 999 of the 1,000 atoms of a lot, at 100,000.1 USDC.
  expect(valueAt(atoms(999n), price, BTC_USDC)).toBe(999_000n);
  expect(valueAt(atoms(0n), price, BTC_USDC)).toBe(0n);
});

test('funds afford the most lots that do not cost more', () => {
  const price = fc.integer({ min: 1, max: 2 ** 30 - 1 }).map(ticks);
  const funds = fc.bigInt({ min: 0n, max: 10n ** 15n }).map(atoms);
  const wanted = fc.integer({ min: 0, max: 10 ** 12 }).map(lots);
  fc.assert(
    fc.property(funds, price, wanted, (money, at, most) => {
      const size = affordableSize(money, at, most, BTC_USDC);
      const oneMore = notional(at, lots(size + 1), BTC_USDC);
      return notional(at, size, BTC_USDC) <= money && (size === most || oneMore > money);
    }),
  );
});
