/** For tests: the clock of history over a wall clock that jumps, and a monotonic one that only grows. */
import { HistoryClock } from '../history-clock.ts';

export class JumpingClock {
  #wall: number;
  #monotonic = 0;
  readonly #history = new HistoryClock({ wallMs: () => this.#wall, monotonicMs: () => this.#monotonic }, () => undefined);

  constructor(startsAt: number) {
    this.#wall = startsAt;
    this.nowMs();
  }

  /** What services are given. */
  readonly nowMs = (): number => this.#history.nowMs();

  /** What others go by, and what ends a session. */
  readonly wallMs = (): number => this.#wall;

  readonly monotonicMs = (): number => this.#monotonic;

  /** The wall clock alone: ahead, or back. */
  jump(ms: number): void {
    this.#wall += ms;
  }

  /** Time itself. */
  pass(ms: number): void {
    this.#wall += ms;
    this.#monotonic += ms;
  }
}
