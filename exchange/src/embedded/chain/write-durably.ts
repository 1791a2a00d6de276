/** A file that is either whole on disk or not there. */
import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

export function writeDurably(path: string, content: string | Uint8Array, mode = 0o644): void {
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
