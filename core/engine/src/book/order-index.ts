/** Order id to slot: an open-addressing hash whose size follows the number of live orders, so that it stays in cache. */
import { assert } from '@orrery/units';
import type { OrderId } from '@orrery/units';

const NOT_FOUND = -1;
const CAPACITY_MIN = 256;
/** No order has this id. */
const EMPTY = 0;

export class OrderIndex {
  #ids = new Float64Array(CAPACITY_MIN);
  #slots = new Int32Array(CAPACITY_MIN);
  #mask = CAPACITY_MIN - 1;
  #shift = Math.clz32(CAPACITY_MIN - 1);
  #count = 0;

  get size(): number {
    return this.#count;
  }

  /** The order's slot, or -1. */
  find(orderId: OrderId): number {
    const ids = this.#ids;
    for (let cell = this.#home(orderId); ; cell = (cell + 1) & this.#mask) {
      const id = ids[cell]!;
      if (id === orderId) return this.#slots[cell]!;
      if (id === EMPTY) return NOT_FOUND;
    }
  }

  insert(orderId: OrderId, slot: number): void {
    if (this.#count * 2 >= this.#ids.length) this.#resize(this.#ids.length * 2);
    this.#count += 1;
    this.#put(orderId, slot);
  }

  delete(orderId: OrderId): void {
    const ids = this.#ids;
    const mask = this.#mask;
    let cell = this.#home(orderId);
    while (ids[cell] !== orderId) {
      assert(ids[cell] !== EMPTY, 'the deleted order is in the index');
      cell = (cell + 1) & mask;
    }
    // Close the gap: an entry further on moves into it unless that would put it before its home.
    let gap = cell;
    for (let next = (gap + 1) & mask; ids[next] !== EMPTY; next = (next + 1) & mask) {
      const fromHome = (next - this.#home(ids[next]!)) & mask;
      if (fromHome < ((next - gap) & mask)) continue;
      ids[gap] = ids[next]!;
      this.#slots[gap] = this.#slots[next]!;
      gap = next;
    }
    ids[gap] = EMPTY;
    this.#count -= 1;
    if (this.#count * 16 < ids.length && ids.length > CAPACITY_MIN) this.#resize(ids.length / 2);
  }

  // Fibonacci hashing of the low 32 bits: ids are given in sequence, so two live ones never differ by 2^32 alone.
  #home(id: number): number {
    return Math.imul(id, 0x9e3779b1) >>> this.#shift;
  }

  #put(id: number, slot: number): void {
    const ids = this.#ids;
    let cell = this.#home(id);
    while (ids[cell] !== EMPTY) {
      assert(ids[cell] !== id, 'an order id stands in the book once');
      cell = (cell + 1) & this.#mask;
    }
    ids[cell] = id;
    this.#slots[cell] = slot;
  }

  #resize(capacity: number): void {
    const ids = this.#ids;
    const slots = this.#slots;
    this.#ids = new Float64Array(capacity);
    this.#slots = new Int32Array(capacity);
    this.#mask = capacity - 1;
    this.#shift = Math.clz32(capacity - 1);
    for (let cell = 0; cell < ids.length; cell += 1) {
      if (ids[cell] !== EMPTY) this.#put(ids[cell]!, slots[cell]!);
    }
  }
}
