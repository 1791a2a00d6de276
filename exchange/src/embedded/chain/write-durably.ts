/** A file that is either whole on disk or not there. */
import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

export function writeDurably(path: string, content: string | Uint8Array, mode = 0o600): void {
  const file = openSync(`${path}.new`, 'w', mode);
  writeFileSync(file, content);
  fsyncSync(file);
  closeSync(file);
  renameSync(`${path}.new`, path);
  // A new name is on disk only when its folder is.
  const folder = openSync(dirname(path), 'r');
  fsyncSync(folder);
  closeSync(folder);
}

/** The same, written and synced in the thread pool. */
export async function writeDurablyAside(path: string, parts: readonly Uint8Array[]): Promise<void> {
  const file = await open(`${path}.new`, 'w', 0o644);
  try {
    for (const part of parts) await file.appendFile(part);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.new`, path);
  const folder = await open(dirname(path), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
