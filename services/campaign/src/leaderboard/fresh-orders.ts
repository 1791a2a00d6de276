/** Which orders came a moment ago. Order ids rise with time: it is enough to know the first of each moment, and nothing is kept of an order. */
import type { OrderId } from '@orrery/units';

/** Passed entries are dropped in pieces of this size. */
const DROP_EVERY = 1_024;

export class FreshOrders {
  readonly #freshMs: number;
  /** Oldest first. */
  #moments: { readonly at: number; readonly first: OrderId }[] = [];
  #passed = 0;

  constructor(freshMs: number) {
    this.#freshMs = freshMs;
  }

  /** In the order in which they were accepted. */
  accepted(order: OrderId, at: number): void {
    const last = this.#moments[this.#moments.length - 1];
    if (last !== undefined && at < last.at) {
      // History is read again from an earlier offset: start from scratch.
      this.#moments = [];
      this.#passed = 0;
    }
    if (last?.at !== at) this.#moments.push({ at, first: order });
  }

  /** Whether it was accepted no longer ago; false for orders older than all known ones. `now` never decreases. */
  isFresh(order: OrderId, now: number): boolean {
    let moment = this.#moments[this.#passed];
    while (moment !== undefined && moment.at < now - this.#freshMs) {
      this.#passed += 1;
      moment = this.#moments[this.#passed];
    }
    if (this.#passed >= DROP_EVERY) {
      this.#moments = this.#moments.slice(this.#passed);
      this.#passed = 0;
    }
    return moment !== undefined && order >= moment.first;
  }
}
