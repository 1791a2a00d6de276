/** Files of a set: written once, hashed on the way, and on disk when they are done. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StartError } from '../start-error.ts';
import type { StoredFile } from './manifest.ts';

type Bytes = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** @throws the disk's error; then the file is incomplete. */
export async function store(root: string, path: string, content: Bytes): Promise<StoredFile> {
  const target = join(root, path);
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  const file = await open(target, 'wx', 0o600);
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    for await (const chunk of content) {
      hash.update(chunk);
      bytes += chunk.length;
      // All of the chunk, whatever the disk takes at a time.
      await file.appendFile(chunk);
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return { path, bytes, sha256: hash.digest('hex') };
}

/** @throws StartError naming the file when it is missing or is not what was stored. */
export async function check(root: string, { path, bytes, sha256 }: StoredFile): Promise<void> {
  const file = join(root, path);
  const found = await stat(file).catch(() => undefined);
  if (found?.isFile() !== true) throw new StartError(`The set is not whole: ${file} is missing.`);
  if (found.size !== bytes) throw new StartError(`The set can not be used: ${file} has ${found.size} bytes in place of ${bytes}.`);
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) hash.update(chunk);
  if (hash.digest('hex') !== sha256) throw new StartError(`The set can not be used: ${file} does not have the bytes that were stored.`);
}

/** Names that were added are on disk when their folder is. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
