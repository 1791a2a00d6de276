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

export class Closing {
  readonly #started: Stoppable[] = [];
  readonly #onTrouble: (part: string, error: unknown) => void;
  readonly #limits: { readonly partMs: number; readonly allMs: number; readonly leastMs: number };
  #done: Promise<void> | undefined;

  constructor(onTrouble: (part: string, error: unknown) => void, limits: { partMs: number; allMs: number; leastMs: number } = STOP_LIMITS) {
    this.#onTrouble = onTrouble;
    this.#limits = limits;
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

  async #stopAll(): Promise<void> {
    const { partMs, allMs, leastMs } = this.#limits;
    const deadline = performance.now() + allMs;
    for (let part = this.#started.pop(); part !== undefined; part = this.#started.pop()) {
      try {
        await within(Math.min(partMs, Math.max(leastMs, deadline - performance.now())), part);
      } catch (error) {
        this.#onTrouble(part.name, error);
      }
    }
  }
}

async function within(limitMs: number, part: Stoppable): Promise<void> {
  const waiting = new AbortController();
  const stopped = Promise.resolve(part.stop());
  const late = pause(limitMs, undefined, { signal: waiting.signal }).then(() => {
    throw new Error(`it was left behind after ${limitMs.toFixed(0)} ms`);
  });
  // Of the two the loser is not waited for.
  for (const each of [stopped, late]) each.catch(() => undefined);
  try {
    await Promise.race([stopped, late]);
  } finally {
    waiting.abort();
  }
}
