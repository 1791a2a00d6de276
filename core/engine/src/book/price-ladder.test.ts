import { describe, expect, test } from 'vitest';
import { NO_LEVEL } from './book-rows.ts';
import { PriceLadder } from './price-ladder.ts';

/** Keys of a page, and where the second root begins. */
const PAGE = 2 ** 10;
const SECOND_ROOT = 2 ** 30;

function ladder(keys: readonly number[]): PriceLadder {
  const made = new PriceLadder();
  for (const [level, key] of keys.entries()) made.set(key, level);
  return made;
}

describe('a level that is not there', () => {
  test('is found neither at its key nor below another', () => {
    const empty = new PriceLadder();
    expect([empty.get(5), empty.below(5), empty.get(SECOND_ROOT), empty.below(SECOND_ROOT + 5)]).toEqual(Array(4).fill(NO_LEVEL));
    // Under the first root everything stands above; under the second what stands below is of the other side.
    const used = ladder([SECOND_ROOT - 1, SECOND_ROOT + 5]);
    expect([used.below(5), used.below(SECOND_ROOT - 1), used.below(SECOND_ROOT + 5)]).toEqual(Array(3).fill(NO_LEVEL));
  });

  test.each([
    ['of an empty tree', []],
    ['on a page that is not there', [3 * PAGE]],
  ])('%s can not be deleted', (_, keys) => {
    expect(() => ladder(keys).delete(5)).toThrow('the deleted level is on the ladder');
  });
});

test('below a key is the nearest one: on its page, on the page before, under the step before', () => {
  const keys = [7, 31, 32, PAGE - 1, 2 * PAGE, 2 ** 20 - 1, 2 ** 20 + 3, SECOND_ROOT - 1];
  const used = ladder(keys);
  expect(keys.map((key) => used.below(key))).toEqual([NO_LEVEL, 0, 1, 2, 3, 4, 5, 6]);
  expect(keys.map((key) => used.below(key + 1) === NO_LEVEL)).toEqual([...keys.slice(1).map(() => false), true]);
});

test('a page that was emptied is used again, and the key it was for has nothing', () => {
  const used = ladder([5]);
  used.delete(5);
  used.set(SECOND_ROOT + 5, 8);
  expect([used.get(5), used.get(PAGE + 5), used.get(SECOND_ROOT + 5)]).toEqual([NO_LEVEL, NO_LEVEL, 8]);
});
