import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DayCounts } from './day-counts.ts';
import { SharedCounts } from './shared-counts.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Answers nothing, as a database behind a broken line, until the query is given up. */
class HangingStore {
  queries = 0;
  readonly #patienceMs: number;

  constructor(patienceMs: number) {
    this.#patienceMs = patienceMs;
  }

  query(): Promise<never> {
    this.queries += 1;
    return new Promise((_resolve, reject) => setTimeout(() => reject(new Error('no answer')), this.#patienceMs));
  }
}

test('200 orders beside a database that hangs ask it once at a time, and the stop waits for a few seconds', async () => {
  const now = (): number => 1_700_000_000_000;
  const store = new HangingStore(8_000);
  const shared = new SharedCounts({ store, key: Buffer.alloc(32), now });
  const days = new DayCounts(shared, now);
  for (let owner = 0; owner < 200; owner += 1) days.take('orders', owner % 3, 1_000, 1);
  let isClosed = false;
  const closing = days.close().then(() => (isClosed = true));
  await vi.advanceTimersByTimeAsync(3_000);
  expect(isClosed).toBe(true);
  await closing;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(store.queries).toBeLessThanOrEqual(3);
  shared.close();
});

test('what was taken while a write was under way is written by the next one', async () => {
  const shared = new SharedCounts({ store: 'memory', key: Buffer.alloc(32), now: Date.now });
  const days = new DayCounts(shared, Date.now);
  const count = { name: 'orders', owner: 'alice', most: 100, perMs: 86_400_000 };
  for (let nth = 0; nth < 50; nth += 1) days.take(count.name, count.owner, count.most, 1);
  await days.close();
  expect(await shared.add(count, 0)).toBe(50);
  shared.close();
});
