/** Reads the files of a folder that a build has written, with what it compressed beside them. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { compressed, stored, type StoredFile } from './stored-file.ts';

/** Of a file that a build has compressed: what is asked for is the file itself. */
const PACKED = /\.(br|gz)$/;

/** Every file of a folder, by its path in it. */
export async function loadFiles(directory: string): Promise<Map<string, StoredFile>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const all = new Set(paths);
  const files = paths
    .filter((path) => !all.has(path.replace(PACKED, '')) || !PACKED.test(path))
    .map(async (path) => {
      const url = `/${relative(directory, path).split(sep).join('/')}`;
      return [url, await load(path, url, all)] as const;
    });
  return new Map(await Promise.all(files));
}

async function load(path: string, url: string, all: ReadonlySet<string>): Promise<StoredFile> {
  const file = { name: url, content: await readFile(path) };
  const [brotli, gzip] = await Promise.all([packed(path, '.br', all), packed(path, '.gz', all)]);
  return brotli === undefined && gzip === undefined ? compressed(file) : stored(file, { brotli, gzip });
}

/** What was compressed before the file was changed by hand is of another content. */
async function packed(path: string, ending: string, all: ReadonlySet<string>): Promise<Buffer | undefined> {
  const beside = `${path}${ending}`;
  if (!all.has(beside)) return undefined;
  const [of, then] = await Promise.all([stat(path), stat(beside)]);
  return then.mtimeMs >= of.mtimeMs ? readFile(beside) : undefined;
}
