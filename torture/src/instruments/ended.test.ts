import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { closeEach, ended } from './ended.ts';

test('a process that runs is ended, and one that a signal has ended before is not waited for', async () => {
  const child = spawn('sleep', ['60'], { stdio: 'ignore' });
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
  expect(await ended(child)).toBeNull();
  expect(
    await ended(spawn('sh', ['-c', 'trap "exit 3" TERM; echo; while :; do sleep 0.01; done'], { stdio: 'ignore' }), 'SIGKILL'),
  ).toBeNull();
});

test('each is closed, also after one that fails, and the first failure is thrown', async () => {
  const closed: string[] = [];
  const closing = closeEach([
    () => closed.push('one'),
    () => Promise.reject(new Error('first')),
    () => Promise.reject(new Error('second')),
    () => closed.push('two'),
  ]);
  await expect(closing).rejects.toThrow('first');
  expect(closed).toEqual(['one', 'two']);
});
