import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { atoms, lots } from '@orrery/units';
import { adlLights, rankForAdl, spreadAdl, type AdlCandidate } from './adl.ts';

interface Named extends AdlCandidate {
  readonly name: string;
}

const candidate = (name: string, size: number, unrealized: number, cost: number, leverage: number): Named => ({
  name,
  size: lots(size),
  unrealized: atoms(BigInt(unrealized)),
  cost: atoms(BigInt(cost)),
  leverage,
});
const byName = (left: Named, right: Named): number => (left.name < right.name ? -1 : left.name > right.name ? 1 : 0);

// Scores: alice and carol 100 / 1,000 × 10 = 1; bob 300 / 1,000 × 2 = 0.6; dave -100 / 1,000 / 10 = -0.01; erin -100 / 1,000 / 1 = -0.1.
const PEOPLE = [
  candidate('erin', 5, -100, 1_000, 1),
  candidate('bob', 8, 300, 1_000, 2),
  candidate('carol', 20, 100, 1_000, 10),
  candidate('dave', 5, -100, 1_000, 10),
  candidate('alice', 10, 200, 2_000, 10),
];

test('P7: the most profit and leverage comes first, and equals have one rank', () => {
  const ranked = rankForAdl(PEOPLE, byName).byScore.map(({ candidate: { name }, rank }) => `${rank} ${name}`);
  expect(ranked).toEqual(['1 alice', '1 carol', '3 bob', '4 dave', '5 erin']);
});

test('P7: scores that a number cannot tell apart have their exact order, gains and losses', () => {
  const big = 2 ** 52;
  const people = [
    candidate('less', 1, big - 1, big + 1, 3),
    candidate('even', 1, 3 * (big / 4), 3 * (big / 4), 3),
    candidate('more', 1, big + 1, big, 3),
    candidate('same', 1, 5, 5, 3),
    candidate('worse', 1, -big - 1, big, 3),
    candidate('bad', 1, -big, big, 3),
  ];
  for (const given of [people, people.toReversed()]) {
    const { byScore, inOrder } = rankForAdl(given, byName);
    const shown = byScore.map(({ candidate: { name }, rank }) => `${rank} ${name}`);
    expect(shown).toEqual(['1 more', '2 even', '2 same', '4 less', '5 bad', '6 worse']);
    expect(inOrder.map(({ candidate: { name }, rank }) => `${rank} ${name}`)).toEqual(
      shown.toSorted((left, right) => (left.slice(2) < right.slice(2) ? -1 : 1)),
    );
  }
});

test.each([
  // 7 of 10 + 20: 2.33 and 4.67, so 2 and 4, and the last lot to the larger remainder.
  [7, ['alice 2', 'carol 5']],
  // 15: 5 and 10, exactly.
  [15, ['alice 5', 'carol 10']],
  // 1: 0.33 and 0.67.
  [1, ['carol 1']],
  [32, ['alice 10', 'carol 20', 'bob 2']],
  [100, ['alice 10', 'carol 20', 'bob 8', 'dave 5', 'erin 5']],
])('P7: %s lots are closed of %s', (quantity, parts) => {
  const spread = spreadAdl(rankForAdl(PEOPLE, byName).byScore, lots(quantity));
  expect(spread.map(({ candidate: { name }, closed }) => `${name} ${closed}`)).toEqual(parts);
});

test('P7: exactly the bankrupt quantity is closed, of no position more than it holds, in whatever order the candidates are given', () => {
  const many = fc.array(
    fc.record({
      size: fc.integer({ min: 1, max: 1_000 }),
      unrealized: fc.integer({ min: -3, max: 3 }),
      leverage: fc.integer({ min: 1, max: 2 }),
    }),
    { minLength: 1, maxLength: 20 },
  );
  fc.assert(
    fc.property(many, fc.integer({ min: 1, max: 5_000 }), fc.infiniteStream(fc.nat()), (drawn, quantity, chance) => {
      const candidates = drawn.map(({ size, unrealized, leverage }, index) =>
        candidate(String(index).padStart(2, '0'), size, unrealized, 10, leverage),
      );
      const shuffled = candidates
        .map((one) => ({ one, key: chance.next().value }))
        .toSorted((left, right) => left.key - right.key)
        .map(({ one }) => one);
      const spread = spreadAdl(rankForAdl(candidates, byName).byScore, lots(quantity));
      expect(spreadAdl(rankForAdl(shuffled, byName).byScore, lots(quantity))).toEqual(spread);
      const total = candidates.reduce((sum, { size }) => sum + size, 0);
      expect(spread.reduce((sum, { closed }) => sum + closed, 0)).toBe(Math.min(quantity, total));
      for (const { candidate: one, closed } of spread) expect(closed >= 1 && closed <= one.size).toBe(true);
    }),
  );
});

test('the lights show the fifth of the ranking', () => {
  expect([1, 2, 3, 4, 5].map((place) => adlLights(place, 5))).toEqual([5, 4, 3, 2, 1]);
  expect([1, 2, 3, 10].map((place) => adlLights(place, 10))).toEqual([5, 5, 4, 1]);
  expect(adlLights(1, 1)).toBe(5);
});
