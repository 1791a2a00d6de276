/**
 * The time of history: the wall clock while it is plausible. A clock that jumps far ahead would freeze history there, because history never runs
 * backwards, and would expire what has a term.
 */
import type { Clock } from './options.ts';

/** So far the wall clock may get ahead of the monotonic one: more than any correction by a time server, less than any term in the exchange. */
const AHEAD_MAX_MS = 60_000;
/** What was used of it comes back at this part of the time that passes: a clock that runs fast is found too. */
const REGAINED_PART = 0.01;

export class HistoryClock {
  readonly #clock: Clock;
  readonly #log: (line: string) => void;
  /** Wall time less monotonic time, at the last plausible reading. */
  #offset = 0;
  /** The highest plausible one. It does not sink with a clock that is set back: when that is corrected, the jump ahead is no error. */
  #highest = Number.NEGATIVE_INFINITY;
  /** What is above it is not plausible. The first reading always is: how long the exchange was stopped is not known. */
  #ceiling = Number.POSITIVE_INFINITY;
  #readAt = 0;
  #aheadMs = 0;

  constructor(clock: Clock, log: (line: string) => void) {
    this.#clock = clock;
    this.#log = log;
  }

  /** Unix milliseconds; after an implausible jump ahead those of the last plausible reading and the monotonic time since. May go back. */
  nowMs(): number {
    const monotonic = this.#clock.monotonicMs();
    const wall = this.#clock.wallMs();
    const offset = wall - monotonic;
    this.#ceiling = Math.min(this.#highest + AHEAD_MAX_MS, this.#ceiling + (monotonic - this.#readAt) * REGAINED_PART);
    this.#readAt = monotonic;
    if (this.#highest === Number.NEGATIVE_INFINITY) this.#ceiling = offset + AHEAD_MAX_MS;
    if (offset > this.#ceiling) return this.#refuse(offset, monotonic);
    if (this.#aheadMs > 0) this.#log('the wall clock is plausible again: history goes by it');
    this.#aheadMs = 0;
    this.#offset = offset;
    this.#highest = Math.max(this.#highest, offset);
    return wall;
  }

  /** How far the wall clock is ahead of the time of history because its jump was refused, in whole milliseconds; else 0. */
  aheadMs(): number {
    this.nowMs();
    return this.#aheadMs;
  }

  #refuse(offset: number, monotonic: number): number {
    const ahead = Math.ceil(offset - this.#offset);
    if (this.#aheadMs === 0) {
      this.#log(
        `the wall clock is ${Math.round(ahead / 1_000)} s ahead, ${AHEAD_MAX_MS / 1_000} s are plausible: history goes by the monotonic clock. ` +
          'Correct the wall clock; if it is right, restart the exchange',
      );
    }
    this.#aheadMs = ahead;
    return Math.floor(monotonic + this.#offset);
  }
}
