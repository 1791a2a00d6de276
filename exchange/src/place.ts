/** The name of a data folder among the processes on one database. */
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const PLACE_FILE = 'place';

/** Names the data folder among all that work on one database: the names of its holders begin with it. */
export function placeOf(dataDirectory: string): string {
  const path = join(dataDirectory, PLACE_FILE);
  try {
    writeFileSync(path, randomUUID(), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  return `${readFileSync(path, 'utf8')}/`;
}
