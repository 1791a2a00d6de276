/** The data folder is its owner's alone: folders 0700, files 0600, also those that an earlier version made. */
import { accessSync, chmodSync, constants, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from './start-error.ts';

const FOLDER = 0o700;
const FILE = 0o600;
const PERMISSIONS = 0o777;

/**
 * Made when missing, and tried before anything is believed.
 * @throws StartError when it can not be written.
 */
export function openDataFolder(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true, mode: FOLDER });
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
    tighten(directory);
  } catch (cause) {
    throw new StartError(`The data folder ${directory} can not be written: choose another in ORRERY_DATA.`, { cause });
  }
}

/** What belongs to another user stays as it is: the database runs under one, and keeps its files closed itself. */
function tighten(path: string): void {
  const found = lstatSync(path);
  if (found.isSymbolicLink() || found.uid !== process.getuid?.()) return;
  const mode = found.isDirectory() ? FOLDER : FILE;
  if ((found.isDirectory() || found.isFile()) && (found.mode & PERMISSIONS) !== mode) chmodSync(path, mode);
  if (found.isDirectory()) for (const name of readdirSync(path)) tighten(join(path, name));
}
