/**
 * Follows history from an offset that its owner stores in SQL: events are folded piece by piece, and retried until they are written. Of several processes on one
 * database each reads all of history, for what it keeps in memory; the first that reaches a piece writes it.
 */
import type { Applied, Heart } from '@orrery/protocol';
import { type Seq, seq } from '@orrery/units';
import { gather, type Gathered, type Gathering, StopSignal } from '@orrery/views';
import { setTimeout as pause } from 'node:timers/promises';

/** The delay after a failure, doubled by each further one: a retry reads history from the disk. */
const RETRY_MS = { first: 500, most: 8_000 };

/** Where a piece lies in history. */
export interface PiecePlace {
  /** Everything up to it is in SQL. */
  readonly written: Seq;
  /** Everything up to it was read before this piece; what lies between `written` and it leaves no rows. */
  readonly read: Seq;
  /** The end of the piece. */
  readonly last: Seq;
}

/** Another process has written a part of the piece: that part is read by itself, and then the rest. */
export class PartlyWritten extends Error {
  readonly seq: Seq;

  constructor(name: string, written: Seq) {
    super(`another process has written ${name} up to command ${written}`);
    this.name = 'PartlyWritten';
    this.seq = written;
  }
}

/**
 * Asked within the transaction that would write a piece, with the row of the offset locked.
 * @param name of what is written, within a sentence
 * @param row the offset in SQL
 * @returns whether the piece is to be written; false when all of it is there already
 * @throws PartlyWritten, for the reader
 */
export function isToWrite(name: string, row: number, { written, read, last }: PiecePlace): boolean {
  if (row < written) throw new Error(`the offset of ${name} is not at ${written} any more, but at ${row}`);
  if (row >= last) return false;
  if (row > read) throw new PartlyWritten(name, seq(row));
  return true;
}

export interface HistoryReaderParts<Piece> {
  readonly heart: Pick<Heart, 'subscribe'>;
  readonly gathering: Gathering<Piece>;
  /** Resolves with the new offset in SQL; after a failure history is read again from `place.written` on. */
  readonly fold: (gathered: Gathered<Piece>, place: PiecePlace) => Promise<Seq>;
  readonly onTrouble: (error: unknown) => void;
  /** Events within this many milliseconds are folded together, unless a caller waits. */
  readonly gatherMs?: number;
}

/** Where a piece has to end, as another process ended one there. */
interface Boundary {
  readonly seq: Seq;
  readonly folded: PromiseWithResolvers<void>;
}

export class HistoryReader<Piece> {
  readonly #parts: HistoryReaderParts<Piece>;
  readonly #signal = new StopSignal();
  readonly #waiters = new Set<{ readonly seq: Seq; readonly resolve: () => void }>();
  /** Signalled when a caller waits: it ends the gathering. */
  #bell = Promise.withResolvers<void>();
  #written = seq(0);
  /** As far as this subscription is folded. */
  #read = seq(0);
  #seq = seq(0);
  #boundary: Boundary | undefined;
  #following: Promise<void> = Promise.resolve();

  constructor(parts: HistoryReaderParts<Piece>) {
    this.#parts = parts;
  }

  /** @param written the last command that is folded already. */
  start(written: Seq): void {
    this.#written = written;
    this.#advance(written);
    this.#following = this.#run();
  }

  async stop(): Promise<void> {
    this.#signal.stop();
    await this.#following;
  }

  /** Resolves when everything up to `wanted` is folded. */
  reached(wanted: Seq): Promise<void> {
    if (wanted <= this.#seq) return Promise.resolve();
    this.#bell.resolve();
    return new Promise((resolve) => this.#waiters.add({ seq: wanted, resolve }));
  }

  async #run(): Promise<void> {
    let retryMs = RETRY_MS.first;
    while (!this.#signal.isStopped) {
      const before = this.#seq;
      try {
        await this.#follow();
        return;
      } catch (error) {
        this.#boundary = error instanceof PartlyWritten ? { seq: error.seq, folded: Promise.withResolvers() } : undefined;
        if (this.#boundary !== undefined) continue;
        this.#parts.onTrouble(error);
        if (this.#seq > before) retryMs = RETRY_MS.first;
        await this.#signal.race(pause(retryMs));
        retryMs = Math.min(retryMs * 2, RETRY_MS.most);
      }
    }
  }

  async #follow(): Promise<void> {
    this.#read = this.#written;
    const history = gather(this.#pieces(this.#written), this.#parts.gathering);
    try {
      await this.#foldAll(history);
    } finally {
      this.#boundary?.folded.resolve();
      // Also after a failure: an abandoned subscription would buffer history without bound. It may be waiting for a command that never
      // arrives, so its end is not awaited.
      void history.return();
    }
  }

  async #foldAll(history: AsyncIterator<Gathered<Piece>, void>): Promise<void> {
    const { fold, gatherMs = 0 } = this.#parts;
    for (;;) {
      const next = await this.#signal.race(history.next());
      if (next === 'stopped' || next.done === true) return;
      const { last } = next.value;
      this.#written = await fold(next.value, { written: this.#written, read: this.#read, last });
      this.#read = last;
      if (this.#boundary !== undefined && last >= this.#boundary.seq) this.#boundary.folded.resolve();
      this.#advance(last);
      if (gatherMs === 0 || this.#waiters.size > 0) continue;
      this.#bell = Promise.withResolvers();
      await this.#signal.race(Promise.race([pause(gatherMs), this.#bell.promise]));
    }
  }

  /** All of history after a command; what lies behind the boundary comes when everything before it is folded. */
  async *#pieces(after: Seq): AsyncGenerator<readonly Applied[], void> {
    let boundary = this.#boundary;
    for await (const batch of this.#parts.heart.subscribe(after)) {
      const end = boundary?.seq ?? Infinity;
      if ((batch.at(-1)?.seq ?? 0) <= end) {
        yield batch;
        continue;
      }
      yield batch.filter(({ seq: at }) => at <= end);
      await boundary?.folded.promise;
      boundary = undefined;
      yield batch.filter(({ seq: at }) => at > end);
    }
  }

  #advance(to: Seq): void {
    if (to < this.#seq) return;
    this.#seq = to;
    for (const waiter of this.#waiters) {
      if (waiter.seq > to) continue;
      this.#waiters.delete(waiter);
      waiter.resolve();
    }
  }
}
