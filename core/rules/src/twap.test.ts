import { describe, expect, test } from 'vitest';
import { lots, millis } from '@orrery/units';
import { twapDueAt, twapSlices, twapSliceSize, twapTarget, TWAP_MINUTES_MAX, type TwapSchedule } from './twap.ts';

const schedule = (size: number, minutes: number, seed = 0): TwapSchedule => ({ size: lots(size), minutes, seed });

describe('the slices of a TWAP order', () => {
  test('are one every 30 seconds, the first at its start', () => {
    expect([twapSlices(1), twapSlices(5), twapSlices(TWAP_MINUTES_MAX)]).toEqual([2, 10, 2_880]);
    expect([twapDueAt(millis(1_000), 0), twapDueAt(millis(1_000), 3)]).toEqual([1_000, 91_000]);
  });

  test.each([
    // 100 lots in 4 slices: 25 each.
    [100, 2, [25, 50, 75, 100]],
    // 10 lots in 4 slices: 2.5, 5, 7.5 and 10, rounded down.
    [10, 2, [2, 5, 7, 10]],
    // 3 lots in 4 slices: 0.75, 1.5, 2.25, 3.
    [3, 2, [0, 1, 2, 3]],
  ])('of %d lots in %d minutes have given out %j', (size, minutes, targets) => {
    expect(targets.map((_, slice) => twapTarget(schedule(size, minutes), slice))).toEqual(targets);
  });

  test('of random size differ from equal ones by at most 40 %, follow from the seed, and give out the whole', () => {
    for (const seed of [1, 2, 0xffff_ffff]) {
      const random = schedule(1_000_000, 60, seed);
      const sizes = Array.from(
        { length: 120 },
        (_, slice) => twapTarget(random, slice) - (slice === 0 ? 0 : twapTarget(random, slice - 1)),
      );
      expect(sizes.reduce((sum, size) => sum + size)).toBe(1_000_000);
      expect(Math.min(...sizes)).toBeGreaterThanOrEqual(4_999);
      expect(Math.max(...sizes)).toBeLessThanOrEqual(11_668);
      expect(new Set(sizes).size).toBeGreaterThan(60);
    }
    const first = [7, 8].map((seed) => twapTarget(schedule(1_000_000, 60, seed), 5));
    expect(first[0]).not.toBe(first[1]);
  });

  test('catch up on what was not filled, up to three equal slices', () => {
    // 100 lots in 10 slices of 10: after slice number 3 forty lots are due.
    const equal = schedule(100, 5);
    expect(twapSliceSize(equal, 3, lots(30))).toBe(10);
    expect(twapSliceSize(equal, 3, lots(25))).toBe(15);
    expect(twapSliceSize(equal, 3, lots(0))).toBe(30);
    expect(twapSliceSize(equal, 3, lots(40))).toBe(0);
    expect(twapSliceSize(equal, 9, lots(95))).toBe(5);
  });
});
