import { expect, test } from 'vitest';
import { twapProgress } from './twap-progress.ts';

const BEGUN = Date.UTC(2026, 0, 2, 12);
const SECOND = 1_000;

test.each([
  // seconds  of minutes  done  per cent
  [0, 30, 0, 0],
  [89, 30, 1, 4],
  [900, 30, 15, 50],
  [1_800, 30, 30, 100],
  [1_860, 30, 30, 100],
  [-3, 30, 0, 0],
])('%i s after its start a TWAP over %i minutes has %i minutes behind it, %i %%', (seconds, minutes, done, percent) => {
  expect(twapProgress({ createdTime: BEGUN, minutes }, BEGUN + seconds * SECOND)).toEqual({ minutes: done, percent });
});
