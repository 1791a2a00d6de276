import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { millis } from '@orrery/units';
import { anchorFile, anchorOf, readAnchor } from './anchor.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'orrery-anchor-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('the anchor is the minute of the first start, at every later start too', async () => {
  const path = join(folder, 'deep', 'anchor');
  expect(await anchorOf(anchorFile(path), millis(1_700_000_123_456))).toBe(1_700_000_100_000);
  expect(await anchorOf(anchorFile(path), millis(1_800_000_000_000))).toBe(1_700_000_100_000);
});

test.each(['', 'soon\n', '1700000100001\n', '1700000100000'])('an anchor file that says %j is refused by name', async (content) => {
  const path = join(folder, 'anchor');
  writeFileSync(path, content);
  expect(() => readAnchor(path)).toThrow(`${path} does not hold a whole minute`);
  await expect(anchorOf(anchorFile(path), millis(1_800_000_000_000))).rejects.toThrow('whole minute');
});
