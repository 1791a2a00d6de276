import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keepRunning } from './fund-managers.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('managers that end are begun again, later each time, at most a minute later, and no more once the program ends', async () => {
  const begun: number[] = [];
  const lines: string[] = [];
  const ending = new AbortController();
  const start = performance.now();
  const kept = keepRunning(
    async () => void begun.push(Math.round((performance.now() - start) / 1_000)),
    (line) => void lines.push(line),
    ending.signal,
  );
  await vi.advanceTimersByTimeAsync(190_000);
  expect(begun).toEqual([0, 1, 3, 7, 15, 31, 63, 123, 183]);
  expect(lines[0]).toBe('the managers of funds have ended: begun again in 1 s');
  ending.abort();
  await kept;
  await vi.advanceTimersByTimeAsync(600_000);
  expect(begun).toHaveLength(9);
});

test('managers that have run for long are begun again soon', async () => {
  const begun: number[] = [];
  const ending = new AbortController();
  const start = performance.now();
  const lasting = [10, 10, 700_000, 10];
  const kept = keepRunning(
    () => {
      begun.push(Math.round((performance.now() - start) / 1_000));
      return new Promise((resolve) => setTimeout(resolve, lasting[begun.length - 1] ?? 10_000_000));
    },
    () => undefined,
    ending.signal,
  );
  await vi.advanceTimersByTimeAsync(710_000);
  expect(begun).toEqual([0, 1, 3, 704, 706]);
  ending.abort();
  await vi.advanceTimersByTimeAsync(10_000_000);
  await kept;
});
