import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { packFolder } from './packed-files.ts';

test('texts of a build lie compressed beside themselves, whole; small ones, fonts and pictures do not', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'orrery-packed-'));
  try {
    const script = Buffer.from('export const word = 1;\n'.repeat(200));
    mkdirSync(join(folder, 'assets'));
    writeFileSync(join(folder, 'assets/main-abcdefg.js'), script);
    writeFileSync(join(folder, 'assets/font-abcdefg.woff2'), script);
    writeFileSync(join(folder, 'icon.png'), script);
    writeFileSync(join(folder, 'paths.json'), '[]');
    await packFolder(folder);
    expect(readdirSync(folder).toSorted()).toEqual(['assets', 'icon.png', 'paths.json']);
    expect(readdirSync(join(folder, 'assets')).toSorted()).toEqual([
      'font-abcdefg.woff2',
      'main-abcdefg.js',
      'main-abcdefg.js.br',
      'main-abcdefg.js.gz',
    ]);
    const packed = (ending: string): Buffer => readFileSync(join(folder, `assets/main-abcdefg.js.${ending}`));
    expect([brotliDecompressSync(packed('br')), gunzipSync(packed('gz'))]).toEqual([script, script]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
