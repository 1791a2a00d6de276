import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { millis, ticks } from '@orrery/units';
import { derivedRound } from './derived-round.ts';
import { MINUTE_MS } from './loop.ts';
import { openReplayedPrices } from './replayed-prices.ts';
import { btc, btcUsd, doge } from './testing/outside-markets.ts';

const anchor = millis(Date.UTC(2026, 0, 5, 12, 0));
const source = openReplayedPrices({ markets: [btc, doge, btcUsd], anchor, log: () => undefined });

test('a recording has three spot venues and one of perpetual futures, which say that they are derived, stray little, and are never older than 2 s', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 90 * 24 * 60 * MINUTE_MS }), fc.constantFrom('BTC', 'DOGE'), (after, asset) => {
      const { index, external } = derivedRound({ asset, at: millis(anchor + after), priceAt: () => ticks(10_000_000) });
      expect(index.map(({ source: name, weight }) => [name, weight])).toEqual([
        ['derived-spot-1', 1],
        ['derived-spot-2', 1],
        ['derived-spot-3', 1],
      ]);
      expect(external.map(({ source: name }) => name)).toEqual(['derived-perpetual']);
      for (const { price, ageMs } of [...index, ...external]) {
        expect(ageMs).toBeGreaterThanOrEqual(0);
        expect(ageMs).toBeLessThan(2_000);
        expect(Math.abs(price - 10_000_000)).toBeLessThanOrEqual(4_000);
      }
      for (const { price } of index) expect(Math.abs(price - 10_000_000)).toBeLessThanOrEqual(1_200);
    }),
    { numRuns: 500 },
  );
});

test('the same anchor gives the same rounds, venues differ from one another, and none jumps from one second to the next', () => {
  const other = openReplayedPrices({ markets: [btc, doge, btcUsd], anchor, log: () => undefined });
  const seen = new Set<number>();
  let before: readonly number[] | undefined;
  for (let second = 0; second < 180; second += 1) {
    const at = millis(anchor + second * 1_000);
    const round = source.round(btc.market, at);
    expect(other.round(btc.market, at)).toEqual(round);
    const flat = derivedRound({ asset: 'BTC', at, priceAt: () => ticks(10_000_000) }).index.map(({ price }) => price);
    for (const price of flat) seen.add(price);
    // 240 ppm a minute at most, and the two seconds of a delay beside the one that passed.
    if (before !== undefined) flat.forEach((price, venue) => expect(Math.abs(price - (before?.[venue] ?? 0))).toBeLessThan(200));
    before = flat;
  }
  expect(seen.size).toBeGreaterThan(50);
});

test('every contract of an asset has the same way, whatever it is quoted in; before the recording there is nothing', () => {
  for (const second of [0, 17, 61, 4_000]) {
    const at = millis(anchor + second * 1_000);
    expect(source.price(btcUsd.market, at)?.price).toBe(source.price(btc.market, at)?.price);
    expect(source.round(btcUsd.market, at)).toEqual(source.round(btc.market, at));
  }
  const early = millis(anchor - 50_000 * MINUTE_MS);
  expect(source.round(doge.market, early)).toEqual({ index: [], external: [] });
  // The recorded close of its last minute is 0.16327.
  expect(source.price(doge.market, anchor)?.price).toBe(16_327);
});
