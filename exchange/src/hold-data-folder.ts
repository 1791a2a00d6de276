/**
 * One program at a time works in a data folder, also where two do not see each other: containers that share a volume have network and process namespaces
 * of their own, in which neither a name in the kernel nor a number of a process is the other's. What they share is the folder: a socket in it that answers
 * is held, and one that does not was left behind.
 */
import { once } from 'node:events';
import { closeSync, linkSync, openSync, readdirSync, rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { StartError } from './start-error.ts';

const NAME = 'in-use';
/** Each ends without us only when another was quicker. */
const TRIES = 20;

export interface FolderHold {
  release(): Promise<void>;
}

/** @throws StartError when another program has the folder */
export async function holdDataFolder(directory: string): Promise<FolderHold> {
  const descriptor = openSync(directory, 'r');
  // A path through our own open folder is short, as names of sockets have to be.
  const folder = `/proc/self/fd/${descriptor}`;
  const ours = `${NAME}-${crypto.randomUUID()}`;
  const server = createServer((stranger) => stranger.destroy());
  try {
    server.listen(join(folder, ours));
    await once(server, 'listening');
    const name = await take({ folder, ours, directory });
    server.unref();
    return {
      async release() {
        rmSync(join(folder, name), { force: true });
        await close(server);
        closeSync(descriptor);
      },
    };
  } catch (error) {
    await close(server);
    closeSync(descriptor);
    // A full disk takes no new name, and the exchange still has to start, to serve what it knows: then the names in the kernel alone must do.
    if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return { release: () => Promise.resolve() };
    throw error;
  } finally {
    rmSync(join(directory, ours), { force: true });
  }
}

interface Wish {
  readonly folder: string;
  readonly ours: string;
  readonly directory: string;
}

/**
 * What was left behind is not moved, since another may just be taking its place: a number above it is taken, which a link gives to one. Who then finds
 * another that answers gives the number back: each looks after it has taken, so that of two at least one sees the other.
 * @returns the name that was taken
 */
async function take({ folder, ours, directory }: Wish): Promise<string> {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const before = namesIn(folder);
    if (await anyAnswers(folder, before)) break;
    const name = `${NAME}.${Math.max(0, ...before.map(numberOf)) + 1}`;
    if (!isLinked(join(folder, ours), join(folder, name))) continue;
    const others = namesIn(folder).filter((other) => other !== name);
    if (!(await anyAnswers(folder, others))) {
      for (const other of others) rmSync(join(folder, other), { force: true });
      return name;
    }
    rmSync(join(folder, name), { force: true });
  }
  throw new StartError(`The data folder ${directory} is in use by another running program.`);
}

const numberOf = (name: string): number => Number(name.slice(NAME.length + 1));
const namesIn = (folder: string): readonly string[] => readdirSync(folder).filter((name) => /^in-use\.\d{1,9}$/.test(name));

async function anyAnswers(folder: string, names: readonly string[]): Promise<boolean> {
  for (const name of names) if (await answers(join(folder, name))) return true;
  return false;
}

function isLinked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

function answers(path: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(path, () => resolve(true));
  // A full queue is that of a program that is busy; nobody listens, or nothing is there: it is gone.
  socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code !== 'ECONNREFUSED' && error.code !== 'ENOENT'));
  return promise.finally(() => socket.destroy());
}

async function close(server: Server): Promise<void> {
  if (!server.listening) return;
  server.close();
  await once(server, 'close');
}
