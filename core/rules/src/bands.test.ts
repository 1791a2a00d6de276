import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ppm, ticks } from '@orrery/units';
import type { Side } from '@orrery/protocol';
import { isWorse, limitOutOfBand, stopMarketBound, tighterBound, worseBy, worstPrice } from './bands.ts';
import { BTC_USDC, limitOrder, marketOrder, stopMarket } from './testing/orders.ts';

describe('a bound', () => {
  test('of a price that no market has is refused rather than rounded', () => {
    expect(() => worseBy(ticks(2 ** 52), ppm(1), 'buy')).toThrow('a price times a rate is exact');
  });

  test.each([
    [1_000, 10_000, 'buy', 1_010],
    [1_000, 10_000, 'sell', 990],
    [999, 10_000, 'buy', 1_008],
    [999, 10_000, 'sell', 990],
    [1, 500_000, 'buy', 1],
    [1, 1_000_000, 'sell', 1],
  ] as const)(
    'from %s at %s ppm for a %s is %s: rounded towards the price it is measured from, never below a tick',
    (from, rate, side, bound) => {
      expect(worseBy(ticks(from), ppm(rate), side)).toBe(bound);
    },
  );

  test('is never further away than its rate', () => {
    const price = fc.integer({ min: 1, max: 2 ** 30 - 1 });
    const rate = fc.integer({ min: 0, max: 999_999 });
    fc.assert(
      fc.property(price, rate, fc.constantFrom<Side>('buy', 'sell'), (from, ratePpm, side) => {
        const bound = worseBy(ticks(from), ppm(ratePpm), side);
        return BigInt(Math.abs(bound - from)) * 1_000_000n <= BigInt(from) * BigInt(ratePpm);
      }),
    );
  });

  test.each([
    [0, 5, 'buy', 5],
    [5, 0, 'sell', 5],
    [4, 5, 'buy', 4],
    [4, 5, 'sell', 5],
  ] as const)('of %s and %s the tighter for a %s is %s', (left, right, side, tighter) => {
    expect(tighterBound(ticks(left), ticks(right), side)).toBe(tighter);
  });
});

test.each([
  ['buy', 110, false],
  ['buy', 111, true],
  ['buy', 1, false],
  ['sell', 90, false],
  ['sell', 89, true],
  ['sell', 900, false],
] as const)('a limit to %s at %s with the reference at 100 is out of the band: %s', (side, price, out) => {
  expect(limitOutOfBand(ticks(price), side, ticks(100), BTC_USDC)).toBe(out);
  expect(limitOutOfBand(ticks(price), side, ticks(0), BTC_USDC)).toBe(false);
});

describe('O4: the worst price', () => {
  test.each([
    ['of a limit order is its limit', limitOrder({ price: ticks(1_200) }), 1_000, 1_000, 1_200],
    ['of a market order is its slippage from the best price', marketOrder(), 1_000, 1_000, 1_010],
    ['of a market order is its own worst price when that is tighter', marketOrder({ price: ticks(1_005) }), 1_000, 1_000, 1_005],
    ['of a market order is the market band when that is tighter', marketOrder({ slippagePpm: ppm(500_000) }), 1_000, 1_000, 1_050],
    ['of a market order to sell lies below', marketOrder({ side: 'sell' }), 1_000, 1_000, 990],
    ['without best and reference price is not bounded', marketOrder(), 0, 0, 0],
    [
      'of a stop market order is 5 % beyond its trigger at most',
      stopMarket({ triggerPrice: ticks(900), slippagePpm: ppm(500_000) }),
      940,
      1_000,
      945,
    ],
  ] as const)('%s', (_rule, order, best, reference, worst) => {
    expect(worstPrice(order, ticks(best), ticks(reference), BTC_USDC)).toBe(worst);
  });

  test('of a stop market order is known before it triggers', () => {
    expect(stopMarketBound(stopMarket({ triggerPrice: ticks(1_000) }), BTC_USDC)).toBe(1_050);
    expect(stopMarketBound(stopMarket({ triggerPrice: ticks(1_000), price: ticks(1_020) }), BTC_USDC)).toBe(1_020);
    expect(stopMarketBound(stopMarket({ triggerPrice: ticks(1_000), side: 'sell' }), BTC_USDC)).toBe(950);
  });
});

test('worse is higher for a buyer and lower for a seller', () => {
  expect([isWorse(ticks(2), ticks(1), 'buy'), isWorse(ticks(1), ticks(1), 'buy'), isWorse(ticks(1), ticks(2), 'sell')]).toEqual([
    true,
    false,
    true,
  ]);
});
