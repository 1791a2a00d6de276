/** One program at a time works in the chain's folder. */
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { createServer } from 'node:net';
import { StartError } from '../../start-error.ts';

/** An abstract socket named for the folder: taken atomically, and given back by the kernel however the program ends. */
export async function holdFolder(directory: string): Promise<{ release(): Promise<void> }> {
  const { dev, ino } = statSync(directory);
  const server = createServer((stranger) => stranger.destroy());
  server.listen(`\0orrery-chain-${dev}-${ino}`);
  try {
    await once(server, 'listening');
  } catch (cause) {
    throw new StartError(`The local chain in ${directory} is in use by another running program.`, { cause });
  }
  server.unref();
  return {
    async release() {
      server.close();
      await once(server, 'close');
    },
  };
}
