/** Since when history in SQL is incomplete. No event signals that it falls behind: it is polled. */

/** Shorter than that it is on its way. */
const PATIENCE_MS = 5_000;

/** One moment by two clocks: the wall clock can be set, so durations use the monotonic one. */
export interface Moment {
  /** Unix milliseconds. */
  readonly at: number;
  /** Milliseconds of a clock that only grows. */
  readonly uptime: number;
}

export interface Sight extends Moment {
  /** The newest command that is written. */
  readonly written: number;
  /** The newest durable command. */
  readonly durable: number;
}

export class Freshness {
  /** Everything that was durable by then is written. */
  #complete: Moment;
  /** What was durable at the earliest sight that is not written yet. */
  #awaited: Sight | undefined;

  /** @param start history is taken as complete then */
  constructor(start: Moment) {
    this.#complete = start;
  }

  see(sight: Sight): void {
    if (this.#awaited !== undefined && sight.written >= this.#awaited.durable) {
      this.#complete = this.#awaited;
      this.#awaited = undefined;
    }
    if (sight.written >= sight.durable) this.#complete = sight;
    else this.#awaited ??= sight;
  }

  /** The time (unix milliseconds) up to which history is complete; undefined while it lacks nothing, or not for long. */
  staleSince(uptime: number): number | undefined {
    return this.#awaited !== undefined && uptime - this.#complete.uptime > PATIENCE_MS ? this.#complete.at : undefined;
  }
}

/** Why history is not ready, in one sentence; undefined while it is. @param since unix milliseconds, as `staleSince` says */
export const staleness = (since: number | undefined): string | undefined =>
  since === undefined ? undefined : `history is stale since ${new Date(since).toISOString()}: what came later is not written yet`;
