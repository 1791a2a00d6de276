import { expect, test } from 'vitest';
import { NextRun } from './next-run.ts';

test('who waits shares the next run, who comes during one gets another, and a failure ends none but its own', async () => {
  const runs = new NextRun<number>();
  const gates: PromiseWithResolvers<void>[] = [];
  const run = async (): Promise<number> => {
    const gate = Promise.withResolvers<void>();
    const number = gates.push(gate);
    await gate.promise;
    return number;
  };
  const [one, two] = [runs.begin(run), runs.begin(run)];
  await expect.poll(() => gates.length).toBe(1);
  const [three, four] = [runs.begin(run), runs.begin(run)];
  gates[0]?.resolve();
  expect(await Promise.all([one, two])).toEqual([1, 1]);
  await expect.poll(() => gates.length).toBe(2);
  gates[1]?.reject(new Error('the thread is gone'));
  await expect(three).rejects.toThrow('the thread is gone');
  await expect(four).rejects.toThrow('the thread is gone');
  const five = runs.begin(run);
  await expect.poll(() => gates.length).toBe(3);
  gates[2]?.resolve();
  expect(await five).toBe(3);
});
