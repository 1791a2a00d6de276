/** The newest commands and their events in memory, for readers that are almost up to date, and the bell that rings when there are more. */
import type { Applied } from '@orrery/protocol';

/** What one read returns at most: a reader that catches up yields between them. */
const BATCH = 1_024;

/** How far a reader has come. */
export interface Cursor {
  seq: number;
}

export class Recent {
  readonly #slots: (Applied | undefined)[];
  readonly #capacity: number;
  readonly #kept: number;
  readonly #cursors = new Set<Cursor>();
  #lastSeq: number;
  #firstSeq: number;
  #bell = Promise.withResolvers<void>();

  /** @param options.kept stays when every reader has taken it; @param options.after the last command that is not in it */
  constructor(options: { readonly capacity: number; readonly kept: number; readonly after: number }) {
    this.#capacity = options.capacity;
    this.#kept = options.kept;
    this.#slots = Array.from({ length: options.capacity }, () => undefined);
    this.#lastSeq = options.after;
    this.#firstSeq = options.after + 1;
  }

  get lastSeq(): number {
    return this.#lastSeq;
  }

  push(applied: Applied): void {
    this.#slots[applied.seq % this.#capacity] = applied;
    this.#lastSeq = applied.seq;
    this.#firstSeq = Math.max(this.#firstSeq, this.#lastSeq - this.#capacity + 1);
  }

  /** What comes after the cursor is kept for its reader, as long as there is room. */
  enter(cursor: Cursor): void {
    this.#cursors.add(cursor);
  }

  leave(cursor: Cursor): void {
    this.#cursors.delete(cursor);
  }

  /** Lets go of what every reader has taken, but for the newest. */
  trim(): void {
    let keepAfter = this.#lastSeq - this.#kept;
    for (const { seq } of this.#cursors) keepAfter = Math.min(keepAfter, seq);
    for (; this.#firstSeq <= keepAfter; this.#firstSeq += 1) this.#slots[this.#firstSeq % this.#capacity] = undefined;
  }

  /** Wakes everyone who waits. */
  ring(): void {
    this.#bell.resolve();
    this.#bell = Promise.withResolvers<void>();
  }

  /** Resolves at the next ring. */
  rung(): Promise<void> {
    return this.#bell.promise;
  }

  /** Whether everything after `seq` is still in memory. */
  covers(seq: number): boolean {
    return seq + 1 >= this.#firstSeq;
  }

  /** The next commands after `seq`, which must be covered; none when there are none yet. */
  after(seq: number): readonly Applied[] {
    const count = Math.max(0, Math.min(this.#lastSeq - seq, BATCH));
    const from = (seq + 1) % this.#capacity;
    const toTheEnd = this.#slots.slice(from, Math.min(from + count, this.#capacity));
    const batch = toTheEnd.length === count ? toTheEnd : toTheEnd.concat(this.#slots.slice(0, count - toTheEnd.length));
    // What is covered is there.
    return batch as Applied[];
  }
}
