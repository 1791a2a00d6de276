/**
 * The resting orders of one market in price-time priority. It keeps them and nothing more: who may trade with whom is the engine's to decide.
 * No operation allocates: orders and levels are rows of typed arrays, found by an own hash and an own price ladder.
 */
import { accountId, assert, lots, orderId } from '@orrery/units';
import type { AccountId, Lots, OrderId, Ticks } from '@orrery/units';
import type { Side } from '@orrery/protocol';
import { NO_LEVEL } from './level-rows.ts';
import type { LevelSlot } from './level-rows.ts';
import { OrderIndex } from './order-index.ts';
import { NO_SLOT, OrderRows } from './order-rows.ts';
import type { Slot } from './order-rows.ts';
import { LEVEL_PRICE_MAX, PriceLevels } from './price-levels.ts';

export { NO_SLOT } from './order-rows.ts';
export type { Slot } from './order-rows.ts';

/** The highest price a book can hold. */
export const BOOK_PRICE_MAX: Ticks = LEVEL_PRICE_MAX;
/** An order's row keeps its account in 32 bits. */
const ACCOUNT_MAX = 2 ** 31 - 1;

export interface Level {
  readonly price: Ticks;
  readonly size: Lots;
  readonly orders: number;
}

export class Book {
  readonly #rows = new OrderRows();
  readonly #index = new OrderIndex(this.#rows);
  readonly #levels = new PriceLevels();

  /** Resting orders of both sides. */
  get size(): number {
    return this.#index.size;
  }

  /** Rests an order behind the others of its price. Its id must not stand in the book, its price lies in 1..BOOK_PRICE_MAX. */
  add(id: OrderId, account: AccountId, side: Side, price: Ticks, size: Lots): Slot {
    assert(price > 0 && price <= BOOK_PRICE_MAX, 'a resting order has a price the book can hold');
    assert(size > 0, 'a resting order has a size');
    assert(account <= ACCOUNT_MAX, 'an account has an id the book can hold');
    const slot = this.#rows.take(id, account, size);
    this.#index.insert(id, slot);
    this.#enqueue(this.#levels.at(side, price), slot, size);
    return slot;
  }

  /** The slot of a resting order, or NO_SLOT. */
  slotOf(id: OrderId): Slot {
    return this.#index.find(id);
  }

  /** The order first in priority on a side, or NO_SLOT. */
  best(side: Side): Slot {
    return this.#frontOf(this.#levels.best(side));
  }

  /** The order next in priority on the same side, or NO_SLOT. */
  next(slot: Slot): Slot {
    const behind = this.#rows.next(slot);
    return behind === NO_SLOT ? this.#frontOf(this.#levels.rows.worse(this.#levelOf(slot))) : behind;
  }

  /** Takes lots off an order, in place. An order reduced to 0 leaves the book and its slot is free. */
  reduce(slot: Slot, by: Lots): Lots {
    const remaining = this.#rows.remaining(slot) - by;
    assert(by > 0 && remaining >= 0, 'an order is reduced by what it has');
    const level = this.#levelOf(slot);
    this.#rows.setRemaining(slot, remaining);
    this.#levels.rows.removeSize(level, by);
    if (remaining === 0) this.#leave(level, slot);
    return lots(remaining);
  }

  remove(slot: Slot): void {
    const level = this.#levelOf(slot);
    this.#levels.rows.removeSize(level, this.#rows.remaining(slot));
    this.#leave(level, slot);
  }

  orderIdOf(slot: Slot): OrderId {
    return orderId(this.#rows.orderId(slot));
  }

  accountOf(slot: Slot): AccountId {
    return accountId(this.#rows.account(slot));
  }

  sideOf(slot: Slot): Side {
    return this.#levels.sideOf(this.#levelOf(slot));
  }

  priceOf(slot: Slot): Ticks {
    return this.#levels.priceOf(this.#levelOf(slot));
  }

  remainingOf(slot: Slot): Lots {
    return lots(this.#rows.remaining(slot));
  }

  /** 0 when the side is empty. */
  bestPrice(side: Side): Ticks {
    return this.#levels.bestPrice(side);
  }

  /** The best `limit` levels of a side, best first. */
  levels(side: Side, limit: number): Level[] {
    const { rows } = this.#levels;
    const found: Level[] = [];
    for (let level = this.#levels.best(side); level !== NO_LEVEL && found.length < limit; level = rows.worse(level)) {
      found.push({ price: this.#levels.priceOf(level), size: lots(rows.size(level)), orders: rows.orders(level) });
    }
    return found;
  }

  /** All orders of a side in priority order. The book must not change meanwhile. */
  *orders(side: Side): Generator<Slot> {
    for (let slot = this.best(side); slot !== NO_SLOT; slot = this.next(slot)) yield slot;
  }

  #levelOf(slot: Slot): LevelSlot {
    const level = this.#rows.level(slot);
    assert(level >= 0, 'the slot holds an order');
    return level;
  }

  #frontOf(level: LevelSlot): Slot {
    return level === NO_LEVEL ? NO_SLOT : this.#levels.rows.front(level);
  }

  #enqueue(level: LevelSlot, slot: Slot, size: Lots): void {
    const rows = this.#rows;
    const levels = this.#levels.rows;
    const orders = levels.orders(level);
    const back = orders === 0 ? NO_SLOT : levels.back(level);
    rows.setLevel(slot, level);
    rows.setNext(slot, NO_SLOT);
    rows.setPrevious(slot, back);
    if (orders === 0) levels.setFront(level, slot);
    else rows.setNext(back, slot);
    levels.setBack(level, slot);
    levels.setOrders(level, orders + 1);
    levels.addSize(level, size);
  }

  #leave(level: LevelSlot, slot: Slot): void {
    const rows = this.#rows;
    const levels = this.#levels.rows;
    const next = rows.next(slot);
    const previous = rows.previous(slot);
    if (previous === NO_SLOT) levels.setFront(level, next);
    else rows.setNext(previous, next);
    if (next === NO_SLOT) levels.setBack(level, previous);
    else rows.setPrevious(next, previous);
    const orders = levels.orders(level) - 1;
    levels.setOrders(level, orders);
    if (orders === 0) this.#levels.close(level);
    this.#index.delete(rows.orderId(slot), slot);
    rows.release(slot);
  }
}
