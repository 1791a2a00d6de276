/**
 * The resting orders of one market in price-time priority. It keeps them and nothing more: who may trade with whom is the engine's to decide.
 * No operation allocates: orders and levels are rows of typed arrays, and levels are found by an own price ladder. An order is known by its slot,
 * which the caller keeps.
 */
import { accountId, assert, lots, orderId } from '@orrery/units';
import type { AccountId, Lots, OrderId, Ticks } from '@orrery/units';
import type { Side } from '@orrery/protocol';
import { BookRows, NO_LEVEL, NO_SLOT, type LevelSlot, type Slot } from './book-rows.ts';
import { LEVEL_PRICE_MAX, PriceLevels } from './price-levels.ts';

export { NO_SLOT, type Slot } from './book-rows.ts';

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
  readonly #rows = new BookRows();
  readonly #levels = new PriceLevels(this.#rows);

  /** Rests an order behind the others of its price. Its price lies in 1..BOOK_PRICE_MAX. The slot is the order's until it leaves the book. */
  add(id: OrderId, account: AccountId, side: Side, price: Ticks, size: Lots): Slot {
    assert(price > 0 && price <= BOOK_PRICE_MAX, 'a resting order has a price the book can hold');
    assert(size > 0, 'a resting order has a size');
    assert(account <= ACCOUNT_MAX, 'an account has an id the book can hold');
    return this.#rows.join(this.#levels.at(side, price), id, account, size);
  }

  /** The order first in priority on a side, or NO_SLOT. */
  best(side: Side): Slot {
    return this.#frontOf(this.#levels.best(side));
  }

  /** The order next in priority on the same side, or NO_SLOT. */
  next(slot: Slot): Slot {
    const level = this.#levelOf(slot);
    const behind = this.#rows.next(slot);
    return behind === level ? this.#frontOf(this.#rows.worse(level)) : behind;
  }

  /** The first order of every level of a side, from the best level. The book must not change meanwhile. */
  *fronts(side: Side): Generator<Slot> {
    for (let level = this.#levels.best(side); level !== NO_LEVEL; level = this.#rows.worse(level)) yield this.#rows.next(level);
  }

  /** The first order at a price, or NO_SLOT. */
  frontAt(side: Side, price: Ticks): Slot {
    return this.#frontOf(this.#levels.find(side, price));
  }

  /** Takes lots off an order, in place. An order reduced to 0 leaves the book and its slot is free. */
  reduce(slot: Slot, by: Lots): Lots {
    const remaining = this.#rows.remaining(slot) - by;
    assert(by > 0 && remaining >= 0, 'an order is reduced by what it has');
    if (remaining === 0) this.remove(slot);
    else this.#rows.reduce(this.#levelOf(slot), slot, by);
    return lots(remaining);
  }

  remove(slot: Slot): void {
    const level = this.#levelOf(slot);
    if (this.#rows.leave(level, slot) === 0) this.#levels.close(level);
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
    const rows = this.#rows;
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
    return level === NO_LEVEL ? NO_SLOT : this.#rows.next(level);
  }
}
