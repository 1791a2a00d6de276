/** Writes each file of the build compressed beside it, as `name.br` and `name.gz`: what serves them compresses nothing, and the smallest is worth its time here. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const brotliOf = promisify(brotliCompress);
const gzipOf = promisify(gzip);

/** Fonts and pictures are compressed already. */
const TEXTS: ReadonlySet<string> = new Set(['.html', '.js', '.css', '.json', '.webmanifest', '.svg', '.wasm']);
/** Below this the headers weigh more than what is saved. */
const SMALLEST = 1_024;

export function packedFiles(): Plugin {
  let folder: string | undefined;
  return {
    name: 'orrery-packed-files',
    apply: 'build',
    configResolved({ root, build }) {
      folder = join(root, build.outDir);
    },
    closeBundle: {
      // After the signing page and the service worker, which are builds of their own into the same folder.
      order: 'post',
      sequential: true,
      handler: async () => {
        if (folder !== undefined) await packFolder(folder);
      },
    },
  };
}

export async function packFolder(folder: string): Promise<void> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && TEXTS.has(extname(entry.name)))
    .map(({ parentPath, name }) => join(parentPath, name));
  await Promise.all(files.map(pack));
}

async function pack(file: string): Promise<void> {
  const content = readFileSync(file);
  if (content.length < SMALLEST) return;
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
  const packed = { br: await brotliOf(content, { params }), gz: await gzipOf(content, { level: constants.Z_BEST_COMPRESSION }) };
  for (const [ending, bytes] of Object.entries(packed)) if (bytes.length < content.length) writeFileSync(`${file}.${ending}`, bytes);
}
