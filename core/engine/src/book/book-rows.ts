/**
 * The rows of a book, 32 bytes each: one line of memory holds all of an order, or of a price level. A level and its orders form a ring, in which
 * the level stands before its first order and behind its last one: who joins or leaves has a neighbour on both sides, and no end to ask for.
 * A freed row is the next one taken, while it is still in cache.
 *
 *         float 0   float 1           int 4     int 5    int 6       int 7
 * order   id        remaining         account   level    next        previous
 * level   size      orders, key       better    worse    first       last
 * free                                          -1       next free
 *
 * Two ints lie over each float; the numbers of orders and the key are ints 2 and 3. The numbers stand in the code as they are: a name for each
 * would be a read of its own.
 */

/** The place of a resting order, valid until the order leaves the book. */
export type Slot = number;
export const NO_SLOT = -1;

/** The place of a level, valid until its last order leaves. */
export type LevelSlot = number;
export const NO_LEVEL = -1;

const FREE = -1;
const FLOATS_A_ROW = 4;
const CAPACITY_MIN = 1_024;

export class BookRows {
  #free = NO_SLOT;
  #made = 0;
  floats = new Float64Array(CAPACITY_MIN * FLOATS_A_ROW);
  ints = new Int32Array(this.floats.buffer);

  orderId(slot: Slot): number {
    return this.floats[slot * 4]!;
  }

  remaining(slot: Slot): number {
    return this.floats[slot * 4 + 1]!;
  }

  account(slot: Slot): number {
    return this.ints[slot * 8 + 4]!;
  }

  /** The level an order stands on; below 0 while the row is free. */
  level(slot: Slot): LevelSlot {
    return this.ints[slot * 8 + 5]!;
  }

  /** What comes behind an order, or behind the level before its first order: an order, or the level again. */
  next(row: Slot): Slot {
    return this.ints[row * 8 + 6]!;
  }

  /** Lots on a level. */
  size(level: LevelSlot): number {
    return this.floats[level * 4]!;
  }

  /** How many orders stand on a level. */
  orders(level: LevelSlot): number {
    return this.ints[level * 8 + 2]!;
  }

  key(level: LevelSlot): number {
    return this.ints[level * 8 + 3]!;
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

  /** Puts an order behind the others of its level. @param account below 2^31 */
  join(level: LevelSlot, orderId: number, account: number, remaining: number): Slot {
    const slot = this.#take();
    const { floats, ints } = this;
    const order = slot * 8;
    const line = level * 8;
    const last = ints[line + 7]!;
    floats[slot * 4] = orderId;
    floats[slot * 4 + 1] = remaining;
    ints[order + 4] = account;
    ints[order + 5] = level;
    ints[order + 6] = level;
    ints[order + 7] = last;
    ints[last * 8 + 6] = slot;
    ints[line + 7] = slot;
    ints[line + 2]! += 1;
    floats[level * 4]! += remaining;
    return slot;
  }

  /** Takes lots off an order, less than it has. */
  reduce(level: LevelSlot, slot: Slot, by: number): void {
    const { floats } = this;
    floats[slot * 4 + 1]! -= by;
    floats[level * 4]! -= by;
  }

  /** Removes an order with all its lots from its level and frees its row. Returns the number of orders left in the level. */
  leave(level: LevelSlot, slot: Slot): number {
    const { floats, ints } = this;
    const order = slot * 8;
    const next = ints[order + 6]!;
    const previous = ints[order + 7]!;
    ints[previous * 8 + 6] = next;
    ints[next * 8 + 7] = previous;
    floats[level * 4]! -= floats[slot * 4 + 1]!;
    ints[order + 5] = FREE;
    ints[order + 6] = this.#free;
    this.#free = slot;
    const orders = ints[level * 8 + 2]! - 1;
    ints[level * 8 + 2] = orders;
    return orders;
  }

  /** A level without orders and without neighbours. */
  open(key: number): LevelSlot {
    const level = this.#take();
    const { floats, ints } = this;
    floats[level * 4] = 0;
    ints[level * 8 + 2] = 0;
    ints[level * 8 + 3] = key;
    ints[level * 8 + 4] = NO_LEVEL;
    ints[level * 8 + 5] = NO_LEVEL;
    ints[level * 8 + 6] = level;
    ints[level * 8 + 7] = level;
    return level;
  }

  /** Frees the row of a level without orders. */
  close(level: LevelSlot): void {
    this.ints[level * 8 + 5] = FREE;
    this.ints[level * 8 + 6] = this.#free;
    this.#free = level;
  }

  #take(): number {
    const row = this.#free;
    if (row === NO_SLOT) return this.#make();
    this.#free = this.ints[row * 8 + 6]!;
    return row;
  }

  #make(): number {
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
