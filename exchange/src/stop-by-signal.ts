/** A program that is asked to stop: it takes its parts down in order, sooner when it is asked again, and has ended at a deadline whatever hangs. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Closing } from './closing.ts';

/** From the first signal to the end of the process. What the service manager waits before it kills must be above it. */
export const STOP_DEADLINE_MS = 60_000;
/** How long a part that is still starting is waited for. */
const STARTING_PATIENCE_MS = 10_000;

/** A terminal sends Ctrl-C to all that a command has started, and the launcher passes it on: what comes within this counts once. */
const SAME_SIGNAL_MS = 1_000;

interface StopOptions {
  readonly closing: Closing;
  readonly say: (line: string) => void;
  /** Settles when everything was started. */
  readonly starting: () => Promise<unknown>;
  readonly exit: (code: number) => void;
  readonly deadlineMs?: number;
  readonly sameSignalMs?: number;
}

export class StopBySignal {
  readonly #options: StopOptions;
  /** By the monotonic clock. */
  #askedAt: number | undefined;

  constructor(options: StopOptions) {
    this.#options = options;
  }

  get isStopping(): boolean {
    return this.#askedAt !== undefined;
  }

  /** For each signal that asks the program to stop. */
  async signal(): Promise<void> {
    const { closing, say, starting, exit, deadlineMs = STOP_DEADLINE_MS } = this.#options;
    if (this.#askedAt !== undefined) return this.#again(this.#askedAt);
    this.#askedAt = performance.now();
    say('stopping');
    const deadline = setTimeout(() => {
      say(`${closing.stopping ?? 'a part that was starting'} did not stop within ${deadlineMs / 1_000} s: ending without it`);
      exit(1);
    }, deadlineMs);
    await closing.run();
    await Promise.race([starting(), pause(STARTING_PATIENCE_MS)]);
    await closing.run();
    clearTimeout(deadline);
    exit(0);
  }

  #again(askedAt: number): void {
    const { closing, say, sameSignalMs = SAME_SIGNAL_MS } = this.#options;
    if (performance.now() - askedAt < sameSignalMs) return;
    say(`stopping sooner${closing.stopping === undefined ? '' : `, without waiting for ${closing.stopping}`}`);
    closing.hasten();
  }
}
