/** One program at a time works in a data folder. */
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { StartError } from '../../start-error.ts';

export interface FolderLock {
  release(): Promise<void>;
}

/** An abstract socket named for the folder: taken atomically, and given back by the kernel however the program ends. */
export async function lockFolder(directory: string): Promise<FolderLock> {
  const { dev, ino } = await stat(directory);
  const server = createServer((stranger) => stranger.destroy());
  server.listen(`\0orrery-postgres-${dev}-${ino}`);
  try {
    await once(server, 'listening');
  } catch (cause) {
    throw new StartError(`The database in ${directory} is in use by another running program.`, { cause });
  }
  server.unref();
  return {
    async release() {
      server.close();
      await once(server, 'close');
    },
  };
}
