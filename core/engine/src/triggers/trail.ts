/**
 * The trailing stops of one market that wait for one kind of price to turn in one direction. Each follows the extreme of its price since it was armed, at
 * its distance, and is reached when the price comes back by that distance.
 *
 * Orders of one distance wait in the order in which they began to follow, which each has as a number. An older one has seen every price that a younger one has, so its extreme is as far or further
 * and it is reached no later: what a price reaches is the front of each distance. Extremes are kept once for the orders that share one, so a price moves
 * each extreme at most once, and orders never.
 */
import { assert, lots, NO_TICKS, orderId, ppm, ticks, type AccountId, type OrderId, type Ticks, type Ppm } from '@orrery/units';
import { isWorse, worseBy } from '@orrery/rules';
import type { Side } from '@orrery/protocol';
import { Book, NO_SLOT, type Slot } from '../book/book.ts';
import { Extremes } from './extremes.ts';
import type { Reached } from './trigger-ladder.ts';

export interface TrailingOrder {
  readonly orderId: OrderId;
  readonly account: AccountId;
  readonly trailingPpm: Ppm;
}

/** What a trailing stop has seen, in a snapshot. */
export interface TrailMark {
  readonly orderId: OrderId;
  readonly extreme: Ticks;
  /** The price that reached it; 0 while it waits. */
  readonly reached: Ticks;
}

/** The orders of a distance up to a number are reached, by a price. */
interface ReachedFront {
  readonly upTo: number;
  readonly price: Ticks;
}

/** All levels stand on one side of the book, the shortest distance first; the level's price is the distance in parts per million. */
const LANES: Side = 'sell';
const ONE = lots(1);

export class Trail {
  /** A sell trails the highest price below it, a buy the lowest price above it. */
  readonly #side: Side;
  readonly #book = new Book();
  readonly #extremes: Extremes;
  readonly #fronts = new Map<number, ReachedFront>();
  /** The orders by their numbers, under which they stand in the book and have their extremes. */
  readonly #ids = new Map<number, OrderId>();
  #joined = 0;
  /** No order that waits is reached before the price is here; 0 when none waits. */
  #nearest: Ticks = NO_TICKS;

  constructor(side: Side) {
    this.#side = side;
    this.#extremes = new Extremes(side);
  }

  /** @param price the present one, from 1 */
  add({ orderId: id, account, trailingPpm }: TrailingOrder, price: Ticks): Slot {
    this.#joined += 1;
    const number = orderId(this.#joined);
    this.#ids.set(number, id);
    this.#extremes.join(number, price);
    this.#approach(worseBy(price, trailingPpm, this.#side));
    return this.#book.add(number, account, LANES, ticks(trailingPpm), ONE);
  }

  remove(slot: Slot): void {
    const number = this.#book.orderIdOf(slot);
    this.#extremes.leave(number);
    this.#ids.delete(number);
    const distance = this.#book.priceOf(slot);
    this.#book.remove(slot);
    this.#closeFront(distance);
  }

  /** Moves the extremes, and records which orders the price reaches. */
  reach(price: Ticks): void {
    if (this.#nearest === NO_TICKS) return;
    if (this.#extremes.follow(price)) this.#approach(this.#triggerOf(price, this.#book.bestPrice(LANES)));
    if (!isWorse(this.#nearest, price, this.#side)) this.#reachFronts(price);
  }

  get isPending(): boolean {
    return this.#fronts.size > 0;
  }

  /** Takes the oldest reached order; undefined when there is none. */
  takeNext(): Reached | undefined {
    let oldest: Slot = NO_SLOT;
    let price: Ticks = NO_TICKS;
    for (const slot of this.#book.fronts(LANES)) {
      const front = this.#fronts.get(this.#book.priceOf(slot));
      if (front === undefined || (oldest !== NO_SLOT && this.#book.orderIdOf(oldest) < this.#book.orderIdOf(slot))) continue;
      oldest = slot;
      price = front.price;
    }
    if (oldest === NO_SLOT) return undefined;
    const next: Reached = { orderId: this.#idOf(this.#book.orderIdOf(oldest)), price };
    this.remove(oldest);
    return next;
  }

  /** The price at which an order would be reached now. */
  triggerPriceOf(slot: Slot): Ticks {
    return this.#triggerOf(this.#extremes.of(this.#book.orderIdOf(slot)), this.#book.priceOf(slot));
  }

  /** What every order has seen, in the order in which they began to follow. */
  marks(): TrailMark[] {
    const numbers: OrderId[] = [];
    const reachedBy = new Map<OrderId, Ticks>();
    for (const slot of this.#book.orders(LANES)) {
      const number = this.#book.orderIdOf(slot);
      const front = this.#fronts.get(this.#book.priceOf(slot));
      numbers.push(number);
      reachedBy.set(number, front !== undefined && number <= front.upTo ? front.price : NO_TICKS);
    }
    return numbers
      .sort((left, right) => left - right)
      .map((number) => ({ orderId: this.#idOf(number), extreme: this.#extremes.of(number), reached: reachedBy.get(number) ?? NO_TICKS }));
  }

  /** Puts back an order of a snapshot, in the order of `marks`. */
  restore(order: TrailingOrder, { extreme, reached }: TrailMark): Slot {
    const slot = this.add(order, extreme);
    if (reached !== NO_TICKS) this.#fronts.set(order.trailingPpm, { upTo: this.#joined, price: reached });
    return slot;
  }

  #idOf(number: number): OrderId {
    const id = this.#ids.get(number);
    assert(id !== undefined, 'a trailing stop is known by its number');
    return id;
  }

  #triggerOf(extreme: Ticks, distance: Ticks): Ticks {
    return worseBy(extreme, ppm(distance), this.#side);
  }

  #approach(trigger: Ticks): void {
    if (this.#nearest === NO_TICKS || isWorse(this.#nearest, trigger, this.#side)) this.#nearest = trigger;
  }

  /** Finds the reached front of every distance, and where the next order waits. */
  #reachFronts(price: Ticks): void {
    this.#nearest = NO_TICKS;
    for (const slot of this.#book.fronts(LANES)) {
      const distance = this.#book.priceOf(slot);
      const trigger = this.triggerPriceOf(slot);
      this.#approach(trigger);
      if (isWorse(trigger, price, this.#side)) continue;
      const upTo = this.#extremes.lastWhere((extreme) => !isWorse(this.#triggerOf(extreme, distance), price, this.#side));
      const before = this.#fronts.get(distance)?.upTo;
      this.#fronts.set(distance, { upTo: before !== undefined && before > upTo ? before : upTo, price });
    }
  }

  /** A distance whose first order is not reached has no front. */
  #closeFront(distance: Ticks): void {
    const front = this.#fronts.get(distance);
    if (front === undefined) return;
    const first = this.#book.frontAt(LANES, distance);
    if (first === NO_SLOT || this.#book.orderIdOf(first) > front.upTo) this.#fronts.delete(distance);
  }
}
