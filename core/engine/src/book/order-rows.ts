/**
 * The resting orders, one row of 32 bytes each, so that one line of memory holds all of an order. A freed row is the next one taken,
 * while it is still in cache.
 *
 * Of four floats the first is the id and the second what remains; of eight ints over the same bytes the last four are the account,
 * the level and the neighbours. The numbers stand in the accessors as they are: a name for each would be a read of its own.
 */

/** The place of a resting order, valid until the order leaves the book. */
export type Slot = number;
export const NO_SLOT = -1;

const FREE = -1;
const FLOATS_A_ROW = 4;
const CAPACITY_MIN = 1_024;

export class OrderRows {
  #free: Slot = NO_SLOT;
  #made = 0;
  floats = new Float64Array(CAPACITY_MIN * FLOATS_A_ROW);
  ints = new Int32Array(this.floats.buffer);

  orderId(slot: Slot): number {
    return this.floats[slot * 4]!;
  }

  remaining(slot: Slot): number {
    return this.floats[slot * 4 + 1]!;
  }

  setRemaining(slot: Slot, lots: number): void {
    this.floats[slot * 4 + 1] = lots;
  }

  account(slot: Slot): number {
    return this.ints[slot * 8 + 4]!;
  }

  /** The level it stands on; below 0 while the row is free. */
  level(slot: Slot): number {
    return this.ints[slot * 8 + 5]!;
  }

  setLevel(slot: Slot, level: number): void {
    this.ints[slot * 8 + 5] = level;
  }

  /** The order behind it in the level's queue, or NO_SLOT. */
  next(slot: Slot): Slot {
    return this.ints[slot * 8 + 6]!;
  }

  setNext(slot: Slot, next: Slot): void {
    this.ints[slot * 8 + 6] = next;
  }

  /** The order before it in the level's queue, or NO_SLOT. */
  previous(slot: Slot): Slot {
    return this.ints[slot * 8 + 7]!;
  }

  setPrevious(slot: Slot, previous: Slot): void {
    this.ints[slot * 8 + 7] = previous;
  }

  /** @param account below 2^31 */
  take(orderId: number, account: number, remaining: number): Slot {
    const slot = this.#freeSlot();
    this.floats[slot * 4] = orderId;
    this.floats[slot * 4 + 1] = remaining;
    this.ints[slot * 8 + 4] = account;
    return slot;
  }

  release(slot: Slot): void {
    this.setLevel(slot, FREE);
    this.setNext(slot, this.#free);
    this.#free = slot;
  }

  #freeSlot(): Slot {
    const slot = this.#free;
    if (slot !== NO_SLOT) {
      this.#free = this.next(slot);
      return slot;
    }
    if (this.#made * FLOATS_A_ROW === this.floats.length) this.#grow();
    this.#made += 1;
    return this.#made - 1;
  }

  #grow(): void {
    const floats = new Float64Array(this.floats.length * 2);
    floats.set(this.floats);
    this.floats = floats;
    this.ints = new Int32Array(floats.buffer);
  }
}
