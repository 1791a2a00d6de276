/** A server reports its live heap on a signal, after a collection: uncollected garbage does not show whether memory grows. */
import { heapBytes } from '../measure.ts';

export const MEMORY_SIGNAL = 'SIGUSR2';

export function reportMemory(): void {
  process.on(MEMORY_SIGNAL, () => console.log(heapBytes() / 2 ** 20));
}
