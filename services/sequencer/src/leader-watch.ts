/** Whether the heart that leads is alive, by its beats and the reader's own monotonic clock. */
import type { Clock } from './options.ts';
import type { Leader } from './store.ts';

/** Without a beat for so long, a heart is taken for dead. */
const LATE_MS = 2_000;
/** Between two looks no more counts: a reader that stood still itself has seen nothing meanwhile. */
const COUNTED_MS = 500;

export class LeaderWatch {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  #seen: Leader | undefined;
  #lookedAt = 0;
  #silentMs = 0;

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock;
  }

  /** @returns whether another heart may take the next epoch now */
  see(leader: Leader): boolean {
    const now = this.#clock.monotonicMs();
    const before = this.#seen;
    const isSilent = before?.epoch === leader.epoch && before.beats === leader.beats;
    this.#silentMs = isSilent ? this.#silentMs + Math.min(now - this.#lookedAt, COUNTED_MS) : 0;
    this.#seen = leader;
    this.#lookedAt = now;
    return leader.hasResigned || this.#silentMs >= LATE_MS;
  }

  /** No look succeeds: what was counted so far holds, and the time until the next look does not count. */
  blind(): void {
    this.#lookedAt = this.#clock.monotonicMs();
  }
}
