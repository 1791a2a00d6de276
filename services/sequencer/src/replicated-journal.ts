/** The writing end of a shared journal: a frame goes to the store, and when it is durable there into the copy in the folder of this machine. */
import { assert } from '@orrery/units';
import { FRAME_HEADER_SIZE, type FrameLink, SEGMENT_HEADER_SIZE } from './frame.ts';
import { WriterDeposed } from './fence.ts';
import type { JournalWriter } from './journal-writer.ts';
import type { Mirror } from './mirror.ts';
import { type JournalStore, storedFrame } from './store.ts';
import { every, quietTimer, type Timer } from './timer.ts';

/** A heart whose beats are late is taken for dead: see `leader-watch.ts`. */
const BEAT_EVERY_MS = 500;

export interface ReplicatedJournalOptions {
  readonly store: JournalStore;
  /** At the end of what the store has. */
  readonly mirror: Mirror;
  /** That this heart took. */
  readonly epoch: number;
  readonly segmentBytes: number;
  /** Without it that of this machine. */
  readonly timer?: Timer | undefined;
}

export class ReplicatedJournal implements JournalWriter {
  readonly lost: Promise<unknown>;
  readonly largestFrame: number;
  readonly #options: ReplicatedJournalOptions;
  readonly #losing = Promise.withResolvers<unknown>();
  readonly #endBeats: () => void;
  #beat: Promise<void> | undefined;
  #isAppending = false;

  constructor(options: ReplicatedJournalOptions) {
    this.#options = options;
    this.lost = this.#losing.promise;
    this.largestFrame = options.segmentBytes - SEGMENT_HEADER_SIZE;
    assert(this.largestFrame > FRAME_HEADER_SIZE, 'a frame fits into a segment');
    this.#endBeats = every(options.timer ?? quietTimer, BEAT_EVERY_MS, () => this.#beatOnce());
  }

  get link(): FrameLink {
    return { epoch: this.#options.epoch, previous: this.#options.mirror.link.previous };
  }

  async append(bytes: Uint8Array): Promise<void> {
    assert(!this.#isAppending, 'one frame is appended at a time');
    this.#isAppending = true;
    const frame = storedFrame(bytes);
    await this.#options.store.append(frame);
    this.#options.mirror.write(frame);
    this.#isAppending = false;
  }

  refill(): Promise<void> {
    return Promise.resolve();
  }

  async close(): Promise<void> {
    this.#endBeats();
    await this.#beat;
    const { store, mirror, epoch } = this.#options;
    mirror.close();
    // Without its answer the next heart waits until the beats are late.
    await store.resign(epoch).catch(() => undefined);
    await store.close();
  }

  /** A beat that is not answered yet is not followed by another. */
  #beatOnce(): void {
    this.#beat ??= this.#options.store
      .beat(this.#options.epoch)
      .catch((cause: unknown) => {
        // What does not answer may answer again: the next append decides.
        if (cause instanceof WriterDeposed) this.#losing.resolve(cause);
      })
      .finally(() => {
        this.#beat = undefined;
      });
  }
}
