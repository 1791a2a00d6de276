import { expect, test } from 'vitest';
import { Freshness } from './freshness.ts';

/** What is told after each sight of (at, written, durable). */
function told(sights: readonly (readonly [number, number, number])[]): readonly (number | undefined)[] {
  const freshness = new Freshness(0);
  return sights.map(([at, written, durable]) => {
    freshness.see({ at, written, durable });
    return freshness.staleSince(at);
  });
}

test('J1: history that keeps up is never stale, however busy it is', () => {
  expect(told([0, 1, 2, 3, 4, 5, 6, 7, 8].map((second) => [second * 1_000, second * 100, second * 100 + 60]))).toEqual(
    Array.from({ length: 9 }, () => undefined),
  );
});

test('J1: a first command after a long rest does not make it stale at once', () => {
  expect(
    told([
      [0, 5, 5],
      [3_600_000, 5, 5],
      [3_601_000, 5, 6],
    ]),
  ).toEqual([undefined, undefined, undefined]);
});

test('J1: what is not written for more than 5 s makes it stale since it was last complete, until it is written', () => {
  expect(
    told([
      [1_000, 5, 5],
      [2_000, 5, 8],
      [6_000, 5, 20],
      [6_001, 5, 20],
      [60_000, 7, 99],
      [61_000, 8, 100],
      [62_000, 50, 101],
      [63_000, 101, 101],
    ]),
  ).toEqual([undefined, undefined, undefined, 1_000, 1_000, 2_000, 2_000, undefined]);
});
