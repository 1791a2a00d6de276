/** The thread that proves states: see `prover-thread.ts`. */
import { parentPort, workerData } from 'node:worker_threads';
import { DEFAULT_LIMITS, followFolder, nodeDisk, ReplayDiffers } from '@orrery/sequencer';
import { seq } from '@orrery/units';
import { ENGINES } from '../engines.ts';
import { DurableSeq } from './durable-seq.ts';
import { giveWay } from './give-way.ts';
import type { FromProver, ProverData } from './prover-thread.ts';

const post = (message: FromProver): void => parentPort?.postMessage(message);

async function prove({ directory, durableSeq, limits }: ProverData): Promise<void> {
  giveWay();
  const end = new DurableSeq(durableSeq);
  // Nothing is in the folder before the first command, and a heart that starts has not read it yet.
  if (end.seq() === 0) await end.grown(seq(0));
  const source = followFolder({
    directory,
    disk: nodeDisk,
    engines: ENGINES,
    end,
    log: (line) => post({ type: 'log', line }),
    proofs: {
      limits: { ...DEFAULT_LIMITS, ...limits },
      monotonicMs: () => performance.now(),
      onProof: ({ seq: proved, hash }) => post({ type: 'proof', seq: proved, hash }),
    },
  });
  const batches = source.subscribe(end.seq())[Symbol.asyncIterator]();
  while ((await batches.next()).done !== true);
}

// A wait for shared memory does not keep a thread alive: a port that is listened to does.
const open = (): void => undefined;
parentPort?.on('message', open);

try {
  await prove(workerData as ProverData);
} catch (error) {
  const sentence = error instanceof Error ? error.message : String(error);
  post({ type: error instanceof ReplayDiffers ? 'diverged' : 'failed', sentence });
  parentPort?.off('message', open);
}
