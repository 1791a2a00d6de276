import { describe, expect, test } from 'vitest';
import { NO_TICKS, ticks } from '@orrery/units';
import { indexPrice, isUsable, median, usableIndex, type WeightedSample } from './index-price.ts';

const sample = (price: number, weight = 1, ageMs = 0): WeightedSample => ({ price: ticks(price), weight, ageMs });

describe('the index price', () => {
  test.each<[string, readonly WeightedSample[], number]>([
    ['three sources of one weight give the middle one', [sample(101), sample(100), sample(103)], 101],
    // Weights 1, 2, 2 of 5: below 101 lies 1, and with it 3, more than half.
    ['weights shift the middle', [sample(100, 1), sample(101, 2), sample(103, 2)], 101],
    // Half of the weight lies below 103 and half above.
    [
      'where half of the weight is reached exactly it is the middle of two prices',
      [sample(100), sample(102), sample(104), sample(106)],
      103,
    ],
    // A weight of 5 counts as less than the two others together: as 1.
    ['no source outweighs all others', [sample(100, 5), sample(102, 1), sample(104, 1)], 102],
    ['two sources count the same, whatever they weigh', [sample(100, 9), sample(103, 1)], 101],
    ['a source that is 10 s old counts', [sample(100), sample(102, 1, 10_000)], 101],
    ['an older one does not, and one source is none', [sample(100), sample(102, 1, 10_001)], 0],
    ['no source', [], 0],
    ['a source without a price is none', [sample(100), sample(0)], 0],
    // 105 from 100 is 5 % and confirms it, 106 does not.
    ['two sources far from each other confirm nothing', [sample(100), sample(120)], 0],
    ['a distant third source changes nothing', [sample(100), sample(101), sample(500)], 101],
    ['of three that are all distant only the middle one agrees with itself', [sample(50), sample(100), sample(200)], 0],
  ])('%s', (_what, samples, price) => {
    expect(indexPrice(samples)).toBe(price);
  });

  test('X3: one bad source of three never moves the index outside the two others, whatever they weigh', () => {
    let shown = 0;
    for (let left = 96; left <= 106; left += 1) {
      for (let right = left; right <= 106; right += 1) {
        for (const bad of [1, 90, 95, 96, 97, 99, 100, 101, 103, 105, 107, 110, 10_000]) {
          for (const weights of [1, 2, 3, 5].flatMap((one) =>
            [1, 2, 4].flatMap((two) => [1, 2, 3, 100].map((three) => [one, two, three] as const)),
          )) {
            const price = indexPrice([sample(left, weights[0]), sample(right, weights[1]), sample(bad, weights[2])]);
            if (price === NO_TICKS) continue;
            shown += 1;
            if (price < left || price > right) expect.fail(`${left} and ${right} with ${bad}, weights ${weights.join(' ')}: ${price}`);
          }
        }
      }
    }
    expect(shown).toBeGreaterThan(10_000);
  });

  test('X3: no source decides alone, whatever it weighs: with three or four of them the index is never outside all the others', () => {
    const bounds = { minPrice: ticks(1), maxPrice: ticks(10_000) };
    const weights = [1, 2, 50, 1_000_000, Number.MAX_SAFE_INTEGER];
    const honest = [99, 100, 101];
    let shown = 0;
    for (const count of [2, 3])
      for (const bad of [1, 50, 96, 99, 100, 102, 104, 150, 9_999])
        for (const badWeight of weights)
          for (const weight of weights)
            for (const first of honest)
              for (const second of honest) {
                const others = [sample(first, weight), sample(second, 1), sample(100, 3)].slice(0, count);
                const price = usableIndex([...others, sample(bad, badWeight)], bounds);
                if (price === NO_TICKS) continue;
                shown += 1;
                const prices = others.map((one) => one.price);
                if (price < Math.min(...prices) || price > Math.max(...prices)) expect.fail(`${prices.join(' ')} with ${bad}: ${price}`);
              }
    expect(shown).toBeGreaterThan(2_000);
  });

  test('the order of the sources changes nothing', () => {
    const samples = [sample(100, 3), sample(104, 2), sample(101, 4), sample(102, 1)];
    for (const first of samples) expect(indexPrice([first, ...samples.filter((one) => one !== first)])).toBe(indexPrice(samples));
  });
});

test('the median of an even number of prices is the middle of two, rounded down', () => {
  expect(median([])).toBe(0);
  expect(median([ticks(5)])).toBe(5);
  expect(median([ticks(8), ticks(5)])).toBe(6);
  expect(median([ticks(9), ticks(1), ticks(6), ticks(5)])).toBe(5);
});

describe('since rules 7', () => {
  const bounds = { minPrice: ticks(10), maxPrice: ticks(1_000) };
  test.each<[string, WeightedSample, boolean]>([
    ['no price', sample(0), false],
    ['a price below what the contract may have', sample(9), false],
    ['the least that it may have', sample(10), true],
    ['a price above what it may have', sample(1_001), false],
    ['an age before now', sample(100, 1, -1), false],
    ['an age of nothing', sample(100), true],
  ])('a sample of %s', (_what, one, isOne) => {
    expect(isUsable(one, bounds)).toBe(isOne);
    // The others count without it.
    expect(usableIndex([sample(100), sample(100), one], bounds)).toBe(100);
  });

  test('with two sources left the index is their middle while they are no more than 1 % apart', () => {
    expect(usableIndex([sample(200), sample(202)], bounds)).toBe(201);
    expect(usableIndex([sample(200), sample(203)], bounds)).toBe(NO_TICKS);
    expect(usableIndex([sample(200), sample(203), sample(9)], bounds)).toBe(NO_TICKS);
    expect(usableIndex([sample(200), sample(203), sample(204)], bounds)).toBe(203);
    expect(usableIndex([sample(200, 0), sample(203), sample(204)], bounds)).toBe(203);
  });
});
