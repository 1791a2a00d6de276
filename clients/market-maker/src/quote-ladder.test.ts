import { type PairTerms } from '@orrery/sdk';
import * as fc from 'fast-check';
import { atoms, lots, ticks, type Ticks } from '@orrery/units';
import { describe, expect, test } from 'vitest';
import { skewedPrice, type Inventory } from './inventory.ts';
import { notional, smallestSize } from './sizes.ts';
import { cellWidth, ladder, type Quote } from './quote-ladder.ts';
import { BTC, SOSO } from './testing/markets.ts';

const options = { seed: 7, levels: 50, levelNotional: 1_000_000_000n };
const rich: Inventory = { base: lots(10_000_000), quote: atoms(10n ** 13n) };
const sideOf = (quotes: readonly Quote[], side: Quote['side']) => quotes.filter((quote) => quote.side === side);

const market = fc.oneof(
  fc.record({ rules: fc.constant(BTC), price: fc.integer({ min: 100_000, max: 2_000_000 }) }),
  fc.record({ rules: fc.constant(SOSO), price: fc.integer({ min: 2_000, max: 20_000 }) }),
);

describe('the ladder', () => {
  test('has the configured number of levels a side, best first, each at its own price, and never crosses', () => {
    fc.assert(
      fc.property(market, fc.nat(1_000), ({ rules, price }, seed) => {
        const quotes = ladder(ticks(price), rich, rules, { ...options, seed });
        const [buys, sells] = [sideOf(quotes, 'buy'), sideOf(quotes, 'sell')];
        expect([buys.length, sells.length]).toEqual([50, 50]);
        const prices = [...buys.toReversed(), ...sells].map((quote) => quote.price);
        expect(prices).toEqual([...new Set(prices)].toSorted((left, right) => left - right));
        expect(buys[0]!.price).toBeLessThan(price);
        expect(sells[0]!.price).toBeGreaterThan(price);
        // Near enough to be worth trading with: a hundred cells of a hundredth of a percent and a little, or of one tick where that is more.
        expect(sells[49]!.price - buys[49]!.price).toBeLessThan(Math.max(0.025 * price, 110));
      }),
    );
  });

  test('never costs more than the maker owns, and every quote is one the market takes', () => {
    const inventory = fc.record({
      base: fc.integer({ min: 0, max: 20_000_000 }).map(lots),
      quote: fc.bigInt({ min: 0n, max: 10n ** 13n }).map(atoms),
    });
    fc.assert(
      fc.property(market, inventory, ({ rules, price }, owned) => {
        const quotes = ladder(ticks(price), owned, rules, options);
        const cost = sideOf(quotes, 'buy').reduce((sum, quote) => sum + notional(quote.price, quote.size, rules), 0n);
        const size = sideOf(quotes, 'sell').reduce((sum, quote) => sum + quote.size, 0);
        expect(cost * 10n).toBeLessThanOrEqual(owned.quote * 9n);
        expect(size * 10).toBeLessThanOrEqual(owned.base * 9);
        for (const quote of quotes) {
          expect(quote.size).toBeGreaterThanOrEqual(smallestSize(quote.price, rules));
          expect(notional(quote.price, quote.size, rules)).toBeGreaterThanOrEqual(rules.minNotional);
        }
      }),
    );
  });

  test('stays where it is while the price moves over it: only the edges change', () => {
    const placesAt = (price: number, rules: PairTerms): Set<string> =>
      new Set(ladder(ticks(price), rich, rules, options).map((quote) => `${quote.side} ${quote.price}`));
    const before = placesAt(1_000_000, BTC);
    const moved = [...placesAt(1_000_100, BTC)].filter((place) => !before.has(place));
    expect(moved.length).toBeLessThanOrEqual(4);
    expect([...placesAt(1_000_001, BTC)].filter((place) => !before.has(place)).length).toBeLessThanOrEqual(2);
  });

  test.each([
    [1, 1],
    [9_999, 1],
    [15_000, 1],
    [20_000, 2],
    [90_000, 5],
    [350_000, 20],
    [1_000_000, 100],
  ])('at %i ticks has cells of %i', (price, width) => {
    expect(cellWidth(ticks(price))).toBe(width);
  });
});

describe('the price quoted around', () => {
  const skewed = (base: number, quote: bigint): Ticks => skewedPrice(ticks(1_000_000), { base: lots(base), quote: atoms(quote) }, BTC);

  test('is the outside price while the maker owns as much of each', () => {
    expect(skewed(100, 100_000_000n)).toBe(1_000_000);
    expect(skewed(0, 0n)).toBe(1_000_000);
  });

  test('is a thousandth lower when it owns nothing but base, higher when nothing but quote, in between in between', () => {
    expect([skewed(100, 0n), skewed(100, 50_000_000n), skewed(0, 1n)]).toEqual([999_000, 999_667, 1_001_000]);
  });
});
