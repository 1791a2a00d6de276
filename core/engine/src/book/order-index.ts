/**
 * Order id to slot. Ids are given in sequence, so the orders that came last have neighbouring ids: a window over them finds an order by the low
 * bits of its id, in one read and without a search. An older order whose place in the window is wanted by a newer one moves into a hash.
 */
import { assert } from '@orrery/units';
import type { OrderId } from '@orrery/units';
import { OrderHash } from './order-hash.ts';
import { NO_SLOT, type BookRows, type Slot } from './book-rows.ts';

const WINDOW_MIN = 4_096;
/** At most so many places for each live order: memory follows the book, however many ids have been given. */
const PLACES_AN_ORDER = 8;
/** One part in so many of the orders may be in the hash before the window grows. */
const HASHED_PART = 4;
/** In the place of slot + 1. */
const EMPTY = 0;

export class OrderIndex {
  readonly #rows: BookRows;
  #old: OrderHash;
  /** Slot + 1 at the low bits of the id. */
  #window = new Int32Array(WINDOW_MIN);
  #mask = WINDOW_MIN - 1;
  #count = 0;
  /** With fewer orders the window becomes shorter. */
  #countMin = 0;
  /** The highest id ever entered. */
  #newest = 0;

  constructor(rows: BookRows) {
    this.#rows = rows;
    this.#old = new OrderHash(rows);
  }

  get size(): number {
    return this.#count;
  }

  /** Of the window: each is four bytes. At most 32 for each live order, or as many as there are at first. */
  get places(): number {
    return this.#window.length;
  }

  /** The order's slot, or NO_SLOT. */
  find(orderId: OrderId): Slot {
    const entry = this.#window[orderId & this.#mask]!;
    return entry !== EMPTY && this.#rows.orderId(entry - 1) === orderId ? entry - 1 : this.#old.find(orderId);
  }

  /** Enters an order whose row has its id already. */
  insert(orderId: OrderId, slot: Slot): void {
    // Most orders are newer than all others: only the few that are not can stand in the book already.
    if (orderId > this.#newest) this.#newest = orderId;
    else assert(this.find(orderId) === NO_SLOT, 'an order id stands in the book once');
    this.#count += 1;
    const place = orderId & this.#mask;
    if (this.#window[place] === EMPTY) this.#window[place] = slot + 1;
    else this.#displace(orderId, slot);
  }

  delete(orderId: number, slot: Slot): void {
    const place = orderId & this.#mask;
    if (this.#window[place] === slot + 1) this.#window[place] = EMPTY;
    else this.#old.delete(orderId, slot);
    this.#count -= 1;
    if (this.#count < this.#countMin) this.#resize(this.#window.length / 2);
  }

  /** Enters an order in the place of an older one. */
  #displace(orderId: number, slot: Slot): void {
    this.#enter(orderId, slot);
    if (this.#old.size * HASHED_PART > this.#count && this.#window.length < this.#count * PLACES_AN_ORDER)
      this.#resize(this.#window.length * 2);
  }

  #enter(orderId: number, slot: Slot): void {
    const place = orderId & this.#mask;
    const entry = this.#window[place]!;
    if (entry !== EMPTY) this.#old.insert(this.#rows.orderId(entry - 1), entry - 1);
    this.#window[place] = slot + 1;
  }

  #resize(places: number): void {
    const window = this.#window;
    const old = this.#old;
    this.#window = new Int32Array(places);
    this.#mask = places - 1;
    // Well below the size at which it grew.
    this.#countMin = places === WINDOW_MIN ? 0 : places / (PLACES_AN_ORDER * 4);
    this.#old = new OrderHash(this.#rows);
    // Those of the window last: they are the newer ones.
    for (const slot of old.slots()) this.#enter(this.#rows.orderId(slot), slot);
    for (const entry of window) if (entry !== EMPTY) this.#enter(this.#rows.orderId(entry - 1), entry - 1);
  }
}
