import { expect, test } from 'vitest';
import { LeaderWatch } from './leader-watch.ts';

/** What the watch answers to looks at (time, epoch, beats): whether another heart may lead. A look without a leader fails. */
function answers(looks: readonly (readonly [number, number?, number?])[]): readonly boolean[] {
  let now = 0;
  const watch = new LeaderWatch({ monotonicMs: () => now });
  return looks.map(([at, epoch, beats]) => {
    now = at;
    if (epoch !== undefined && beats !== undefined) return watch.see({ epoch, beats, hasResigned: false });
    watch.blind();
    return false;
  });
}

test('a heart whose beats are two seconds late may be followed by another', () => {
  expect(
    answers([
      [0, 1, 7],
      [500, 1, 7],
      [1_000, 1, 7],
      [1_500, 1, 7],
      [1_999, 1, 7],
      [2_000, 1, 7],
    ]),
  ).toEqual([...Array.from({ length: 5 }, () => false), true]);
});

test('a beat, or another epoch, begins the wait again', () => {
  expect(
    answers([
      [0, 1, 7],
      [500, 1, 7],
      [1_000, 1, 7],
      [1_500, 1, 8],
      [2_000, 1, 8],
      [2_500, 2, 8],
      [3_000, 2, 8],
      [3_400, 2, 8],
    ]),
  ).not.toContain(true);
});

test('a reader that stood still, or could not look, has seen no silence meanwhile', () => {
  expect(
    answers([
      [0, 1, 7],
      [60_000, 1, 7],
      [60_250, 1, 7],
    ]),
  ).not.toContain(true);
  expect(answers([[0, 1, 7], [500, 1, 7], [30_000], [30_250, 1, 7], [30_500, 1, 7]])).not.toContain(true);
});

test('a heart that has stopped by itself is followed at once', () => {
  expect(new LeaderWatch({ monotonicMs: () => 0 }).see({ epoch: 3, beats: 9, hasResigned: true })).toBe(true);
});
