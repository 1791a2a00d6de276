/** The fast book and its naive twin, given the same commands and compared with each other. */
import { accountId, lots, orderId, ticks, type OrderId } from '@orrery/units';
import { SIDES } from '@orrery/protocol';
import type { Side } from '@orrery/protocol';
import { Book, NO_SLOT, type Slot } from '../book.ts';
import { NaiveBook } from './naive-book.ts';
import type { RestingOrder } from './naive-book.ts';

export type BookCommand =
  | { readonly type: 'add'; readonly side: Side; readonly price: number; readonly size: number }
  /** `pick` chooses among the live orders. */
  | { readonly type: 'remove'; readonly pick: number }
  | { readonly type: 'reduce'; readonly pick: number; readonly share: number }
  /** Takes up to `size` from the best orders of a side. */
  | { readonly type: 'take'; readonly side: Side; readonly size: number };

export class BookPair {
  readonly fast = new Book();
  readonly naive = new NaiveBook();
  /** Of each resting order, as the engine keeps them. */
  readonly #slots = new Map<OrderId, Slot>();
  #nextId: number;
  readonly #idStep: number;

  constructor(ids: { readonly first: number; readonly step: number }) {
    this.#nextId = ids.first;
    this.#idStep = ids.step;
  }

  /** Applies one command to both; throws when an answer differs. */
  apply(command: BookCommand): void {
    if (command.type === 'add') return this.#add(command);
    if (command.type === 'take') return this.#take(command);
    const live = [...this.naive.orders('buy'), ...this.naive.orders('sell')];
    const order = live[command.pick % live.length];
    if (order === undefined) return;
    if (command.type === 'remove') {
      this.fast.remove(this.#slotOf(order.orderId));
      this.naive.remove(order.orderId);
      this.#slots.delete(order.orderId);
    } else this.#reduce(order, 1 + (command.share % order.remaining));
  }

  /** Compares every answer that a book can give. */
  compare(): void {
    const { fast, naive } = this;
    let live = 0;
    for (const side of SIDES) {
      const orders = [...fast.orders(side)].map((slot) => this.#read(slot));
      expectSame(orders, naive.orders(side), `${side} orders`);
      expectSame(fast.levels(side, 1000), naive.levels(side, 1000), `${side} levels`);
      expectSame(fast.levels(side, 2), naive.levels(side, 2), `best two ${side} levels`);
      expectSame(fast.bestPrice(side), naive.orders(side)[0]?.price ?? 0, `best ${side} price`);
      expectSame(
        orders.map((order) => this.#read(this.#slotOf(order.orderId))),
        orders,
        `${side} orders by their slots`,
      );
      live += orders.length;
    }
    expectSame(this.#slots.size, live, 'number of orders');
  }

  #add(command: Extract<BookCommand, { type: 'add' }>): void {
    const order: RestingOrder = {
      orderId: orderId(this.#nextId),
      account: accountId(1 + (this.#nextId % 7)),
      side: command.side,
      price: ticks(command.price),
      remaining: lots(command.size),
    };
    this.#nextId += this.#idStep;
    const slot = this.fast.add(order.orderId, order.account, order.side, order.price, order.remaining);
    this.naive.add(order);
    this.#slots.set(order.orderId, slot);
    expectSame(this.#read(slot), order, 'added order');
  }

  #take(command: Extract<BookCommand, { type: 'take' }>): void {
    let left = command.size;
    for (let slot = this.fast.best(command.side); slot !== NO_SLOT && left > 0; slot = this.fast.best(command.side)) {
      const order = this.#read(slot);
      expectSame(order, this.naive.orders(command.side)[0], 'order first in priority');
      const by = Math.min(left, order.remaining);
      this.#reduce(order, by);
      left -= by;
    }
  }

  #reduce(order: RestingOrder, by: number): void {
    const remaining = this.fast.reduce(this.#slotOf(order.orderId), lots(by));
    if (remaining === 0) this.#slots.delete(order.orderId);
    this.naive.reduce(order.orderId, lots(by));
    expectSame(remaining, this.naive.find(order.orderId)?.remaining ?? 0, 'what remains of a reduced order');
  }

  #slotOf(id: OrderId): Slot {
    return this.#slots.get(id) ?? NO_SLOT;
  }

  #read(slot: Slot): RestingOrder {
    const { fast } = this;
    return {
      orderId: fast.orderIdOf(slot),
      account: fast.accountOf(slot),
      side: fast.sideOf(slot),
      price: fast.priceOf(slot),
      remaining: fast.remainingOf(slot),
    };
  }
}

function expectSame(fast: unknown, naive: unknown, what: string): void {
  const [left, right] = [JSON.stringify(fast), JSON.stringify(naive)];
  if (left !== right) throw new Error(`${what} differs: the fast book says ${left}, the naive one ${right}`);
}
