/** Computes clusters on a separate thread, so that no order waits while a month of trades is scanned. */
import { WorkerThread } from '@orrery/foundation';
import type { AccountId } from '@orrery/units';
import { type Clusters, clustersOf, type Found } from './clusters.ts';
import type { FinderQuestion } from './finder-worker.ts';
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

export class ClusterFinder {
  readonly #thread = new WorkerThread<FinderQuestion, Found>({
    module: new URL('./finder-worker.ts', import.meta.url),
    name: 'that looks for clusters',
  });
  #isClosed = false;

  /** Rejects when the thread fails or is closed meanwhile. */
  async find({ flows, relations, house, captiveFrom }: Sought): Promise<Clusters> {
    if (this.#isClosed) throw new Error('clusters are looked for no longer');
    const packed = pack([...flows]);
    const question: FinderQuestion = { flows: packed, relations, house, captiveFrom };
    return clustersOf(await this.#thread.ask(question, [packed.counts.buffer, packed.sums.buffer]));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#thread.close();
  }
}
