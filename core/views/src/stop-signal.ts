/**
 * Signals waiters of something else to stop. A race against one promise that lives as long as its owner would keep alive
 * whatever won any of the races: until it is settled, a promise knows all who have waited for it.
 */
export class StopSignal {
  readonly #waiting = new Set<() => void>();
  #isStopped = false;

  get isStopped(): boolean {
    return this.#isStopped;
  }

  stop(): void {
    this.#isStopped = true;
    for (const emit of this.#waiting) emit();
  }

  /** The result of `work`, or `stopped` if that comes first; `work` is not awaited any longer then. */
  async race<Value>(work: Promise<Value>): Promise<Value | 'stopped'> {
    const { promise, resolve } = Promise.withResolvers<'stopped'>();
    const emit = (): void => resolve('stopped');
    this.#waiting.add(emit);
    if (this.#isStopped) emit();
    try {
      return await Promise.race([work, promise]);
    } finally {
      this.#waiting.delete(emit);
    }
  }
}
