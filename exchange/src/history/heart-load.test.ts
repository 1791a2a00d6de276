import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { HeartLoad } from './heart-load.ts';

test('a thread without idle time is reported as busy, and no longer when it is idle again', async () => {
  const load = new HeartLoad();
  const end = load.measure();
  const seen = new HeartLoad(load.memory);
  expect(seen.isBusy()).toBe(false);
  await nextTurn();
  const until = performance.now() + 300;
  while (performance.now() < until);
  await nextTurn();
  await nextTurn();
  expect(seen.isBusy()).toBe(true);
  await vi.waitFor(() => expect(seen.isBusy()).toBe(false));
  end();
});
