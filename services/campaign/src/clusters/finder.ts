/** Computes clusters on a separate thread, so that no order waits while a month of trades is scanned. */
import { Worker } from 'node:worker_threads';
import { SMALL_YOUNG } from '@orrery/foundation';
import type { AccountId } from '@orrery/units';
import { type Clusters, clustersOf } from './clusters.ts';
import type { FinderAnswer, FinderQuestion } from './finder-worker.ts';
import type { Relations } from './links.ts';
import { type Meeting, pack } from './packed.ts';

export interface Sought {
  readonly flows: Iterable<Meeting>;
  readonly relations: Relations;
  /** The exchange's own accounts. */
  readonly house: readonly AccountId[];
  /** As `captiveFrom` of the ground. */
  readonly captiveFrom: bigint | undefined;
}

/** The thread is started by the first question, and again after a failure. It keeps the program alive while it works, not while it waits. */
export class ClusterFinder {
  readonly #waiting = new Map<number, PromiseWithResolvers<Clusters>>();
  #worker: Worker | undefined;
  #lastId = 0;
  #isClosed = false;

  /** Rejects when the thread fails or is closed meanwhile. */
  find({ flows, relations, house, captiveFrom }: Sought): Promise<Clusters> {
    if (this.#isClosed) return Promise.reject(new Error('clusters are looked for no longer'));
    this.#lastId += 1;
    const waiting = Promise.withResolvers<Clusters>();
    this.#waiting.set(this.#lastId, waiting);
    this.#worker ??= this.#start();
    this.#worker.ref();
    const packed = pack([...flows]);
    const question: FinderQuestion = { id: this.#lastId, flows: packed, relations, house, captiveFrom };
    this.#worker.postMessage(question, [packed.counts.buffer, packed.sums.buffer]);
    return waiting.promise;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#worker?.terminate();
  }

  #start(): Worker {
    const worker = new Worker(new URL('./finder-worker.ts', import.meta.url), { name: 'clusters', resourceLimits: SMALL_YOUNG });
    worker.on('message', ({ id, found }: FinderAnswer) => {
      this.#waiting.get(id)?.resolve(clustersOf(found));
      this.#waiting.delete(id);
      if (this.#waiting.size === 0) worker.unref();
    });
    let failure = new Error('the thread that looks for clusters has ended');
    worker.once('error', (cause) => (failure = new Error('the thread that looks for clusters has failed', { cause })));
    worker.once('exit', () => {
      this.#worker = undefined;
      for (const { reject } of this.#waiting.values()) reject(failure);
      this.#waiting.clear();
    });
    return worker;
  }
}
