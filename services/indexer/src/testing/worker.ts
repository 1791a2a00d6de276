/** For tests: one of several processes of an exchange that work on one database and one chain, and may be paused anywhere. */
import { Leases, sqlLeases } from '@orrery/foundation';
import type { PublicClient } from 'viem';
import { type Indexer, type IndexerOptions, openIndexer } from '../indexer.ts';
import type { World } from './world.ts';

const TERMS = { termMs: 20_000, marginMs: 5_000, renewMs: 4_000 };

export class Worker {
  readonly name: string;
  readonly leases: Leases;
  readonly indexer: Indexer;
  readonly troubles: unknown[] = [];
  /** Of the process alone. */
  clockMs = 0;
  #pointsLeft = Infinity;
  readonly #reached = Promise.withResolvers<void>();
  readonly #resumed = Promise.withResolvers<void>();

  constructor(world: World, name: string) {
    this.name = name;
    const onTrouble = (error: unknown): void => void this.troubles.push(error);
    this.leases = new Leases({
      store: sqlLeases(world.db.sql),
      holder: name,
      place: name,
      monotonicMs: () => this.clockMs,
      onTrouble,
      // The test renews.
      timer: () => () => undefined,
      terms: TERMS,
    });
    this.indexer = openIndexer({ ...world.indexerOptions(), ...this.#around(world), leases: this.leases, onTrouble });
  }

  /** Resolves when the process stands still, after this number of answers and calls. */
  pauseAfter(points: number): Promise<void> {
    this.#pointsLeft = points;
    return this.#reached.promise;
  }

  resume(): void {
    this.#pointsLeft = Infinity;
    this.#resumed.resolve();
  }

  async stop(): Promise<void> {
    this.resume();
    await this.indexer.stop();
    await this.leases.stop();
  }

  #around({ client, db }: World): Partial<IndexerOptions> {
    const call = async (raw: Parameters<PublicClient['sendRawTransaction']>[0]): ReturnType<PublicClient['sendRawTransaction']> => {
      await this.#point();
      return client.sendRawTransaction(raw);
    };
    return {
      client: { ...client, sendRawTransaction: call },
      sql: db.sql.withPlugin({
        transformQuery: ({ node }) => node,
        transformResult: async ({ result }) => {
          await this.#point();
          return result;
        },
      }),
    };
  }

  /** Everything of a process that is paused stands still. */
  async #point(): Promise<void> {
    this.#pointsLeft -= 1;
    if (this.#pointsLeft > 0) return;
    this.#reached.resolve();
    await this.#resumed.promise;
  }
}
