/** The time of spans, unix milliseconds with a fraction: steady within a request, and that of the world, so that spans of several processes stand beside each other. */

/** The wall clock was set, or the steady one has drifted. */
const DRIFT_MS = 20;

export class SpanClock {
  readonly #wallMs: () => number;
  readonly #monotonicMs: () => number;
  #offset: number;

  /** @param originMs when the monotonic clock was 0; unix milliseconds */
  constructor({ wallMs, monotonicMs, originMs }: { wallMs: () => number; monotonicMs: () => number; originMs: number }) {
    this.#wallMs = wallMs;
    this.#monotonicMs = monotonicMs;
    this.#offset = originMs;
  }

  nowMs(): number {
    const steady = this.#monotonicMs();
    const wall = this.#wallMs();
    if (Math.abs(wall - this.#offset - steady) > DRIFT_MS) this.#offset = wall - steady;
    return this.#offset + steady;
  }
}
