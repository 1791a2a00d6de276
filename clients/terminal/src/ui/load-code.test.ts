import { expect, test } from 'vitest';
import { gateCode, loadCode } from './load-code.ts';

function loader(failures: number) {
  let calls = 0;
  return (): Promise<string> => {
    calls += 1;
    return calls <= failures ? Promise.reject(new Error(`failure ${calls}`)) : Promise.resolve(`loaded at call ${calls}`);
  };
}

test('code that could not be loaded is asked for again, later each time, and given up after six tries', async () => {
  const waits: number[] = [];
  const sleep = (millis: number): Promise<void> => Promise.resolve(void waits.push(millis));
  expect(await loadCode(loader(5), { sleep })).toBe('loaded at call 6');
  expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000]);
  await expect(loadCode(loader(6), { sleep })).rejects.toThrow('failure 6');
});

test('nothing is asked for before the gate opens: a browser may keep a failure for the life of the page', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  gateCode(() => promise);
  let calls = 0;
  const loading = loadCode(() => Promise.resolve((calls += 1)));
  await new Promise((done) => setImmediate(done));
  expect(calls).toBe(0);
  resolve();
  expect(await loading).toBe(1);
});

test('code that is not there any more fails without waiting, after one more try with a network that is there', async () => {
  const sleep = (): Promise<void> => Promise.reject(new Error('must not wait'));
  const mayHelp = (): Promise<boolean> => Promise.resolve(false);
  await expect(loadCode(loader(2), { sleep, mayHelp })).rejects.toThrow('failure 2');
  expect(await loadCode(loader(1), { sleep, mayHelp })).toBe('loaded at call 2');
});
