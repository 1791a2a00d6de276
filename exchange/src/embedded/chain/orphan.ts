/** Nodes left behind by a program that was killed: ended before a new one starts in the same folder. */
import { readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const DEADLINE_MS = 5_000;
const POLL_MS = 10;

/** The caller holds the folder, so a node that still works in it is an orphan. Our log has all its inputs: it may be killed. */
export async function endOrphans(directory: string): Promise<void> {
  const home = realpathSync(directory);
  for (const pid of nodesIn(home)) process.kill(pid, 'SIGKILL');
  const deadline = Date.now() + DEADLINE_MS;
  while (nodesIn(home).length > 0) {
    if (Date.now() > deadline) throw new Error(`a chain node left behind in ${directory} can not be ended`);
    await delay(POLL_MS);
  }
}

/** Our node works in the chain's folder: a surer mark than a number in a file, which a stranger may have been given since. */
function nodesIn(home: string): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return (
          readlinkSync(join('/proc', String(pid), 'cwd')) === home &&
          readFileSync(join('/proc', String(pid), 'comm'), 'utf8').trim() === 'anvil'
        );
      } catch {
        return false;
      }
    });
}
