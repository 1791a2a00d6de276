/** Read your own writes: a read waits until what it reads from includes `minSeq`, and not for ever. */
import { ApiError } from '@orrery/api';
import { seq } from '@orrery/units';
import type { Floor } from './floor.ts';
import type { History } from './ports.ts';

export class ReadBarrier {
  readonly #floor: Floor;
  readonly #history: History;
  readonly #waitMs: number;

  constructor(options: { floor: Floor; history: History; waitMs: number }) {
    this.#floor = options.floor;
    this.#history = options.history;
    this.#waitMs = options.waitMs;
  }

  views(minSeq: number | undefined): Promise<void> {
    return this.#floor.reached(minSeq, this.#waitMs);
  }

  async history(minSeq: number | undefined): Promise<void> {
    if (minSeq === undefined) return;
    // A number from the future would wait in vain: the views know sooner than history.
    await this.views(minSeq);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new ApiError('NotNow', { retryAfterSeconds: 1, message: 'history is not as far as minSeq yet' })), this.#waitMs);
    });
    try {
      await Promise.race([this.#history.reached(seq(minSeq)), late]);
    } finally {
      clearTimeout(timer);
    }
  }
}
