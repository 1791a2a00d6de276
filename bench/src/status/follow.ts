/** The thread that proves states beside the heart, without the projection that it has in the exchange. */
import { parentPort, workerData } from 'node:worker_threads';
import { createEngine, decodeState } from '@orrery/engine';
import { DurableSeq } from '@orrery/exchange/durable-seq';
import { DEFAULT_LIMITS, followFolder, nodeDisk } from '@orrery/sequencer';
import { seq } from '@orrery/units';

export interface FollowerData {
  readonly directory: string;
  /** Of the heart's `DurableSeq`. */
  readonly memory: SharedArrayBuffer;
}

const { directory, memory } = workerData as FollowerData;
const history = followFolder({
  directory,
  disk: nodeDisk,
  engines: { createEngine, decodeState },
  end: new DurableSeq(memory),
  log: () => undefined,
  proofs: { limits: DEFAULT_LIMITS, monotonicMs: () => performance.now(), onProof: (proof) => parentPort?.postMessage(proof) },
});
// Waiting for shared memory to change does not keep a thread alive, a listener does.
parentPort?.on('message', () => undefined);
for await (const batch of history.subscribe(seq(0))) void batch;
