import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { accountId, atoms, lots, ticks } from '@orrery/units';
import { contractNotional, type Direction, type MarginTerms } from '@orrery/rules';
import { PriceBounds } from './price-bounds.ts';
import { boundOf, shareOf, slackOf, type MarkedPosition } from './share-slack.ts';

const alice = accountId(1);
const bob = accountId(2);
const carol = accountId(3);

describe('the bounds of a contract', () => {
  test('a mark takes the longs at or above it and the shorts at or below it, each account once', () => {
    const bounds = new PriceBounds();
    bounds.set(carol, 'long', ticks(90));
    bounds.set(alice, 'long', ticks(95));
    bounds.set(alice, 'short', ticks(85));
    bounds.set(bob, 'short', ticks(110));
    expect(bounds.takeReached(ticks(100))).toEqual([alice]);
    expect(bounds.takeReached(ticks(96))).toEqual([]);
    expect(bounds.takeReached(ticks(110))).toEqual([bob]);
    expect(bounds.takeReached(ticks(90))).toEqual([alice, carol]);
    expect(bounds.takeReached(ticks(1))).toEqual([]);
  });

  test('a new bound replaces the old one, and no bound is never reached', () => {
    const bounds = new PriceBounds();
    bounds.set(alice, 'long', ticks(95));
    bounds.set(alice, 'long', ticks(80));
    expect(bounds.takeReached(ticks(90))).toEqual([]);
    bounds.set(alice, 'long', ticks(0));
    bounds.set(bob, 'short', ticks(2 ** 40));
    expect(bounds.takeReached(ticks(1))).toEqual([]);
    expect(bounds.takeReached(ticks(2 ** 29))).toEqual([]);
  });
});

const tiers = [
  { maxNotional: atoms(1_000_000n), maxLeverage: 40 },
  { maxNotional: atoms(1_000_000_000n), maxLeverage: 10 },
];
const LINEAR: MarginTerms = { payoff: 'linear', tickLotAtoms: atoms(1n), tiers };
const INVERSE: MarginTerms = { payoff: 'inverse', tickLotAtoms: atoms(1_000_000n), tiers };

test('a long of 100 lots from 1,000 with a share of 10,000 is looked at when it has lost it', () => {
  // At 1,000 its maintenance is 100,000 / 80 = 1,250. At 898.7 it has lost 10,130 and needs 127 less: 10,003. At 898.8: 10,120 - 126 = 9,994.
  const position: MarkedPosition = {
    holding: { direction: 'long', size: lots(100), cost: atoms(100_000n) },
    mark: ticks(1_000),
    terms: LINEAR,
  };
  expect(slackOf(position)).toBe(-1_250n);
  expect(boundOf(position, atoms(10_000n))).toBe(898);
});

test('P5: while no mark has reached its bound, no account is below its maintenance', () => {
  const position = fc.record({
    direction: fc.constantFrom<Direction>('long', 'short'),
    size: fc.integer({ min: 1, max: 5_000 }),
    entry: fc.integer({ min: 100, max: 5_000 }),
    mark: fc.integer({ min: 100, max: 5_000 }),
    moved: fc.integer({ min: 1, max: 10_000 }),
  });
  let stood = 0;
  fc.assert(
    fc.property(
      fc.array(position, { minLength: 1, maxLength: 4 }),
      fc.constantFrom(LINEAR, INVERSE),
      fc.bigInt({ min: 0n, max: 3_000_000n }),
      (drawn, terms, spare) => {
        const positions = drawn.map(({ direction, size, entry, mark }) => ({
          holding: { direction, size: lots(size), cost: contractNotional(ticks(entry), lots(size), terms) },
          mark: ticks(mark),
          terms,
        }));
        // Money such that the account has `spare` more than it needs.
        const money = spare - positions.reduce((sum, one) => sum + slackOf(one), 0n);
        const share = shareOf(atoms(spare), positions.length);
        const isReached = positions.some((one, index) => {
          const bound = boundOf(one, share);
          const moved = drawn[index]?.moved ?? 1;
          return bound > 0 && (one.holding.direction === 'long' ? moved <= bound : moved >= bound);
        });
        if (isReached) return;
        stood += 1;
        const after = positions.reduce((sum, one, index) => sum + slackOf({ ...one, mark: ticks(drawn[index]?.moved ?? 1) }), money);
        expect(after).toBeGreaterThanOrEqual(0n);
      },
    ),
    { numRuns: 3_000 },
  );
  expect(stood).toBeGreaterThan(100);
});
