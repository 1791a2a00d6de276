/** How far history is written, and who waits for more of it. */
import { ApiError } from '@orrery/api';
import { type Seq, seq } from '@orrery/units';

interface Waiter {
  readonly seq: Seq;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

const notWritten = (): ApiError => new ApiError('NotNow', { message: 'history is not written at present', retryAfterSeconds: 30 });

export class Written {
  readonly #waiters = new Set<Waiter>();
  #seq: Seq = seq(0);
  #failure: string | undefined;

  get seq(): Seq {
    return this.#seq;
  }

  /** Why nothing more is written; undefined while it goes on. */
  get failure(): string | undefined {
    return this.#failure;
  }

  get isAwaited(): boolean {
    return this.#waiters.size > 0;
  }

  /** Resolves when everything up to `wanted` is written; rejects when that will not come. */
  reached(wanted: Seq): Promise<void> {
    if (wanted <= this.#seq) return Promise.resolve();
    if (this.#failure !== undefined) return Promise.reject(notWritten());
    return new Promise((resolve, reject) => this.#waiters.add({ seq: wanted, resolve, reject }));
  }

  advance(to: Seq): void {
    this.#seq = to;
    for (const waiter of this.#waiters) {
      if (waiter.seq > to) continue;
      this.#waiters.delete(waiter);
      waiter.resolve();
    }
  }

  fail(sentence: string): void {
    this.#failure = sentence;
    for (const { reject } of this.#waiters) reject(notWritten());
    this.#waiters.clear();
  }
}
