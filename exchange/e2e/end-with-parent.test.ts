import { spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { ENDS_WITH_PARENT } from './program.ts';

/** Starts a program as tests do, says its id, and lives until it is killed. */
const PARENT = `
  const program = require('node:child_process').spawn(process.execPath, JSON.parse(process.argv[1]), { stdio: ['pipe', 'ignore', 'inherit'] });
  console.log(program.pid);
  setInterval(() => undefined, 1000);
`;

const lives = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('a program that a test has started ends when the process of the test is killed, and not before', async () => {
  const program = [...ENDS_WITH_PARENT, '--eval', 'setInterval(() => undefined, 1000)'];
  const parent = spawn(process.execPath, ['--eval', PARENT, JSON.stringify(program)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const pid = await new Promise<number>((resolve) => parent.stdout.once('data', (line: Buffer) => resolve(Number(line.toString()))));
  expect(lives(pid)).toBe(true);
  parent.kill('SIGKILL');
  await expect.poll(() => lives(pid)).toBe(false);
});
