/** Which orders came a moment ago. Order ids rise with time: it is enough to know the first of each moment, and nothing is kept of an order. */
import type { OrderId } from '@orrery/units';

/** What was passed is dropped in pieces of so many. */
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
      // History is told again: it is as if nothing had been told.
      this.#moments = [];
      this.#passed = 0;
    }
    if (last?.at !== at) this.#moments.push({ at, first: order });
  }

  /** Whether it was accepted no longer ago; of orders from before all that were told of, not. `now` never falls. */
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
