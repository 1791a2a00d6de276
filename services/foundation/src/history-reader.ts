/** Follows history from an offset that its owner stores in SQL: events are folded piece by piece, and retried until they are written. */
import type { Heart } from '@orrery/protocol';
import { type Seq, seq } from '@orrery/units';
import { gather, type Gathered, type Gathering, StopSignal } from '@orrery/views';
import { setTimeout as pause } from 'node:timers/promises';

/** The delay after a failure, doubled by each further one: a retry reads history from the disk. */
const RETRY_MS = { first: 500, most: 8_000 };

export interface HistoryReaderParts<Piece> {
  readonly heart: Pick<Heart, 'subscribe'>;
  readonly gathering: Gathering<Piece>;
  /** Everything up to `written` is in SQL. Resolves with the new offset; after a failure history is read again from `written` on. */
  readonly fold: (gathered: Gathered<Piece>, written: Seq) => Promise<Seq>;
  readonly onTrouble: (error: unknown) => void;
  /** Events within this many milliseconds are folded together, unless a caller waits. */
  readonly gatherMs?: number;
}

export class HistoryReader<Piece> {
  readonly #parts: HistoryReaderParts<Piece>;
  readonly #signal = new StopSignal();
  readonly #waiters = new Set<{ readonly seq: Seq; readonly resolve: () => void }>();
  /** Signalled when a caller waits: it ends the gathering. */
  #bell = Promise.withResolvers<void>();
  #written = seq(0);
  #seq = seq(0);
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
        this.#parts.onTrouble(error);
        if (this.#seq > before) retryMs = RETRY_MS.first;
        await this.#signal.race(pause(retryMs));
        retryMs = Math.min(retryMs * 2, RETRY_MS.most);
      }
    }
  }

  async #follow(): Promise<void> {
    const history = gather(this.#parts.heart.subscribe(this.#written), this.#parts.gathering);
    try {
      await this.#foldAll(history);
    } finally {
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
      this.#written = await fold(next.value, this.#written);
      this.#advance(next.value.last);
      if (gatherMs === 0 || this.#waiters.size > 0) continue;
      this.#bell = Promise.withResolvers();
      await this.#signal.race(Promise.race([pause(gatherMs), this.#bell.promise]));
    }
  }

  #advance(to: Seq): void {
    this.#seq = to;
    for (const waiter of this.#waiters) {
      if (waiter.seq > to) continue;
      this.#waiters.delete(waiter);
      waiter.resolve();
    }
  }
}
