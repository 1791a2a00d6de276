import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';

/** The least urgent there is: nobody waits for it. */
const NICENESS = 19;

/** Lowers the priority of the thread that calls it, on Linux: there a thread has one of its own, under its number in /proc. Elsewhere it keeps the program's. */
export function yieldToOthers(): void {
  if (process.platform === 'linux') setPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), NICENESS);
}
