import { expect, test } from 'vitest';
import { millis, ticks } from '@orrery/units';
import { PriceMoves } from './price-moves.ts';
import { btc, eth } from './testing/outside-markets.ts';

const round = {
  index: [{ source: 'a', price: ticks(100_000), ageMs: 5, weight: 2 }],
  external: [{ source: 'b', price: ticks(3), ageMs: 9 }],
};

test('a move shifts every venue of its contract until it ends, and a later one replaces it', () => {
  const moves = new PriceMoves();
  expect(moves.applied(btc.market, round, millis(1_000))).toBe(round);
  moves.move({ market: btc.market, ppm: -200_000, endsAt: millis(61_000) }, millis(1_000));
  const fallen = {
    index: [{ source: 'a', price: ticks(80_000), ageMs: 5, weight: 2 }],
    external: [{ source: 'b', price: ticks(2), ageMs: 9 }],
  };
  expect(moves.applied(btc.market, round, millis(60_999))).toEqual(fallen);
  expect(moves.applied(eth.market, round, millis(2_000))).toBe(round);
  moves.move({ market: btc.market, ppm: 100_000, endsAt: millis(3_000) }, millis(2_000));
  expect(moves.applied(btc.market, round, millis(2_000)).index[0]?.price).toBe(110_000);
  expect(moves.applied(btc.market, round, millis(3_000))).toBe(round);
  expect(moves.applied(btc.market, round, millis(2_500))).toBe(round);
});

test.each([
  [{ ppm: 500_001, endsAt: 1_001 }, 'ppm must be'],
  [{ ppm: -500_001, endsAt: 1_001 }, 'ppm must be'],
  [{ ppm: 0.5, endsAt: 1_001 }, 'ppm must be'],
  [{ ppm: 1, endsAt: 1_000 }, 'endsAt must be in the next 10 minutes'],
  [{ ppm: 1, endsAt: 601_001 }, 'endsAt must be in the next 10 minutes'],
])('a move %j is refused by the name of its field', ({ ppm, endsAt }, sentence) => {
  const moves = new PriceMoves();
  expect(() => moves.move({ market: btc.market, ppm, endsAt: millis(endsAt) }, millis(1_000))).toThrow(sentence);
  expect(moves.applied(btc.market, round, millis(1_000))).toBe(round);
});
