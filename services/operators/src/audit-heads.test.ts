import { appendFile, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AuditHeads } from './audit-heads.ts';

const head = (seq: number) => ({ seq, hash: `0x${String(seq).padStart(64, '0')}` });

let directory: string;
let file: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'orrery-heads-'));
  file = join(directory, 'data', 'audit-heads');
});
afterEach(() => rm(directory, { recursive: true }));

test('heads are there again after a restart, in a file of their owner only', async () => {
  const heads = await AuditHeads.open(file);
  expect(heads.last()).toBeUndefined();
  await heads.append([head(1), head(2)]);
  await heads.append([head(3)]);
  const again = await AuditHeads.open(file);
  expect([again.all(), again.last()]).toEqual([[head(1), head(2), head(3)], head(3)]);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test('a line without an end is dropped, and the next one stands in its place', async () => {
  await (await AuditHeads.open(file)).append([head(1)]);
  await appendFile(file, '2 0x00');
  const again = await AuditHeads.open(file);
  expect(again.all()).toEqual([head(1)]);
  await again.append([head(2)]);
  expect(await readFile(file, 'utf8')).toBe(`1 ${head(1).hash}\n2 ${head(2).hash}\n`);
});

test('a file that holds something else is no file of heads', async () => {
  await (await AuditHeads.open(file)).append([head(1)]);
  await appendFile(file, '2 nothing\n');
  await expect(AuditHeads.open(file)).rejects.toThrow(`line 2 of ${file} is no head of the audit log`);
});
