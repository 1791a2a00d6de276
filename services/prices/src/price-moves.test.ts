import { expect, test } from 'vitest';
import { millis, ticks } from '@orrery/units';
import { PriceMoves } from './price-moves.ts';
import { btc, eth } from './testing/outside-markets.ts';

const round = {
  index: [{ source: 'a', price: ticks(100_000), ageMs: 5, weight: 2 }],
  external: [{ source: 'b', price: ticks(300), ageMs: 9 }],
};

/** The first index price of a number of rounds. */
const walked = (moves: PriceMoves, count: number, at: number): readonly (number | undefined)[] =>
  Array.from({ length: count }, () => moves.applied(btc.market, round, millis(at)).index[0]?.price);

test('a move shifts every venue of its contract in steps below 5 % of the price, and back when it ends', () => {
  const moves = new PriceMoves();
  expect(moves.applied(btc.market, round, millis(1_000))).toBe(round);
  moves.move({ market: btc.market, ppm: -100_000, endsAt: millis(61_000) }, millis(1_000));
  expect(walked(moves, 4, 60_999)).toEqual([96_000, 92_160, 90_000, 90_000]);
  expect(moves.shift(btc.market)).toBe(-100_000);
  expect(moves.applied(btc.market, round, millis(60_999))).toEqual({
    index: [{ source: 'a', price: ticks(90_000), ageMs: 5, weight: 2 }],
    external: [{ source: 'b', price: ticks(270), ageMs: 9 }],
  });
  expect(moves.applied(eth.market, round, millis(2_000))).toBe(round);
  expect(walked(moves, 3, 61_000)).toEqual([93_600, 97_344, 100_000]);
  expect(moves.applied(btc.market, round, millis(61_000))).toBe(round);
  expect(moves.shift(btc.market)).toBe(0);
});

test('a later move replaces an earlier one, from where that one is', () => {
  const moves = new PriceMoves();
  moves.move({ market: btc.market, ppm: -200_000, endsAt: millis(61_000) }, millis(1_000));
  expect(walked(moves, 2, 2_000)).toEqual([96_000, 92_160]);
  moves.move({ market: btc.market, ppm: 0, endsAt: millis(3_000) }, millis(2_000));
  expect(walked(moves, 3, 2_000)).toEqual([95_846, 99_680, 100_000]);
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
