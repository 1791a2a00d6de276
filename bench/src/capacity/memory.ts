/** Memory of this process after a collection. */
import { collectGarbage } from '../measure.ts';

export interface Memory {
  /** Objects and array buffers. */
  readonly heapBytes: number;
  /** Pages that the system has given to the process: the young generation and what a collection has not given back yet are among them. */
  readonly residentBytes: number;
}

export function memoryNow(): Memory {
  collectGarbage();
  collectGarbage();
  const { heapUsed, arrayBuffers, rss } = process.memoryUsage();
  return { heapBytes: heapUsed + arrayBuffers, residentBytes: rss };
}

export const grownSince = (before: Memory): Memory => {
  const now = memoryNow();
  return { heapBytes: now.heapBytes - before.heapBytes, residentBytes: now.residentBytes - before.residentBytes };
};

export const microsOf = ({ processorSeconds }: { readonly processorSeconds: number }): number => processorSeconds * 1_000_000;
