/** Since when history in SQL lacks something. Nobody tells when it falls behind: it is looked at now and then. */

/** Shorter than that it is on its way. */
const PATIENCE_MS = 5_000;

export interface Sight {
  /** Unix milliseconds. */
  readonly at: number;
  /** The newest command that is written. */
  readonly written: number;
  /** The newest durable command. */
  readonly durable: number;
}

export class Freshness {
  /** Everything that was durable by then is written. */
  #completeAt: number;
  /** What was durable at the earliest sight that is not written yet. */
  #awaited: Sight | undefined;

  /** @param at unix milliseconds: history is taken as complete then */
  constructor(at: number) {
    this.#completeAt = at;
  }

  see(sight: Sight): void {
    if (this.#awaited !== undefined && sight.written >= this.#awaited.durable) {
      this.#completeAt = this.#awaited.at;
      this.#awaited = undefined;
    }
    if (sight.written >= sight.durable) this.#completeAt = sight.at;
    else this.#awaited ??= sight;
  }

  /** The time up to which history is complete; undefined while it lacks nothing, or not for long. */
  staleSince(at: number): number | undefined {
    return this.#awaited !== undefined && at - this.#completeAt > PATIENCE_MS ? this.#completeAt : undefined;
  }
}
