/**
 * What was started is stopped in the reverse order, each part once, whatever the others do. A part that waits for what does not answer is left behind: the
 * parts below it, the journal the last, still stop.
 */
import { setTimeout as pause } from 'node:timers/promises';

/** One part may take this long, and all of them together; then each has a moment. */
export const STOP_LIMITS = { partMs: 15_000, allMs: 45_000, leastMs: 1_000 } as const;

export interface Stoppable {
  readonly name: string;
  stop(): Promise<void> | void;
}

interface StopLimits {
  readonly partMs: number;
  readonly allMs: number;
  readonly leastMs: number;
}

export class Closing {
  readonly #started: Stoppable[] = [];
  readonly #onTrouble: (part: string, error: unknown) => void;
  readonly #limits: StopLimits;
  readonly #haste = Promise.withResolvers<void>();
  #isHasty = false;
  #stopping: string | undefined;
  #done: Promise<void> | undefined;

  constructor(onTrouble: (part: string, error: unknown) => void, limits: StopLimits = STOP_LIMITS) {
    this.#onTrouble = onTrouble;
    this.#limits = limits;
  }

  /** The part that is being stopped; undefined when none is. */
  get stopping(): string | undefined {
    return this.#stopping;
  }

  /** A part that finishes starting after the stop began is stopped at once. */
  add(part: Stoppable): void {
    this.#started.push(part);
    if (this.#done !== undefined) this.#done = this.#done.then(() => this.#stopAll());
  }

  async run(): Promise<void> {
    this.#done ??= this.#stopAll();
    let waitedFor: Promise<void> | undefined;
    while (waitedFor !== this.#done) {
      waitedFor = this.#done;
      await waitedFor;
    }
  }

  /** From here on each part has a moment: the one that is being stopped has it from now. */
  hasten(): void {
    this.#isHasty = true;
    this.#haste.resolve();
  }

  async #stopAll(): Promise<void> {
    const { partMs, allMs, leastMs } = this.#limits;
    const deadline = performance.now() + allMs;
    for (let part = this.#started.pop(); part !== undefined; part = this.#started.pop()) {
      this.#stopping = part.name;
      const limitMs = this.#isHasty ? leastMs : Math.min(partMs, Math.max(leastMs, deadline - performance.now()));
      try {
        await this.#within(limitMs, part);
      } catch (error) {
        this.#onTrouble(part.name, error);
      }
    }
    this.#stopping = undefined;
  }

  async #within(limitMs: number, part: Stoppable): Promise<void> {
    const waiting = new AbortController();
    const { signal } = waiting;
    const leaveBehind = (afterMs: number): never => {
      throw new Error(`it was left behind after ${afterMs.toFixed(0)} ms`);
    };
    const stopped = Promise.resolve(part.stop());
    const late = pause(limitMs, undefined, { signal }).then(() => leaveBehind(limitMs));
    const hasty = this.#haste.promise
      .then(() => pause(this.#limits.leastMs, undefined, { signal }))
      .then(() => leaveBehind(this.#limits.leastMs));
    // Of these the losers are not waited for.
    for (const each of [stopped, late, hasty]) each.catch(() => undefined);
    try {
      await Promise.race([stopped, late, hasty]);
    } finally {
      waiting.abort();
    }
  }
}
