/** Servers left behind by a program that was killed: they are ended before a new one starts on the same cluster. */
import { readdir, readFile, readlink, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const FAST_SHUTDOWN_MS = 10_000;
const POLL_MS = 10;

/** The caller holds the folder's lock, so a process that still works in the cluster is an orphan. */
export async function endOrphans(cluster: string): Promise<void> {
  const home = await realpath(cluster);
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    if (await ended(home, signal)) {
      // Nothing of it lives: files that name a stranger with a recycled number would only mislead the next start.
      for (const file of ['postmaster.pid', '.s.PGSQL.5432', '.s.PGSQL.5432.lock']) await rm(join(cluster, file), { force: true });
      return;
    }
  }
  throw new Error(`a PostgreSQL left behind in ${cluster} can not be ended`);
}

/** SIGINT asks the postmaster for a fast shutdown; SIGQUIT and SIGKILL go to every process, the journal of the cluster repairs the rest. */
async function ended(home: string, signal: NodeJS.Signals): Promise<boolean> {
  const deadline = Date.now() + FAST_SHUTDOWN_MS;
  const first = await serversIn(home);
  const postmaster = await postmasterOf(home);
  for (const pid of signal === 'SIGINT' && postmaster !== undefined ? [postmaster] : first) kill(pid, signal);
  while ((await serversIn(home)).length > 0) {
    if (Date.now() > deadline) return false;
    await pause(POLL_MS);
  }
  return true;
}

async function postmasterOf(home: string): Promise<number | undefined> {
  const text = await readFile(join(home, 'postmaster.pid'), 'utf8').catch(() => '');
  const pid = Number.parseInt(text, 10);
  return Number.isSafeInteger(pid) && (await serversIn(home)).includes(pid) ? pid : undefined;
}

/** Every process of the server works in the cluster's folder: a surer mark than a number in a file. */
async function serversIn(home: string): Promise<readonly number[]> {
  const pids: number[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const place = await readlink(join('/proc', name, 'cwd')).catch(() => '');
    if (place !== home) continue;
    const program = await readFile(join('/proc', name, 'comm'), 'utf8').catch(() => '');
    if (program.trim() === 'postgres') pids.push(Number(name));
  }
  return pids;
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended meanwhile.
  }
}
