import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { gather } from './gather.ts';
import { StopSignal } from './stop-signal.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** How many of what these point to are still kept alive by somebody. */
async function alive(refs: readonly WeakRef<object>[]): Promise<number> {
  // What was pointed to in this turn of the loop is kept to its end.
  await new Promise((resolve) => setTimeout(resolve, 10));
  collectGarbage();
  return refs.filter((ref) => ref.deref() !== undefined).length;
}

test('a waiter gets its result, or the signal to stop, whichever comes first', async () => {
  const signal = new StopSignal();
  expect(await signal.race(Promise.resolve(7))).toBe(7);
  await expect(signal.race(Promise.reject(new Error('it failed')))).rejects.toThrow('it failed');
  const never = new Promise<number>(() => undefined);
  const waiting = [signal.race(never), signal.race(never)];
  expect(signal.isStopped).toBe(false);
  signal.stop();
  expect(await Promise.all(waiting)).toEqual(['stopped', 'stopped']);
  expect(signal.isStopped).toBe(true);
  expect(await signal.race(never)).toBe('stopped');
});

test('an awaited result is not kept alive by waiters that may still be stopped', async () => {
  const signal = new StopSignal();
  const refs: WeakRef<object>[] = [];
  for (let count = 0; count < 100; count += 1) {
    const piece = await signal.race(Promise.resolve({ count }));
    refs.push(new WeakRef(piece as object));
  }
  expect(await alive(refs)).toBeLessThanOrEqual(1);
  signal.stop();
});

test('pieces of history that were gathered and taken are not kept alive while it goes on', async () => {
  const signal = new StopSignal();
  const refs: WeakRef<object>[] = [];
  const pieces = gather(endless(), { begin: () => ({}), take: () => undefined });
  for (let count = 0; count < 100; count += 1) {
    const next = await signal.race(pieces.next());
    if (next !== 'stopped' && next.done !== true) refs.push(new WeakRef(next.value.piece));
  }
  expect(refs).toHaveLength(100);
  expect(await alive(refs)).toBeLessThanOrEqual(2);
  await pieces.return();
});

async function* endless(): AsyncGenerator<readonly never[]> {
  for (let count = 0; ; count += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    yield [{ seq: count } as never];
  }
}
