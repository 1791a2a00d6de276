/** How the benchmarks open a heart in a folder of their own. */
import { type EngineFactory, nodeDisk, type SequencerOptions } from '@orrery/sequencer';

/** A fault ends the benchmark; the disk may be as full as it is. */
export const heartIn = (directory: string, engines: EngineFactory): SequencerOptions => ({
  directory,
  engines,
  disk: nodeDisk,
  clock: { wallMs: () => Date.now(), monotonicMs: () => performance.now() },
  onFatal: (error) => {
    throw error;
  },
  log: () => undefined,
  limits: { minFreeRatio: 0 },
});
