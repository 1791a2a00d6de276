import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { lockFolder } from './lock.ts';
import { newFolder, removeFolders } from './testing/open-heart.ts';

afterEach(removeFolders);

const startOfThis = (): string => readFileSync(`/proc/${process.pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[19] ?? '';

test('a folder is locked once; when it is released it can be locked again', async () => {
  const folder = newFolder();
  const lock = await lockFolder(folder);
  await expect(lockFolder(folder)).rejects.toThrow('in use by another process');
  await lock.release();
  expect(existsSync(join(folder, 'lock'))).toBe(false);
  await (await lockFolder(folder)).release();
});

test('of many who want a folder at once, one gets it', async () => {
  const folder = newFolder();
  writeFileSync(join(folder, 'lock'), '999999999 1\n');
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => lockFolder(folder)));
  const won = outcomes.filter((outcome) => outcome.status === 'fulfilled');
  expect(won).toHaveLength(1);
  await won[0]?.value.release();
});

test.each([
  ['of a process that is gone', '999999999 1\n'],
  ['whose process id was given to another process', `${process.pid} 1\n`],
  ['that is empty, since its process died while writing it', ''],
  ['that is no lock', 'hello\n'],
])('a lock %s is taken over', async (_name, content) => {
  const folder = newFolder();
  writeFileSync(join(folder, 'lock'), content);
  const lock = await lockFolder(folder);
  expect(readFileSync(join(folder, 'lock'), 'utf8')).toBe(`${process.pid} ${startOfThis()}\n`);
  await lock.release();
});

test('a lock of a living process is respected even when its name in the kernel is not seen', async () => {
  const folder = newFolder();
  writeFileSync(join(folder, 'lock'), `${process.pid} ${startOfThis()}\n`);
  await expect(lockFolder(folder)).rejects.toThrow(`the data folder ${folder} is in use by another process (pid ${process.pid})`);
});
