import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { loadFiles } from './load-files.ts';

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

async function folder(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'orrery-files-'));
  folders.push(directory);
  await mkdir(join(directory, 'assets'));
  return directory;
}

const SCRIPT = Buffer.from('export const word = 1;\n'.repeat(200));

async function write(directory: string, name: string, content: Buffer, at = 1_700_000_000): Promise<void> {
  await writeFile(join(directory, name), content);
  await utimes(join(directory, name), at, at);
}

test('a file that the build has compressed is sent as it lies beside, and what lies beside has no address of its own', async () => {
  const directory = await folder();
  // Of the same content, but not the bytes that would be made here.
  const [brotli, gzip] = [brotliCompressSync(SCRIPT), gzipSync(SCRIPT, { level: 1 })];
  await write(directory, 'assets/main-abcdefg.js', SCRIPT);
  await write(directory, 'assets/main-abcdefg.js.br', brotli);
  await write(directory, 'assets/main-abcdefg.js.gz', gzip);
  const files = await loadFiles(directory);
  expect([...files.keys()]).toEqual(['/assets/main-abcdefg.js']);
  const file = files.get('/assets/main-abcdefg.js');
  expect([file?.content, file?.brotli, file?.gzip]).toEqual([SCRIPT, brotli, gzip]);
  expect(file?.isImmutable).toBe(true);
});

test('a file that was changed after it was compressed is compressed once more', async () => {
  const directory = await folder();
  const changed = Buffer.concat([SCRIPT, Buffer.from('// changed\n')]);
  await write(directory, 'index.html', changed, 1_700_000_001);
  await write(directory, 'index.html.br', brotliCompressSync(SCRIPT));
  await write(directory, 'index.html.gz', gzipSync(SCRIPT));
  const file = (await loadFiles(directory)).get('/index.html');
  expect(brotliDecompressSync(file?.brotli ?? '')).toEqual(changed);
  expect(gunzipSync(file?.gzip ?? '')).toEqual(changed);
});

test('a file of a build that compresses nothing is compressed here, and one that is small or packed already is not', async () => {
  const directory = await folder();
  await write(directory, 'index.html', SCRIPT);
  await write(directory, 'paths.json', Buffer.from('[]'));
  await write(directory, 'archive.gz', gzipSync(SCRIPT));
  const files = await loadFiles(directory);
  const packed = Object.fromEntries(Array.from(files, ([name, { brotli, gzip }]) => [name, [brotli !== undefined, gzip !== undefined]]));
  expect(packed).toEqual({ '/archive.gz': [false, false], '/index.html': [true, true], '/paths.json': [false, false] });
});
