import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDataFolder } from './data-folder.ts';

let parent = '';

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'orrery-data-folder-'));
});

afterEach(() => rmSync(parent, { recursive: true, force: true }));

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

test('a data folder that others could read is closed at the start, with everything in it', () => {
  const data = join(parent, 'data');
  mkdirSync(join(data, 'chain', 'segments'), { recursive: true });
  for (const path of [data, join(data, 'chain'), join(data, 'chain', 'segments')]) chmodSync(path, 0o755);
  const files = [join(data, 'api-keys.key'), join(data, 'chain', 'mnemonic'), join(data, 'chain', 'segments', '1.log')];
  for (const file of files) writeFileSync(file, 'secret', { mode: 0o644 });
  openDataFolder(data);
  expect(files.map(modeOf)).toEqual(['600', '600', '600']);
  expect([data, join(data, 'chain'), join(data, 'chain', 'segments')].map(modeOf)).toEqual(['700', '700', '700']);
});

test('a data folder that is made is its owner’s alone', () => {
  const data = join(parent, 'new', 'data');
  openDataFolder(data);
  expect(modeOf(data)).toBe('700');
  expect(readdirSync(data)).toEqual([]);
});

test('what a link in the data folder names elsewhere is left alone', () => {
  const data = join(parent, 'data');
  const elsewhere = join(parent, 'elsewhere');
  mkdirSync(data);
  writeFileSync(elsewhere, 'of somebody else', { mode: 0o644 });
  chmodSync(elsewhere, 0o644);
  symlinkSync(elsewhere, join(data, 'link'));
  openDataFolder(data);
  expect(modeOf(elsewhere)).toBe('644');
});
