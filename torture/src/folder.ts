/** Folders that are gone when the experiment is over. */
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';

export async function inFolder<Result>(run: (folder: string) => Promise<Result>, parent = tmpdir()): Promise<Result> {
  const folder = mkdtempSync(join(parent, 'orrery-torture-'));
  try {
    return await run(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** For files that are written once and read damaged, thousands of times: the disk has no part in that. */
export function inMemory<Result>(run: (folder: string) => Promise<Result>): Promise<Result> {
  try {
    accessSync(MEMORY, constants.W_OK);
  } catch {
    return inFolder(run);
  }
  return inFolder(run, MEMORY);
}
