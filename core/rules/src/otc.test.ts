import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { atoms, cents, fiatPrice, millis, signedPpm } from '@orrery/units';
import { amountForTotal, fiatTotal, floatingPrice, isAssistFresh } from './otc.ts';

/** 7.2345 of a fiat unit for a coin of six decimals. */
const usdc = { decimals: 6, price: fiatPrice(72_345n) };

describe('what an order costs outside', () => {
  test.each([
    // One coin is 7.2345: 724 cents to who buys, 723 to who sells.
    ['buy', 1_000_000n, 724n],
    ['sell', 1_000_000n, 723n],
    ['buy', 200_000_000n, 144_690n],
    ['sell', 200_000_000n, 144_690n],
    ['buy', 1n, 1n],
    ['sell', 1n, 0n],
  ] as const)('a taker who %ss %i atoms', (taker, amount, total) => {
    expect(fiatTotal(atoms(amount), { ...usdc, taker })).toBe(total);
  });

  test.each([
    // 500.00 buys 69.11327666…: the part of an atom is lost, or added.
    ['buy', 50_000n, 69_113_276n],
    ['sell', 50_000n, 69_113_277n],
  ] as const)('a taker who %ss by a total of %i cents', (taker, total, amount) => {
    expect(amountForTotal(cents(total), { ...usdc, taker })).toBe(amount);
  });

  test('is rounded against the taker, by less than a cent, whatever the numbers', () => {
    const any = fc.record({
      amount: fc.bigInt({ min: 0n, max: 10n ** 30n }),
      price: fc.bigInt({ min: 1n, max: 10n ** 15n }),
      decimals: fc.integer({ min: 0, max: 18 }),
    });
    fc.assert(
      fc.property(any, ({ amount, price, decimals }) => {
        const exact = amount * price;
        const scale = 10n ** BigInt(decimals) * 100n;
        const [bought, sold] = (['buy', 'sell'] as const).map((taker) =>
          fiatTotal(atoms(amount), { decimals, price: fiatPrice(price), taker }),
        );
        expect(bought! * scale - exact).toBeGreaterThanOrEqual(0n);
        expect(bought! * scale - exact).toBeLessThan(scale);
        expect(exact - sold! * scale).toBeGreaterThanOrEqual(0n);
        expect(exact - sold! * scale).toBeLessThan(scale);
      }),
    );
  });

  test('by a total nobody gets more for it than its price', () => {
    const any = fc.record({
      total: fc.bigInt({ min: 1n, max: 10n ** 15n }),
      price: fc.bigInt({ min: 1n, max: 10n ** 15n }),
      decimals: fc.integer({ min: 0, max: 18 }),
    });
    fc.assert(
      fc.property(any, ({ total, price, decimals }) => {
        const scale = 10n ** BigInt(decimals) * 100n;
        const [bought, sold] = (['buy', 'sell'] as const).map((taker) =>
          amountForTotal(cents(total), { decimals, price: fiatPrice(price), taker }),
        );
        expect(bought! * price).toBeLessThanOrEqual(total * scale);
        expect(sold! * price).toBeGreaterThanOrEqual(total * scale);
        expect(sold! - bought!).toBeLessThanOrEqual(1n);
      }),
    );
  });
});

test.each([
  [72_345n, 0, 72_345n],
  [72_345n, 10_000, 73_068n],
  [72_345n, -10_000, 71_622n],
  [1n, -500_000, 1n],
  [3n, -500_000, 2n],
])('an assist price of %i with a premium of %i ppm is %i, half up', (assist, premium, price) => {
  expect(floatingPrice(fiatPrice(assist), signedPpm(premium))).toBe(price);
});

test('an assist price is taken for a minute', () => {
  expect([60_000, 60_001].map((at) => isAssistFresh(millis(0), millis(at)))).toEqual([true, false]);
});
