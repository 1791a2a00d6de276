/** The young generation of each thread. */
import { setFlagsFromString } from 'node:v8';
import type { ResourceLimits } from 'node:worker_threads';

/** V8 counts two semi-spaces and as much for large objects. */
const SEMI_SPACES = 3;
/** Of threads that few wait for: enough for what they keep between two collections. */
const SMALL_MIB = 16;
/** Of threads that all wait for, as `tools/node-flags.mjs` gives the main thread. */
const LARGE_MIB = 128;

/** For `new Worker`. A thread grows to its limit as soon as it has been busy for a while, and does not shrink while little happens. */
export const SMALL_YOUNG: ResourceLimits = { maxYoungGenerationSizeMb: SEMI_SPACES * SMALL_MIB };
export const LARGE_YOUNG: ResourceLimits = { maxYoungGenerationSizeMb: SEMI_SPACES * LARGE_MIB };

/** Call it before the first thread is started: V8 has the flag win over the limits of a thread, and the main thread has read it already. */
export function threadsHaveTheirOwnLimits(): void {
  setFlagsFromString('--max-semi-space-size=0');
}
