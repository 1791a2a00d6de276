/** A server tells what is alive in its memory when it is asked by a signal: what it has not yet collected says nothing of whether it grows. */
import { heapBytes } from '../measure.ts';

export const MEMORY_SIGNAL = 'SIGUSR2';

export function tellMemory(): void {
  process.on(MEMORY_SIGNAL, () => console.log(heapBytes() / 2 ** 20));
}
