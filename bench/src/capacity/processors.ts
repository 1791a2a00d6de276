/** Processor time of other processes. Linux only: /proc. */
import { readdirSync, readFileSync } from 'node:fs';

/** The system counts in these. */
const TICK_MICROS = 10_000;
/** Places in `/proc/<pid>/stat`, counted from the one after the name. */
const [PARENT, USER, SYSTEM, ENDED_USER, ENDED_SYSTEM] = [1, 11, 12, 13, 14] as const;

function statOf(pid: number): readonly number[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name may hold spaces and parentheses.
    return text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
  } catch {
    return undefined;
  }
}

const usedBy = (stat: readonly number[]): number =>
  [USER, SYSTEM, ENDED_USER, ENDED_SYSTEM].reduce((sum, place) => sum + (stat[place] ?? 0), 0) * TICK_MICROS;

/** Microseconds that a process and its children have used since they began; children that have ended are among them. */
export function processorMicros(root: number): number {
  const own = statOf(root);
  if (own === undefined) throw new Error(`there is no process ${root}`);
  let micros = usedBy(own);
  for (const name of readdirSync('/proc')) {
    const stat = /^[0-9]+$/.test(name) ? statOf(Number(name)) : undefined;
    if (stat?.[PARENT] === root) micros += usedBy(stat);
  }
  return micros;
}
