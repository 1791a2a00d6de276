/** For tests: a shared journal in memory, with the faults of a network to order. Each heart has a store of its own on one history. */
import { randomUUID } from 'node:crypto';
import { sameBytes } from '../engine-factory.ts';
import { WriterDeposed } from '../fence.ts';
import { NO_FRAME } from '../frame.ts';
import { type JournalStore, lastSeqOf, type Leader, type StoredFrame, type StoredLink, StoreLost } from '../store.ts';

const BATCH = 64;
const MOMENT_MS = 5;

export class MemoryHistory {
  readonly id = randomUUID();
  readonly frames: StoredFrame[] = [];
  leader: Leader = { epoch: 0, beats: 0, hasResigned: true };
}

export class MemoryStore implements JournalStore {
  /** The network to the store is cut. */
  isCut = false;
  /** What the next append leads to is lost on the way back. */
  losesAnswer = false;
  /** Appends wait for it before the store takes them. */
  gate: Promise<void> = Promise.resolve();
  /** Beats that were sent. */
  beats = 0;
  why: string | undefined;
  readonly #history: MemoryHistory;

  constructor(history: MemoryHistory) {
    this.#history = history;
  }

  async historyId(): Promise<string> {
    await this.#reach();
    return this.#history.id;
  }

  async takeEpoch(seen: number): Promise<number | undefined> {
    await this.#reach();
    if (this.#history.leader.epoch !== seen) return undefined;
    this.#history.leader = { epoch: seen + 1, beats: 0, hasResigned: false };
    return seen + 1;
  }

  async append(frame: StoredFrame): Promise<void> {
    await this.gate;
    await this.#reach();
    const { frames, leader } = this.#history;
    if (frame.epoch !== leader.epoch) throw new WriterDeposed(frame.epoch);
    const last = frames.at(-1);
    if (frame.firstSeq !== (last === undefined ? 0 : lastSeqOf(last)) + 1 || !sameBytes(frame.previous, last?.hash ?? NO_FRAME))
      throw new Error(`the frame of command ${frame.firstSeq} does not follow what the store has`);
    frames.push({ ...frame, bytes: frame.bytes.slice(), previous: frame.previous.slice() });
    if (!this.losesAnswer) return;
    this.losesAnswer = false;
    throw new StoreLost('the answer was lost');
  }

  async read(after: number): Promise<readonly StoredFrame[]> {
    await this.#reach();
    const from = this.#history.frames.findIndex(({ firstSeq }) => firstSeq > after);
    return from === -1 ? [] : this.#history.frames.slice(from, from + BATCH);
  }

  async linkOf(seq: number): Promise<StoredLink | undefined> {
    await this.#reach();
    return this.#history.frames.find((frame) => frame.firstSeq <= seq && seq <= lastSeqOf(frame));
  }

  async leader(): Promise<Leader> {
    await this.#reach();
    return this.#history.leader;
  }

  async beat(epoch: number): Promise<void> {
    await this.#reach();
    this.beats += 1;
    const { leader } = this.#history;
    if (leader.epoch !== epoch) throw new WriterDeposed(epoch);
    this.#history.leader = { ...leader, beats: leader.beats + 1 };
  }

  async resign(epoch: number): Promise<void> {
    await this.#reach();
    const { leader } = this.#history;
    if (leader.epoch === epoch) this.#history.leader = { ...leader, hasResigned: true };
  }

  async importHistory(frames: Iterable<StoredFrame>): Promise<void> {
    await this.#reach();
    if (this.#history.frames.length > 0) throw new Error('the store has a history');
    for (const frame of frames) {
      this.#history.frames.push({ ...frame, bytes: frame.bytes.slice() });
      this.#history.leader = { epoch: frame.epoch, beats: 0, hasResigned: true };
    }
  }

  grown(): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, MOMENT_MS));
  }

  shortage(): string | undefined {
    return this.why;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  async #reach(): Promise<void> {
    await Promise.resolve();
    if (this.isCut) throw new StoreLost('the network is cut');
  }
}
