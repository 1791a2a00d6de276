/**
 * The resting orders of one market in price-time priority. It keeps them and nothing more: who may trade with whom is the engine's to decide.
 * No operation allocates: orders and levels are rows of typed arrays, found by an own hash and an own price ladder.
 */
import { accountId, assert, lots, NO_TICKS, orderId, ticks } from '@orrery/units';
import type { AccountId, Lots, OrderId, Ticks } from '@orrery/units';
import type { Side } from '@orrery/protocol';
import { OrderIndex } from './order-index.ts';
import { NO_SLOT, OrderSlots } from './order-slots.ts';
import type { Slot } from './order-slots.ts';
import { KEY_LIMIT, NO_LEVEL } from './price-ladder.ts';
import { PriceLevels } from './price-levels.ts';

export { NO_SLOT } from './order-slots.ts';
export type { Slot } from './order-slots.ts';

/** The highest price a book can hold. */
export const BOOK_PRICE_MAX: Ticks = ticks(KEY_LIMIT - 1);

export interface Level {
  readonly price: Ticks;
  readonly size: Lots;
  readonly orders: number;
}

const BUY = 0;
const SELL = 1;

export class Book {
  readonly #index = new OrderIndex();
  readonly #slots = new OrderSlots();
  readonly #buys = new PriceLevels();
  readonly #sells = new PriceLevels();

  /** Resting orders of both sides. */
  get size(): number {
    return this.#index.size;
  }

  /** Rests an order behind the others of its price. Its id must not stand in the book, its price lies in 1..BOOK_PRICE_MAX. */
  add(id: OrderId, account: AccountId, side: Side, price: Ticks, size: Lots): Slot {
    assert(price > 0 && price <= BOOK_PRICE_MAX, 'a resting order has a price the book can hold');
    assert(size > 0, 'a resting order has a size');
    const slots = this.#slots;
    const slot = slots.take();
    this.#index.insert(id, slot);
    slots.orderId[slot] = id;
    slots.account[slot] = account;
    slots.remaining[slot] = size;
    slots.side[slot] = side === 'buy' ? BUY : SELL;
    const levels = side === 'buy' ? this.#buys : this.#sells;
    const key = side === 'buy' ? KEY_LIMIT - price : price;
    const found = levels.find(key);
    this.#enqueue(levels, found === NO_LEVEL ? levels.open(key) : found, slot);
    return slot;
  }

  /** The slot of a resting order, or NO_SLOT. */
  slotOf(id: OrderId): Slot {
    return this.#index.find(id);
  }

  /** The order first in priority on a side, or NO_SLOT. */
  best(side: Side): Slot {
    const levels = side === 'buy' ? this.#buys : this.#sells;
    return levels.best === NO_LEVEL ? NO_SLOT : levels.front[levels.best]!;
  }

  /** The order next in priority on the same side, or NO_SLOT. */
  next(slot: Slot): Slot {
    const behind = this.#slots.next[slot]!;
    if (behind !== NO_SLOT) return behind;
    const levels = this.#levelsOf(slot);
    const worse = levels.worse[this.#slots.level[slot]!]!;
    return worse === NO_LEVEL ? NO_SLOT : levels.front[worse]!;
  }

  /** Takes lots off an order, in place. An order reduced to 0 leaves the book and its slot is free. */
  reduce(slot: Slot, by: Lots): Lots {
    const remaining = this.#slots.remaining[slot]! - by;
    assert(by > 0 && remaining >= 0, 'an order is reduced by what it has');
    const levels = this.#levelsOf(slot);
    const level = this.#slots.level[slot]!;
    this.#slots.remaining[slot] = remaining;
    levels.size[level] = levels.size[level]! - by;
    if (remaining === 0) this.#leave(levels, level, slot);
    return lots(remaining);
  }

  remove(slot: Slot): void {
    const levels = this.#levelsOf(slot);
    const level = this.#slots.level[slot]!;
    levels.size[level] = levels.size[level]! - this.#slots.remaining[slot]!;
    this.#leave(levels, level, slot);
  }

  orderIdOf(slot: Slot): OrderId {
    return orderId(this.#slots.orderId[slot]!);
  }

  accountOf(slot: Slot): AccountId {
    return accountId(this.#slots.account[slot]!);
  }

  sideOf(slot: Slot): Side {
    return this.#slots.side[slot] === BUY ? 'buy' : 'sell';
  }

  priceOf(slot: Slot): Ticks {
    return this.#priceAt(this.sideOf(slot), this.#levelsOf(slot).key[this.#slots.level[slot]!]!);
  }

  remainingOf(slot: Slot): Lots {
    return lots(this.#slots.remaining[slot]!);
  }

  /** 0 when the side is empty. */
  bestPrice(side: Side): Ticks {
    const levels = side === 'buy' ? this.#buys : this.#sells;
    return levels.best === NO_LEVEL ? NO_TICKS : this.#priceAt(side, levels.key[levels.best]!);
  }

  /** The best `limit` levels of a side, best first. */
  levels(side: Side, limit: number): Level[] {
    const levels = side === 'buy' ? this.#buys : this.#sells;
    const found: Level[] = [];
    for (let level = levels.best; level !== NO_LEVEL && found.length < limit; level = levels.worse[level]!) {
      found.push({
        price: this.#priceAt(side, levels.key[level]!),
        size: lots(levels.size[level]!),
        orders: levels.orders[level]!,
      });
    }
    return found;
  }

  /** All orders of a side in priority order. The book must not change meanwhile. */
  *orders(side: Side): Generator<Slot> {
    for (let slot = this.best(side); slot !== NO_SLOT; slot = this.next(slot)) yield slot;
  }

  #levelsOf(slot: Slot): PriceLevels {
    const side = this.#slots.side[slot]!;
    assert(side === BUY || side === SELL, 'the slot holds an order');
    return side === BUY ? this.#buys : this.#sells;
  }

  #priceAt(side: Side, key: number): Ticks {
    return ticks(side === 'buy' ? KEY_LIMIT - key : key);
  }

  #enqueue(levels: PriceLevels, level: number, slot: Slot): void {
    const slots = this.#slots;
    const empty = levels.orders[level] === 0;
    const back = empty ? NO_SLOT : levels.back[level]!;
    slots.level[slot] = level;
    slots.next[slot] = NO_SLOT;
    slots.previous[slot] = back;
    if (empty) levels.front[level] = slot;
    else slots.next[back] = slot;
    levels.back[level] = slot;
    levels.orders[level] = levels.orders[level]! + 1;
    levels.size[level] = levels.size[level]! + slots.remaining[slot]!;
  }

  #leave(levels: PriceLevels, level: number, slot: Slot): void {
    const slots = this.#slots;
    const next = slots.next[slot]!;
    const previous = slots.previous[slot]!;
    if (previous === NO_SLOT) levels.front[level] = next;
    else slots.next[previous] = next;
    if (next === NO_SLOT) levels.back[level] = previous;
    else slots.previous[next] = previous;
    levels.orders[level] = levels.orders[level]! - 1;
    if (levels.orders[level] === 0) levels.close(level);
    this.#index.delete(orderId(slots.orderId[slot]!));
    slots.release(slot);
  }
}
