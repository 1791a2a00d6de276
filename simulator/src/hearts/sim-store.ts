/** The shared journal as one process reaches it: what `PostgresStore` does over a connection, over a simulated one. */
import {
  type JournalStore,
  lastSeqOf,
  type Leader,
  sleepBy,
  type StoredFrame,
  type StoredLink,
  StoreLost,
  WriterDeposed,
} from '@orrery/sequencer';
import type { Servers, Tables } from './servers.ts';
import type { Wire } from './wire.ts';

/** As in production. */
const PATIENCE_MS = 30_000;
const AGAIN_MS = 100;
const LOOK_MS = 250;
const BATCH = 64;

export class SimStore implements JournalStore {
  readonly #wire: Wire;
  readonly #endListening: () => void;
  #bell = new AbortController();
  #isClosed = false;
  #takings = 0;

  constructor(wire: Wire) {
    this.#wire = wire;
    this.#endListening = wire.listen(() => this.#ring());
  }

  historyId(): Promise<string> {
    return this.#ask(({ historyId }) => historyId);
  }

  /** A broken connection leaves open whether it was taken: then its holder says so. */
  async takeEpoch(seen: number): Promise<number | undefined> {
    this.#takings += 1;
    const holder = `${this.#wire.process.name} ${this.#takings}`;
    const take = (tables: Tables): boolean => {
      if (tables.epoch !== seen) return tables.epoch === seen + 1 && tables.holder === holder;
      tables.epoch = seen + 1;
      tables.holder = holder;
      tables.leader = { epoch: seen + 1, beats: 0, hasResigned: false };
      return true;
    };
    const ask = (): Promise<boolean> => this.#ask((servers) => servers.write(take));
    const isTaken = await ask().catch((cause: unknown) => {
      if (cause instanceof StoreLost) return ask();
      throw cause;
    });
    return isTaken ? seen + 1 : undefined;
  }

  async append(frame: StoredFrame): Promise<void> {
    const { monotonicMs, timer } = this.#wire.process;
    const until = monotonicMs() + PATIENCE_MS;
    const copy = { ...frame, bytes: frame.bytes.slice(), previous: frame.previous.slice() };
    for (;;) {
      try {
        await this.#ask((servers) => servers.append(copy));
        return;
      } catch (cause) {
        if (!(cause instanceof StoreLost) || this.#isClosed || monotonicMs() > until) throw cause;
        await sleepBy(timer, AGAIN_MS);
      }
    }
  }

  read(after: number): Promise<readonly StoredFrame[]> {
    return this.#ask(({ tables: { frames } }) => {
      // From behind: a reader is almost at the end.
      const from = frames.findLastIndex(({ firstSeq }) => firstSeq <= after) + 1;
      return frames.slice(from, from + BATCH);
    });
  }

  linkOf(seq: number): Promise<StoredLink | undefined> {
    return this.#ask(({ tables }) => tables.frames.findLast((frame) => frame.firstSeq <= seq && seq <= lastSeqOf(frame)));
  }

  leader(): Promise<Leader> {
    return this.#ask(({ tables }) => tables.leader);
  }

  beat(epoch: number): Promise<void> {
    return this.#ask((servers) => {
      servers.note((tables) => {
        const { leader } = tables;
        if (leader.epoch !== epoch) throw new WriterDeposed(epoch);
        tables.leader = { ...leader, beats: leader.beats + 1 };
      });
    });
  }

  resign(epoch: number): Promise<void> {
    return this.#ask((servers) => {
      servers.note((tables) => {
        if (tables.leader.epoch === epoch) tables.leader = { ...tables.leader, hasResigned: true };
      });
    });
  }

  importHistory(): Promise<void> {
    return Promise.reject(new Error('no folder here has a journal of its own'));
  }

  async grown(): Promise<void> {
    await sleepBy(this.#wire.process.timer, LOOK_MS, this.#bell.signal);
  }

  shortage(): string | undefined {
    return undefined;
  }

  close(): Promise<void> {
    this.#isClosed = true;
    this.#endListening();
    this.#ring();
    return Promise.resolve();
  }

  #ask<Answer>(act: (servers: Servers) => Answer | Promise<Answer>): Promise<Answer> {
    return this.#isClosed ? Promise.reject(new StoreLost('the journal store is closed')) : this.#wire.ask(act);
  }

  #ring(): void {
    this.#bell.abort();
    this.#bell = new AbortController();
  }
}
