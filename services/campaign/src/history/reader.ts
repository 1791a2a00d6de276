/** Follows history from an offset that its owner keeps in SQL: what is told is folded piece by piece, again and again until it is written. */
import type { Heart } from '@orrery/protocol';
import { type Seq, seq } from '@orrery/units';
import { gather, type Gathered, type Gathering, StopSignal } from '@orrery/views';
import { setTimeout as pause } from 'node:timers/promises';

/** After a failure, and after each further one twice as long: told again, history is read from the disk. */
const RETRY_MS = { first: 500, most: 8_000 };

export interface HistoryReaderParts<Piece> {
  readonly heart: Pick<Heart, 'subscribe'>;
  readonly gathering: Gathering<Piece>;
  /** Everything up to `written` is in SQL. Resolves with up to where it is now; what fails is told again from `written` on. */
  readonly fold: (gathered: Gathered<Piece>, written: Seq) => Promise<Seq>;
  readonly onTrouble: (error: unknown) => void;
  /** What comes within so many milliseconds is folded together, unless somebody waits. */
  readonly gatherMs?: number;
}

export class HistoryReader<Piece> {
  readonly #parts: HistoryReaderParts<Piece>;
  readonly #signal = new StopSignal();
  readonly #waiters = new Set<{ readonly seq: Seq; readonly resolve: () => void }>();
  /** Rung when somebody waits: then nothing is gathered any longer. */
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
      // Also after a failure: history would gather for ever what nobody takes. It may be waiting for a next command that never comes:
      // it is told, and not waited for.
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
