/** Limits the operations per second that all parts of the market-maker send together. */
export class Pace {
  readonly #perSecond: number;
  readonly #now: () => number;
  readonly #wait: (ms: number) => Promise<void>;
  /** When everything taken so far is paid for. */
  #paidAt = 0;

  constructor(options: { readonly perSecond: number; readonly now: () => number; readonly wait: (ms: number) => Promise<void> }) {
    this.#perSecond = options.perSecond;
    this.#now = options.now;
    this.#wait = options.wait;
  }

  /** Resolves when `count` operations may be made. */
  async take(count: number): Promise<void> {
    const now = this.#now();
    const start = Math.max(this.#paidAt, now);
    this.#paidAt = start + (count * 1_000) / this.#perSecond;
    if (start > now) await this.#wait(start - now);
  }
}
