import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { repeat } from './repeat.ts';

beforeEach(() => void vi.useFakeTimers({ now: 1_795_000_000_000 }));
afterEach(() => void vi.useRealTimers());

test('a run that is late is not begun a second time; a failure is reported and the next run comes; a stop waits for the last', async () => {
  const troubles: unknown[] = [];
  const gates: PromiseWithResolvers<void>[] = [];
  const work = (): Promise<void> => {
    const gate = Promise.withResolvers<void>();
    gates.push(gate);
    return gate.promise;
  };
  const repetition = repeat({ every: '* * * * * *', lease: undefined, work, onTrouble: (error) => troubles.push(error) });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(gates).toHaveLength(1);
  gates[0]?.reject(new Error('the database is gone'));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(troubles).toEqual([new Error('the database is gone')]);
  expect(gates).toHaveLength(2);
  let isStopped = false;
  const stopped = repetition.stop().then(() => (isStopped = true));
  await vi.advanceTimersByTimeAsync(5_000);
  expect([gates.length, isStopped]).toEqual([2, false]);
  gates[1]?.resolve();
  await stopped;
});
