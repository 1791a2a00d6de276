import { expect, test } from 'vitest';
import { earlyCode } from './early-code.ts';
import { gateCode } from './load-code.ts';

const turn = (): Promise<void> => new Promise((done) => setImmediate(done));

test('early code is asked for at once, is there when it has come, and is announced to those who still listen', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  let calls = 0;
  const early = earlyCode(() => {
    calls += 1;
    return promise;
  });
  await turn();
  expect(calls).toBe(1);
  const heard: string[] = [];
  early.subscribe(() => heard.push(`alice reads ${early.current()}`));
  const leave = early.subscribe(() => heard.push('bob, who has left'));
  leave();
  expect(early.current()).toBeUndefined();
  resolve('the checklist');
  await turn();
  expect(heard).toEqual(['alice reads the checklist']);
  expect(early.current()).toBe('the checklist');
  expect(calls).toBe(1);
});

test('where early code cannot be loaded there is nothing, and nobody is called', async () => {
  gateCode({ whenOpen: () => Promise.resolve(), isAnswering: () => Promise.resolve(true) });
  let calls = 0;
  const early = earlyCode(() => {
    calls += 1;
    return Promise.reject(new Error('no such file'));
  });
  early.subscribe(() => {
    throw new Error('must not be called');
  });
  await turn();
  expect(calls).toBe(2);
  expect(early.current()).toBeUndefined();
});
