/**
 * Order id to slot for orders of any age: an open-addressing hash whose size follows the number of its orders.
 * A cell is a slot beside the low half of the order's id: one line of memory answers, and the order's own row has the last word.
 */
import { assert } from '@orrery/units';
import { NO_SLOT, type BookRows, type Slot } from './book-rows.ts';

const CELLS_MIN = 256;
/** In the place of slot + 1. */
const EMPTY = 0;

export class OrderHash {
  readonly #rows: BookRows;
  /** Two numbers a cell: slot + 1, and the low 32 bits of the id. */
  #cells = new Int32Array(CELLS_MIN * 2);
  #mask = CELLS_MIN - 1;
  #shift = Math.clz32(CELLS_MIN - 1);
  #count = 0;

  constructor(rows: BookRows) {
    this.#rows = rows;
  }

  get size(): number {
    return this.#count;
  }

  /** The order's slot, or NO_SLOT. */
  find(orderId: number): Slot {
    const low = orderId | 0;
    for (let cell = this.#home(low); ; cell = (cell + 1) & this.#mask) {
      const entry = this.#cells[cell * 2]!;
      if (entry === EMPTY) return NO_SLOT;
      if (this.#cells[cell * 2 + 1] === low && this.#rows.orderId(entry - 1) === orderId) return entry - 1;
    }
  }

  /** Enters an order whose row has its id already. */
  insert(orderId: number, slot: Slot): void {
    if (this.#count * 2 > this.#mask) this.#resize((this.#mask + 1) * 2);
    this.#count += 1;
    const cells = this.#cells;
    const low = orderId | 0;
    let cell = this.#home(low);
    for (; cells[cell * 2] !== EMPTY; cell = (cell + 1) & this.#mask) {
      assert(cells[cell * 2 + 1] !== low || this.#rows.orderId(cells[cell * 2]! - 1) !== orderId, 'an order id stands in the book once');
    }
    cells[cell * 2] = slot + 1;
    cells[cell * 2 + 1] = low;
  }

  delete(orderId: number, slot: Slot): void {
    const cells = this.#cells;
    const mask = this.#mask;
    let gap = this.#home(orderId | 0);
    while (cells[gap * 2] !== slot + 1) {
      assert(cells[gap * 2] !== EMPTY, 'the deleted order is in the index');
      gap = (gap + 1) & mask;
    }
    // Close the gap: an entry further on moves into it unless that would put it before its home.
    for (let next = (gap + 1) & mask; cells[next * 2] !== EMPTY; next = (next + 1) & mask) {
      const low = cells[next * 2 + 1]!;
      const fromHome = (next - this.#home(low)) & mask;
      if (fromHome < ((next - gap) & mask)) continue;
      cells[gap * 2] = cells[next * 2]!;
      cells[gap * 2 + 1] = low;
      gap = next;
    }
    cells[gap * 2] = EMPTY;
    this.#count -= 1;
    if (this.#count * 16 < mask && mask >= CELLS_MIN) this.#resize((mask + 1) / 2);
  }

  // Fibonacci hashing: ids are given in sequence, and their multiples of the golden ratio lie far apart.
  #home(low: number): number {
    return Math.imul(low, 0x9e3779b1) >>> this.#shift;
  }

  /** The slots of all its orders. */
  *slots(): Generator<Slot> {
    for (let at = 0; at < this.#cells.length; at += 2) {
      const entry = this.#cells[at]!;
      if (entry !== EMPTY) yield entry - 1;
    }
  }

  #resize(capacity: number): void {
    const old = this.#cells;
    const cells = new Int32Array(capacity * 2);
    this.#cells = cells;
    this.#mask = capacity - 1;
    this.#shift = Math.clz32(capacity - 1);
    for (let at = 0; at < old.length; at += 2) {
      if (old[at] === EMPTY) continue;
      let cell = this.#home(old[at + 1]!);
      while (cells[cell * 2] !== EMPTY) cell = (cell + 1) & this.#mask;
      cells[cell * 2] = old[at]!;
      cells[cell * 2 + 1] = old[at + 1]!;
    }
  }
}
