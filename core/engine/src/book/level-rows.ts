/**
 * The price levels, one row of 32 bytes each. Of eight ints the first six are the key, the ends of the queue, the number of orders and the
 * neighbours in the chain; of four floats over the same bytes the last is the size. The numbers stand in the accessors as they are: a name
 * for each would be a read of its own.
 */
import type { Slot } from './order-rows.ts';

/** The place of a level, valid until its last order leaves. */
export type LevelSlot = number;
export const NO_LEVEL = -1;

const INTS_A_ROW = 8;
const CAPACITY_MIN = 256;

export class LevelRows {
  #free: LevelSlot = NO_LEVEL;
  #made = 0;
  ints = new Int32Array(CAPACITY_MIN * INTS_A_ROW);
  floats = new Float64Array(this.ints.buffer);

  key(level: LevelSlot): number {
    return this.ints[level * 8]!;
  }

  /** The first order in priority. */
  front(level: LevelSlot): Slot {
    return this.ints[level * 8 + 1]!;
  }

  setFront(level: LevelSlot, slot: Slot): void {
    this.ints[level * 8 + 1] = slot;
  }

  back(level: LevelSlot): Slot {
    return this.ints[level * 8 + 2]!;
  }

  setBack(level: LevelSlot, slot: Slot): void {
    this.ints[level * 8 + 2] = slot;
  }

  /** How many orders stand on it. */
  orders(level: LevelSlot): number {
    return this.ints[level * 8 + 3]!;
  }

  setOrders(level: LevelSlot, orders: number): void {
    this.ints[level * 8 + 3] = orders;
  }

  better(level: LevelSlot): LevelSlot {
    return this.ints[level * 8 + 4]!;
  }

  setBetter(level: LevelSlot, better: LevelSlot): void {
    this.ints[level * 8 + 4] = better;
  }

  worse(level: LevelSlot): LevelSlot {
    return this.ints[level * 8 + 5]!;
  }

  setWorse(level: LevelSlot, worse: LevelSlot): void {
    this.ints[level * 8 + 5] = worse;
  }

  /** Lots on the level. */
  size(level: LevelSlot): number {
    return this.floats[level * 4 + 3]!;
  }

  addSize(level: LevelSlot, lots: number): void {
    this.floats[level * 4 + 3]! += lots;
  }

  removeSize(level: LevelSlot, lots: number): void {
    this.floats[level * 4 + 3]! -= lots;
  }

  /** A level without orders. */
  take(key: number): LevelSlot {
    const level = this.#freeRow();
    this.ints[level * 8] = key;
    this.ints[level * 8 + 3] = 0;
    this.floats[level * 4 + 3] = 0;
    return level;
  }

  release(level: LevelSlot): void {
    this.setWorse(level, this.#free);
    this.#free = level;
  }

  #freeRow(): LevelSlot {
    const level = this.#free;
    if (level !== NO_LEVEL) {
      this.#free = this.worse(level);
      return level;
    }
    if (this.#made * INTS_A_ROW === this.ints.length) this.#grow();
    this.#made += 1;
    return this.#made - 1;
  }

  #grow(): void {
    const ints = new Int32Array(this.ints.length * 2);
    ints.set(this.ints);
    this.ints = ints;
    this.floats = new Float64Array(ints.buffer);
  }
}
