/** From start to stop: pauses that end early when it is over, and rounds that survive what goes wrong in them. */
import { CallError } from '@orrery/sdk';

const FAILURE_PAUSE_MS = 1_000;

export class Life {
  readonly #over = new AbortController();
  readonly #log: (line: string) => void;

  constructor(log: (line: string) => void) {
    this.#log = log;
  }

  get isOver(): boolean {
    return this.#over.signal.aborted;
  }

  end(): void {
    this.#over.abort();
  }

  /** Resolves after the pause, or at once when it is over. */
  pause(ms: number): Promise<void> {
    const { signal } = this.#over;
    return new Promise((resolve) => {
      const timer = setTimeout(done, ms);
      function done(): void {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        resolve();
      }
      signal.addEventListener('abort', done);
      if (signal.aborted) done();
    });
  }

  /** Does something until it succeeds or all is over. @returns undefined when it is over first. */
  async persist<Result>(what: string, attempt: () => Promise<Result>): Promise<Result | undefined> {
    while (!this.isOver) {
      try {
        return await attempt();
      } catch (error) {
        await this.failed(what, error);
      }
    }
    return undefined;
  }

  /** Logs a failure and waits as long as the exchange requests, or a moment. */
  async failed(what: string, error: unknown): Promise<void> {
    if (this.isOver) return;
    this.#log(`${what}: ${error instanceof Error ? error.message : String(error)}`);
    await this.pause((error instanceof CallError ? error.retryAfterMs : undefined) ?? FAILURE_PAUSE_MS);
  }
}
