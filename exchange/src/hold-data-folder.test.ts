import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { holdDataFolder } from './hold-data-folder.ts';

let data = '';

beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'orrery-hold-'));
});

afterEach(() => rmSync(data, { recursive: true, force: true }));

/** Listens in the folder, as a program that has it, and is killed: its socket stays. */
async function leaveBehind(): Promise<void> {
  const script = `require('node:net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))`;
  const [, signal] = (await once(spawn(process.execPath, ['-e', script, join(data, 'in-use.7')]), 'exit')) as [null, string];
  expect([signal, existsSync(join(data, 'in-use.7'))]).toEqual(['SIGKILL', true]);
}

test('a folder is held once; released, nothing stays and it can be held again', async () => {
  const hold = await holdDataFolder(data);
  await expect(holdDataFolder(data)).rejects.toThrow(`The data folder ${data} is in use by another running program.`);
  expect(readdirSync(data)).toEqual([expect.stringMatching(/^in-use\.\d+$/)]);
  await hold.release();
  expect(readdirSync(data)).toEqual([]);
  await (await holdDataFolder(data)).release();
});

test('what a killed program left behind is taken over', async () => {
  await leaveBehind();
  await (await holdDataFolder(data)).release();
});

test('of many who want what a killed program left behind, one gets it', async () => {
  await leaveBehind();
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => holdDataFolder(data)));
  const won = outcomes.filter((outcome) => outcome.status === 'fulfilled');
  expect(won).toHaveLength(1);
  expect(readdirSync(data)).toEqual([expect.stringMatching(/^in-use\.\d+$/)]);
  await won[0]?.value.release();
});

test('a folder whose path is longer than the name of a socket may be is held too', async () => {
  data = join(data, 'x'.repeat(100), 'y'.repeat(100));
  mkdirSync(data, { recursive: true });
  const hold = await holdDataFolder(data);
  await expect(holdDataFolder(data)).rejects.toThrow('in use');
  await hold.release();
});

test.runIf(process.getuid?.() === 0)('a folder is held for a program in another network namespace too', async () => {
  const hold = await holdDataFolder(data);
  const script = `import(process.argv[1]).then(({ holdDataFolder }) => holdDataFolder(process.argv[2])).catch((error) => console.log(error.message))`;
  const module = new URL('hold-data-folder.ts', import.meta.url).href;
  const other = spawn('unshare', ['--net', process.execPath, '-e', script, module, data], { stdio: ['ignore', 'pipe', 'inherit'] });
  const said: string[] = [];
  other.stdout.on('data', (chunk: Buffer) => said.push(chunk.toString()));
  await once(other, 'exit');
  expect(said.join('')).toBe(`The data folder ${data} is in use by another running program.\n`);
  await hold.release();
});
