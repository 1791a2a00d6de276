/**
 * One sequencer per folder. A name in the kernel that ends with the process decides; the file beside it says who holds it, also to a process
 * that does not see that name (in another network namespace).
 */
import { createHash } from 'node:crypto';
import { closeSync, openSync, readFileSync, realpathSync, rmSync, writeSync } from 'node:fs';
import { createServer } from 'node:net';
import type { Server } from 'node:net';
import { join } from 'node:path';

export class FolderInUse extends Error {
  override readonly name = 'FolderInUse';
}

export interface Lock {
  release(): Promise<void>;
}

interface Holder {
  readonly pid: number;
  /** Ticks since boot at which the process started, from /proc: a pid alone is given again. */
  readonly startedAt: string;
}

export async function lockFolder(directory: string): Promise<Lock> {
  const path = join(directory, 'lock');
  const server = await holdName(directory, path);
  try {
    const holder = readHolder(path);
    if (holder !== undefined && isAlive(holder)) throw inUse(directory, holder);
    rmSync(path, { force: true });
    writeHolder(path);
  } catch (cause) {
    await close(server);
    throw cause;
  }
  return {
    async release() {
      rmSync(path, { force: true });
      await close(server);
    },
  };
}

/** A socket in the abstract namespace: bound by one process at a time, gone with it even after kill -9. */
async function holdName(directory: string, path: string): Promise<Server> {
  const name = createHash('sha256').update(realpathSync(directory)).digest('hex').slice(0, 32);
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      reject(cause.code === 'EADDRINUSE' ? inUse(directory, readHolder(path)) : cause);
    });
    server.listen({ path: `\0orrery-${name}` }, resolve);
  });
  server.unref();
  return server;
}

function inUse(directory: string, holder: Holder | undefined): FolderInUse {
  return new FolderInUse(`the data folder ${directory} is in use by another process${holder === undefined ? '' : ` (pid ${holder.pid})`}`);
}

function readHolder(path: string): Holder | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
  const [pid, startedAt] = text.trim().split(' ');
  return startedAt === undefined || !/^[0-9]+$/.test(pid ?? '') ? undefined : { pid: Number(pid), startedAt };
}

function writeHolder(path: string): void {
  const descriptor = openSync(path, 'wx', 0o600);
  try {
    writeSync(descriptor, `${process.pid} ${startOf(process.pid) ?? '0'}\n`);
  } catch (cause) {
    // On a full disk the exchange still has to start, to serve what it knows: then the name in the kernel alone must do.
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'ENOSPC')) throw cause;
  } finally {
    closeSync(descriptor);
  }
}

const isAlive = ({ pid, startedAt }: Holder): boolean => startOf(pid) === startedAt;

/** Field 22 of /proc/pid/stat; the second field, in parentheses, may hold blanks. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}

const close = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
  });
