/**
 * Hashes and snapshots of whole states for a heart in a process of its own: a thread with a second engine follows the journal in its folder. Without it a heart
 * that is killed replays everything since it was last stopped in an orderly way.
 */
import { Worker } from 'node:worker_threads';
import { SMALL_YOUNG } from '@orrery/foundation';
import type { Proofs, StateProof } from '@orrery/sequencer';
import type { DurableSeq } from './durable-seq.ts';

export interface ProverThreadOptions {
  /** The heart's folder. */
  readonly directory: string;
  /** The thread begins with the first command that is reported. */
  readonly durableSeq: DurableSeq;
  readonly limits?: Partial<Proofs['limits']>;
  readonly onProof: (proof: StateProof) => void;
  /** The journal does not lead to what the heart proves: nothing may go on. */
  readonly onDiverged: (error: Error) => void;
  readonly onTrouble: (error: Error) => void;
  readonly log: (line: string) => void;
}

export interface ProverData {
  readonly directory: string;
  readonly durableSeq: SharedArrayBuffer;
  readonly limits: Partial<Proofs['limits']>;
}

export type FromProver =
  | { readonly type: 'proof'; readonly seq: number; readonly hash: Uint8Array }
  | { readonly type: 'diverged' | 'failed'; readonly sentence: string }
  | { readonly type: 'log'; readonly line: string };

/** A thread that has failed is started again after this. */
const AGAIN_MS = 60_000;

/** @returns ends it */
export function startProverThread(options: ProverThreadOptions): () => Promise<void> {
  const { directory, durableSeq, limits = {}, onProof, onDiverged, onTrouble, log } = options;
  let worker: Worker | undefined;
  let again: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  const start = (): void => {
    const workerData: ProverData = { directory, durableSeq: durableSeq.memory, limits };
    worker = new Worker(new URL('./prover-worker.ts', import.meta.url), { name: 'prover', workerData, resourceLimits: SMALL_YOUNG });
    worker.on('message', (message: FromProver) => {
      if (message.type === 'proof') onProof(message);
      else if (message.type === 'log') log(message.line);
      else if (message.type === 'diverged') onDiverged(new Error(message.sentence));
      else onTrouble(new Error(message.sentence));
    });
    worker.on('error', onTrouble);
    worker.once('exit', () => {
      if (!isOver) again = setTimeout(start, AGAIN_MS).unref();
    });
  };
  start();
  return async () => {
    isOver = true;
    clearTimeout(again);
    await worker?.terminate();
  };
}
