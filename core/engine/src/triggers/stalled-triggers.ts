/**
 * The orders of one contract whose price was reached and that could not act, or only in part. A round of prices begins a pass over them: the one whose last try is the
 * oldest is tried first, and what still cannot act goes to the end. A pass is over when each was tried, or when a number of them in a row could not act: in an
 * empty book a round costs the same however many wait.
 */
import type { OrderId } from '@orrery/units';
import type { StallReason } from '@orrery/protocol';
import { STALLED_MISSES_PER_ROUND } from '@orrery/rules';

/** How far a pass has come. */
export interface StalledPass {
  /** How many it may try yet. */
  readonly left: number;
  /** How many in a row could not act. */
  readonly misses: number;
}

export class StalledTriggers {
  /** In the order in which they are tried. */
  readonly #reasons = new Map<OrderId, StallReason>();
  #left = 0;
  #misses = 0;

  /** Behind all others. */
  add(id: OrderId, reason: StallReason): void {
    this.#reasons.set(id, reason);
  }

  remove(id: OrderId): void {
    this.#delete(id);
  }

  has(id: OrderId): boolean {
    return this.#reasons.has(id);
  }

  /** A round of prices has come. */
  begin(): void {
    this.#left = this.#reasons.size;
    this.#misses = 0;
  }

  /** Whether a pass has one to try. */
  get isDue(): boolean {
    return this.#left > 0 && this.#misses < STALLED_MISSES_PER_ROUND;
  }

  /** The next one to try, which stands here no more; undefined when the pass is over. */
  takeNext(): StalledTrigger | undefined {
    const [first] = this.isDue ? this.#reasons : [];
    if (first === undefined) {
      this.#left = 0;
      return undefined;
    }
    const [orderId, reason] = first;
    this.#left -= 1;
    this.#delete(orderId);
    return { orderId, reason };
  }

  /** What came of the one that was taken last. */
  count(hasActed: boolean): void {
    this.#misses = hasActed ? 0 : this.#misses + 1;
  }

  /** A pass tries no more than wait: one that stalls later is not of it in place of one that has gone. */
  #delete(id: OrderId): void {
    this.#reasons.delete(id);
    this.#left = Math.min(this.#left, this.#reasons.size);
  }

  get pass(): StalledPass {
    return { left: this.#left, misses: this.#misses };
  }

  restore({ left, misses }: StalledPass): void {
    this.#left = left;
    this.#misses = misses;
  }

  /** In the order in which they are tried. */
  list(): readonly StalledTrigger[] {
    return [...this.#reasons].map(([orderId, reason]) => ({ orderId, reason }));
  }
}

export interface StalledTrigger {
  readonly orderId: OrderId;
  /** Why it could not act when it was tried last. */
  readonly reason: StallReason;
}
