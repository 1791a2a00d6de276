import { expect, test } from 'vitest';
import { boundaryOf } from './outside-overlay.ts';

const bars = (...outside: readonly boolean[]) => outside.map((one, time) => ({ time, ...(one && { outside: true as const }) }));

test.each([
  ['none is of other exchanges', bars(false, false), undefined],
  ['the first two are', bars(true, true, false, false), 2],
  ['all are', bars(true, true), 1],
  ['there are none', bars(), undefined],
])('where %s', (_what, shown, time) => {
  expect(boundaryOf(shown)?.time).toBe(time);
});
