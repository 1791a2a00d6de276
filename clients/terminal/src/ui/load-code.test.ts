import { expect, test } from 'vitest';
import { loadCode } from './load-code.ts';

function loader(failures: number) {
  let calls = 0;
  return (): Promise<string> => {
    calls += 1;
    return calls <= failures ? Promise.reject(new Error(`failure ${calls}`)) : Promise.resolve(`loaded at call ${calls}`);
  };
}

test('code that could not be loaded is asked for again, later each time, until it is there', async () => {
  const waits: number[] = [];
  const sleep = (millis: number): Promise<void> => Promise.resolve(void waits.push(millis));
  expect(await loadCode(loader(6), { sleep })).toBe('loaded at call 7');
  expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 8_000]);
});

test('code that is not there any more fails without waiting, after one more try with a network that is there', async () => {
  const sleep = (): Promise<void> => Promise.reject(new Error('must not wait'));
  const mayHelp = (): Promise<boolean> => Promise.resolve(false);
  await expect(loadCode(loader(2), { sleep, mayHelp })).rejects.toThrow('failure 2');
  expect(await loadCode(loader(1), { sleep, mayHelp })).toBe('loaded at call 2');
});
