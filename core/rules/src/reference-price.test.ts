import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { millis, ppm, ticks, type Millis } from '@orrery/units';
import { limitOutOfBand, worseBy } from './bands.ts';
import { INDEX_FRESH_MS, recordIndex, recordTrade, referencePrice, startAverage, type MarketPrices } from './reference-price.ts';
import type { RulesVersion } from './rules-version.ts';
import { BTC_USDC } from './testing/orders.ts';

/** Bands as the exchange lists them: limits at most 10 %, market orders at most 5 % from the reference. */
const MARKET = { ...BTC_USDC, limitBandPpm: ppm(100_000), marketBandPpm: ppm(50_000) };

const unpriced = (): MarketPrices => ({
  lastPrice: ticks(0),
  lastTradeAt: millis(0),
  indexPrice: ticks(0),
  indexAt: millis(0),
  average: 0,
  averageAt: millis(0),
});

const at = (seconds: number): Millis => millis(1_000_000 + seconds * 1_000);

type Step = readonly ['index' | 'trade', number, number];

function priced(rules: RulesVersion, steps: readonly Step[]): MarketPrices {
  const prices = unpriced();
  for (const [kind, second, price] of steps) {
    if (kind === 'index') recordIndex(rules, prices, ticks(price), at(second));
    else recordTrade(rules, prices, ticks(price), at(second));
  }
  return prices;
}

describe('the reference price under rules 1', () => {
  test.each<[string, readonly Step[], number, number]>([
    ['nothing is known', [], 0, 0],
    ['only the index is known, however old', [['index', 0, 90]], 100_000, 90],
    ['only the last price is known, however old', [['trade', 0, 100]], 100_000, 100],
    [
      'the last price is a minute old',
      [
        ['index', 0, 90],
        ['trade', 0, 100],
      ],
      60,
      100,
    ],
    [
      'the last price is older than a minute',
      [
        ['index', 0, 90],
        ['trade', 0, 100],
      ],
      60.001,
      90,
    ],
  ])('when %s', (_when, steps, second, reference) => {
    expect(referencePrice(1, priced(1, steps), MARKET, at(second))).toBe(reference);
  });
});

describe('the reference price under rules 2', () => {
  test.each<[string, readonly Step[], number, number]>([
    ['nothing is known', [], 0, 0],
    [
      'the last price is near a fresh index',
      [
        ['index', 0, 10_000],
        ['trade', 1, 10_200],
      ],
      2,
      10_200,
    ],
    [
      'the last price is above the band of a fresh index',
      [
        ['index', 0, 10_000],
        ['trade', 1, 10_900],
      ],
      2,
      10_500,
    ],
    [
      'the last price is below the band of a fresh index',
      [
        ['index', 0, 10_000],
        ['trade', 1, 9_100],
      ],
      2,
      9_500,
    ],
    [
      'the last price is older than a minute, and the index is fresh',
      [
        ['trade', 0, 10_200],
        ['index', 60, 10_000],
      ],
      60.001,
      10_000,
    ],
    [
      'the index was fresh for the last time',
      [
        ['index', 0, 10_000],
        ['trade', 1, 10_900],
      ],
      30,
      10_500,
    ],
    [
      'the index is stale: it is where the average begins',
      [
        ['index', 0, 10_000],
        ['trade', 1, 10_900],
      ],
      30.001,
      10_000,
    ],
    [
      'a trade after the index became stale moves the average by a tenth of the distance',
      [
        ['index', 0, 10_000],
        ['trade', 61, 11_000],
      ],
      62,
      10_100,
    ],
    [
      'however long the silence before it',
      [
        ['index', 0, 10_000],
        ['trade', 6_100, 11_000],
      ],
      6_200,
      10_100,
    ],
    ['there was never an index: the first trade begins the average', [['trade', 0, 10_000]], 100_000, 10_000],
    [
      'the second trade of a millisecond does not move the average',
      [
        ['trade', 0, 10_000],
        ['trade', 0, 11_000],
      ],
      1,
      10_000,
    ],
  ])('when %s', (_when, steps, second, reference) => {
    expect(referencePrice(2, priced(2, steps), MARKET, at(second))).toBe(reference);
  });

  test('begins where rules 1 left it', () => {
    const prices = priced(1, [
      ['index', 0, 10_000],
      ['trade', 1, 10_900],
    ]);
    startAverage(prices, at(2));
    expect(referencePrice(2, prices, MARKET, at(2))).toBe(10_900);
    recordIndex(2, prices, ticks(10_000), at(3));
    expect(referencePrice(2, prices, MARKET, at(3))).toBe(10_500);
  });
});

/** What one hand can do within a minute: trade with itself, as far as the band of limit orders allows, at any times. */
const attack = fc.array(fc.tuple(fc.integer({ min: 0, max: 60_000 }), fc.boolean()), { minLength: 1, maxLength: 200 });

function selfDeal(prices: MarketPrices, trades: readonly (readonly [number, boolean])[], from: Millis): { low: number; high: number } {
  let low = Infinity;
  let high = 0;
  for (const [after, up] of trades.toSorted(([left], [right]) => left - right)) {
    const now = millis(from + after);
    const reference = referencePrice(2, prices, MARKET, now);
    const price = worseBy(reference, MARKET.limitBandPpm, up ? 'buy' : 'sell');
    expect(limitOutOfBand(price, up ? 'buy' : 'sell', reference, MARKET)).toBe(false);
    recordTrade(2, prices, price, now);
    const moved = referencePrice(2, prices, MARKET, now);
    low = Math.min(low, moved);
    high = Math.max(high, moved);
  }
  return { low, high };
}

test('self-dealing within a minute moves the reference price by the band at most, with an index and without one', () => {
  fc.assert(
    fc.property(attack, fc.integer({ min: 100, max: 2 ** 29 }), fc.integer({ min: 0, max: 10_000_000 }), (trades, price, silence) => {
      const start = priced(2, [['index', 0, price]]);
      const without = selfDeal({ ...start }, trades, millis(at(0) + INDEX_FRESH_MS + 1 + silence));
      // The index is set again each time it is about to be stale.
      const within = selfDeal(
        { ...start },
        trades.map(([after, up]) => [after % INDEX_FRESH_MS, up] as const),
        at(0),
      );
      for (const { low, high } of [without, within]) {
        expect(high).toBeLessThanOrEqual(worseBy(ticks(price), MARKET.marketBandPpm, 'buy'));
        expect(low).toBeGreaterThanOrEqual(worseBy(ticks(price), MARKET.marketBandPpm, 'sell'));
      }
    }),
    { numRuns: 500 },
  );
});

test('the average follows a market without an index that really moved, in some tens of minutes', () => {
  const prices = priced(2, [['trade', 0, 10_000]]);
  for (let second = 1; second <= 3_600; second += 1) recordTrade(2, prices, ticks(20_000), at(second));
  const reference = referencePrice(2, prices, MARKET, at(3_600));
  expect(reference).toBeGreaterThan(19_900);
  expect(reference).toBeLessThanOrEqual(20_000);
});
