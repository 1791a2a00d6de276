/** The resting orders as columns. A slot is one order's row; a freed row is the next one taken, while it is still in cache. */
import { grownFloats, grownInts } from './column.ts';

/** The place of a resting order, valid until the order leaves the book. */
export type Slot = number;
export const NO_SLOT = -1;

export class OrderSlots {
  #capacity = 1024;
  #free: Slot = NO_SLOT;
  #made = 0;

  orderId = new Float64Array(this.#capacity);
  account = new Float64Array(this.#capacity);
  remaining = new Float64Array(this.#capacity);
  /** 0 buy, 1 sell; -1 while the slot is free. */
  side = new Int32Array(this.#capacity);
  level = new Int32Array(this.#capacity);
  /** Neighbours in the level's queue. */
  next = new Int32Array(this.#capacity);
  previous = new Int32Array(this.#capacity);

  take(): Slot {
    if (this.#free !== NO_SLOT) {
      const slot = this.#free;
      this.#free = this.next[slot]!;
      return slot;
    }
    if (this.#made === this.#capacity) this.#grow();
    this.#made += 1;
    return this.#made - 1;
  }

  release(slot: Slot): void {
    this.side[slot] = -1;
    this.next[slot] = this.#free;
    this.#free = slot;
  }

  #grow(): void {
    this.#capacity *= 2;
    this.orderId = grownFloats(this.orderId, this.#capacity);
    this.account = grownFloats(this.account, this.#capacity);
    this.remaining = grownFloats(this.remaining, this.#capacity);
    this.side = grownInts(this.side, this.#capacity);
    this.level = grownInts(this.level, this.#capacity);
    this.next = grownInts(this.next, this.#capacity);
    this.previous = grownInts(this.previous, this.#capacity);
  }
}
