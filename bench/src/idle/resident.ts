/** Memory of a process and of everything that it has started, by the name of the program. Linux only: /proc. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** MiB. Pages that several processes share, such as the buffers of the database, count once: each process has its share of them. */
export function residentMiB(root: number): ReadonlyMap<string, number> {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^[0-9]+$/.test(name)) continue;
    const parent = fieldOf(`/proc/${name}/status`, 'PPid');
    if (parent !== undefined) parents.set(Number(name), parent);
  }
  const byProgram = new Map<string, number>();
  for (const pid of parents.keys()) {
    if (pid !== root && !descends(pid, root, parents)) continue;
    const kib = fieldOf(`/proc/${pid}/smaps_rollup`, 'Pss') ?? 0;
    const program = nameOf(pid);
    byProgram.set(program, (byProgram.get(program) ?? 0) + kib / 1_024);
  }
  return byProgram;
}

function descends(pid: number, root: number, parents: ReadonlyMap<number, number>): boolean {
  for (let at = parents.get(pid); at !== undefined && at > 1; at = parents.get(at)) if (at === root) return true;
  return false;
}

const nameOf = (pid: number): string => (existsSync(`/proc/${pid}/comm`) ? readFileSync(`/proc/${pid}/comm`, 'utf8').trim() : 'ended');

/** Undefined where the process has ended. */
function fieldOf(path: string, field: string): number | undefined {
  try {
    const found = new RegExp(`^${field}:\\s+([0-9]+)`, 'm').exec(readFileSync(path, 'utf8'));
    return found === null ? undefined : Number(found[1]);
  } catch {
    return undefined;
  }
}
