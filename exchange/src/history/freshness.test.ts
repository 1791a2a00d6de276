import { expect, test } from 'vitest';
import { Freshness } from './freshness.ts';

/** The report after each observation of (uptime, written, durable), with the offset of the wall clock. */
function posted(sights: readonly (readonly [number, number, number, number?])[]): readonly (number | undefined)[] {
  const freshness = new Freshness({ at: 0, uptime: 0 });
  return sights.map(([uptime, written, durable, ahead = 0]) => {
    freshness.see({ at: uptime + ahead, uptime, written, durable });
    return freshness.staleSince(uptime);
  });
}

test('J1: history that keeps up is never stale, however busy it is', () => {
  expect(posted([0, 1, 2, 3, 4, 5, 6, 7, 8].map((second) => [second * 1_000, second * 100, second * 100 + 60]))).toEqual(
    Array.from({ length: 9 }, () => undefined),
  );
});

test('J1: a first command after a long rest does not make it stale at once', () => {
  expect(
    posted([
      [0, 5, 5],
      [3_600_000, 5, 5],
      [3_601_000, 5, 6],
    ]),
  ).toEqual([undefined, undefined, undefined]);
});

test('J1: what is not written for more than 5 s makes it stale since it was last complete, until it is written', () => {
  expect(
    posted([
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

test('J1: a clock that is set while something is written makes nothing stale, and hides nothing', () => {
  const HOUR = 3_600_000;
  expect(
    posted([
      [1_000, 5, 5],
      [2_000, 5, 6],
      [3_000, 5, 7, HOUR],
      [4_000, 7, 8, HOUR],
      [5_000, 8, 8, HOUR],
      [6_000, 8, 9, HOUR],
      [9_000, 8, 10, -HOUR],
      [10_001, 8, 10, -HOUR],
    ]),
  ).toEqual([...Array.from({ length: 7 }, () => undefined), 5_000 + HOUR]);
});
