/** Who still lives in a data folder. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Their ids, by working folder and arguments: the database, the chain, the program itself. */
export function processesIn(directory: string): readonly number[] {
  const pids = readdirSync('/proc')
    .filter((name) => /^[0-9]+$/.test(name))
    .map(Number);
  return pids.filter((pid) => {
    try {
      const cwd = readlinkSync(`/proc/${pid}/cwd`);
      return cwd.startsWith(directory) || readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(directory);
    } catch {
      return false;
    }
  });
}
