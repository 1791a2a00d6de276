import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { paced } from './paced.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('it runs soon after it is asked and when that has settled, and not without being asked', () => {
  const run = vi.fn<() => void>();
  const { ask } = paced(run, [600, 15_000]);
  vi.advanceTimersByTime(60_000);
  expect(run).toHaveBeenCalledTimes(0);
  ask();
  vi.advanceTimersByTime(600);
  expect(run).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(60_000);
  expect(run).toHaveBeenCalledTimes(2);
});

test('asked each second it keeps its pace', () => {
  const run = vi.fn<() => void>();
  const { ask } = paced(run, [600, 15_000]);
  for (let second = 0; second < 60; second += 1) {
    ask();
    vi.advanceTimersByTime(1_000);
  }
  expect(run).toHaveBeenCalledTimes(8);
});

test('stopped, it runs no more', () => {
  const run = vi.fn<() => void>();
  const { ask, stop } = paced(run, [600, 15_000]);
  ask();
  ask();
  stop();
  vi.advanceTimersByTime(60_000);
  expect(run).not.toHaveBeenCalled();
});
