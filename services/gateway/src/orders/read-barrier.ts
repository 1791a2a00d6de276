/** Read your own writes: a read waits, up to a limit, until its source includes `minSeq`. */
import { ApiError } from '@orrery/api';
import { systemTimer, type Timer } from '@orrery/foundation';
import type { Heart } from '@orrery/protocol';
import { seq } from '@orrery/units';
import type { Floor } from '../floor.ts';
import type { History } from '../ports.ts';

export class ReadBarrier {
  readonly #floor: Floor;
  readonly #history: History;
  readonly #waitMs: number;
  readonly #heart: Heart;
  readonly #timer: Timer;

  constructor(options: { heart: Heart; floor: Floor; history: History; waitMs: number; timer?: Timer }) {
    this.#heart = options.heart;
    this.#floor = options.floor;
    this.#history = options.history;
    this.#waitMs = options.waitMs;
    this.#timer = options.timer ?? systemTimer;
  }

  /**
   * A number that another process has answered may be ahead of what this one has followed.
   * @param field where the number stands in the request
   */
  async views(minSeq: number | undefined, field = 'minSeq'): Promise<void> {
    if (minSeq !== undefined && minSeq > this.#floor.seq && minSeq > this.#heart.status().seq && minSeq > (await this.#heart.end())) {
      throw new ApiError('MalformedField', { field, message: `${field} is not a number that history has reached` });
    }
    await this.#floor.reached(minSeq, this.#waitMs);
  }

  /** The views are as far as history was when this was called, whatever process has written it: before it is said that something is not there. */
  async latest(): Promise<void> {
    await this.#floor.reached(await this.#heart.end(), this.#waitMs);
  }

  /** What `look` finds, now or once the views are as far as history is now: another process may have answered the caller a moment ago. */
  async eventually<Found>(look: () => Promise<Found | undefined>): Promise<Found | undefined> {
    const { seq: before } = this.#floor;
    const found = await look();
    if (found !== undefined) return found;
    await this.latest();
    return this.#floor.seq === before ? undefined : look();
  }

  async history(minSeq: number | undefined): Promise<void> {
    if (minSeq === undefined) return;
    await this.views(minSeq);
    const late = Promise.withResolvers<never>();
    const takeBack = this.#timer(
      () => late.reject(new ApiError('NotNow', { retryAfterSeconds: 1, message: 'history is not as far as minSeq yet' })),
      this.#waitMs,
    );
    try {
      await Promise.race([this.#history.reached(seq(minSeq)), late.promise]);
    } finally {
      takeBack();
    }
  }
}
