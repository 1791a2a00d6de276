import { beforeEach, expect, test } from 'vitest';
import { gateCode, loadCode, MissingCode } from './load-code.ts';

const open = { whenOpen: () => Promise.resolve(), isAnswering: () => Promise.resolve(false) };
beforeEach(() => gateCode(open));

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
  expect(await loadCode(loader(5), sleep)).toBe('loaded at call 6');
  expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000]);
  await expect(loadCode(loader(6), sleep)).rejects.toThrow('failure 6');
});

test('nothing is asked for before the gate opens: a browser may keep a failure for the life of the page', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  gateCode({ ...open, whenOpen: () => promise });
  let calls = 0;
  const loading = loadCode(() => Promise.resolve((calls += 1)));
  await new Promise((done) => setImmediate(done));
  expect(calls).toBe(0);
  resolve();
  expect(await loading).toBe(1);
});

test('while the exchange answers, code that is missing fails without waiting, after one more try', async () => {
  const sleep = (): Promise<void> => Promise.reject(new Error('must not wait'));
  gateCode({ ...open, isAnswering: () => Promise.resolve(true) });
  const missing = loadCode(loader(2), sleep);
  await expect(missing).rejects.toBeInstanceOf(MissingCode);
  await expect(missing).rejects.toThrow('failure 2');
  expect(await loadCode(loader(1), sleep)).toBe('loaded at call 2');
});
