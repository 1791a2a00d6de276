import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ticks } from '@orrery/units';
import { nextMark, type MarkRound, type MarkState } from './mark-price.ts';

const INDEX = 600_000;
const NEW: MarkState = { mark: ticks(0), basis: 0 };

const book = (bid: number, ask: number, last: number): MarkRound['own'] => ({ bid: ticks(bid), ask: ticks(ask), last: ticks(last) });
const round = (own: MarkRound['own'], external: readonly number[] = [], elapsedMs = 3_000): MarkRound => ({
  index: ticks(INDEX),
  own,
  external: external.map((price) => ({ price: ticks(price), ageMs: 0 })),
  elapsedMs,
});

describe('the mark price', () => {
  test.each<[string, MarkState, MarkRound, MarkState]>([
    ['is the index where there is no book', NEW, round(book(0, 0, 0)), { mark: ticks(600_000), basis: 0 }],
    // The mid is 1,000 above the index; of it the average takes 3 / 153: 19.607843 ticks. Median of 600,000, 600,019 and the local 601,000.
    ['follows the average basis', NEW, round(book(600_900, 601_100, 601_000)), { mark: ticks(600_019), basis: 19_607_843 }],
    // Median of 599,000, 600,000, 600,019, 601,000: the middle of the second and the third.
    ['counts other exchanges', NEW, round(book(600_900, 601_100, 601_000), [599_000]), { mark: ticks(600_009), basis: 19_607_843 }],
    // A book 50 % above counts as 603,000, 0.5 % above: its basis is 3,000 × 3 / 153 = 58.823529 ticks.
    ['is bounded against the own book', NEW, round(book(900_000, 900_100, 900_000)), { mark: ticks(600_058), basis: 58_823_529 }],
    // However long it lasts: the average reaches 2,857.142857 ticks after 50 minutes, and local is at 603,000.
    [
      'stays bounded against it however long it lasts',
      NEW,
      round(book(900_000, 900_100, 900_000), [], 3_000_000),
      { mark: ticks(602_857), basis: 2_857_142_857 },
    ],
    // Without a bid there is no local price, and the basis fades: 1,000 × 150 / 153.
    [
      'forgets the book when a side is empty',
      { mark: ticks(600_980), basis: 1_000_000_000 },
      round(book(0, 601_000, 601_000)),
      { mark: ticks(600_490), basis: 980_392_157 },
    ],
    ['ignores a lying exchange', NEW, round(book(599_900, 600_100, 600_000), [1]), { mark: ticks(600_000), basis: 0 }],
    // From 500,000 to at most 525,000, 5 %, in one round; from 800,000 to at least 760,000.
    ['rises by 5 % a round', { mark: ticks(500_000), basis: 0 }, round(book(0, 0, 0)), { mark: ticks(525_000), basis: 0 }],
    ['falls by 5 % a round', { mark: ticks(800_000), basis: 0 }, round(book(0, 0, 0)), { mark: ticks(760_000), basis: 0 }],
  ])('%s', (_what, before, next, after) => {
    expect(nextMark(before, next)).toEqual(after);
  });

  test('X2: whatever book and one other exchange show, the mark is within 0.5 % of the index, and moves by at most 5 %', () => {
    const price = fc.integer({ min: 0, max: 2_000_000 });
    const step = fc.record({
      bid: price,
      ask: price,
      last: price,
      external: fc.option(price),
      elapsedMs: fc.integer({ min: 0, max: 1_000_000 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        let state = nextMark(NEW, round(book(0, 0, 0)));
        for (const { bid, ask, last, external, elapsedMs } of steps) {
          state = nextMark(state, round(book(bid, ask, last), external === null ? [] : [external], elapsedMs));
          expect(Math.abs(state.mark - INDEX)).toBeLessThanOrEqual(INDEX * 0.005);
        }
        const moved = nextMark({ mark: ticks(1_000_000), basis: state.basis }, round(book(0, 0, 0)));
        expect(moved.mark).toBe(950_000);
      }),
    );
  });
});
