/** The books that are measured, each behind the same three operations. */
import { Book, NO_SLOT } from '@orrery/engine/book';
import { accountId, lots, orderId, ticks } from '@orrery/units';
import { OrderBook, Side } from 'nodejs-order-book';
import type { RestingLevel } from './hash.ts';

export interface Subject {
  readonly name: string;
  /** Ids in the form this book wants them, made before the clock starts. */
  prepareIds(maxId: number): void;
  reset(): void;
  add(side: number, id: number, price: number, size: number): void;
  /** A marketable limit order: trades what it can, rests the remainder. */
  take(side: number, id: number, price: number, size: number): void;
  cancel(id: number): void;
  /** Counted as trades by the subject itself. */
  trades(): number;
  levels(): RestingLevel[];
}

const SIDES = ['buy', 'sell'] as const;
const TAKER = accountId(1);

export class OwnBook implements Subject {
  readonly name = 'orrery';
  #book = new Book();
  /** By id, as the engine keeps the slot with each open order. */
  #slots = new Int32Array();
  #trades = 0;

  prepareIds(maxId: number): void {
    this.#slots = new Int32Array(maxId + 1);
  }

  reset(): void {
    this.#book = new Book();
    this.#trades = 0;
  }

  add(side: number, id: number, price: number, size: number): void {
    this.#slots[id] = this.#book.add(orderId(id), TAKER, side === 0 ? 'buy' : 'sell', ticks(price), lots(size));
  }

  take(side: number, id: number, price: number, size: number): void {
    const book = this.#book;
    const opposite = side === 0 ? 'sell' : 'buy';
    let left = size;
    while (left > 0) {
      const maker = book.best(opposite);
      if (maker === NO_SLOT || (side === 0 ? book.priceOf(maker) > price : book.priceOf(maker) < price)) break;
      const filled = Math.min(left, book.remainingOf(maker));
      book.reduce(maker, lots(filled));
      left -= filled;
      this.#trades += 1;
    }
    if (left > 0) this.add(side, id, price, left);
  }

  cancel(id: number): void {
    const slot = this.#slots[id];
    if (slot === undefined) throw new Error(`no order has the id ${id}`);
    this.#book.remove(slot);
  }

  trades(): number {
    return this.#trades;
  }

  levels(): RestingLevel[] {
    const book = this.#book;
    return ([0, 1] as const).flatMap((side) => {
      const orders = [...book.orders(SIDES[side])].map((slot) => ({
        price: book.priceOf(slot),
        id: book.orderIdOf(slot),
        size: book.remainingOf(slot),
      }));
      return [...Map.groupBy(orders, (order) => order.price)].map(([price, queue]) => ({ side, price, orders: queue }));
    });
  }
}

const THEIR_SIDES = [Side.BUY, Side.SELL] as const;

/** The npm package of that name; its ids are strings. */
export class NodejsOrderBook implements Subject {
  readonly name = 'nodejs-order-book';
  #book = new OrderBook();
  #trades = 0;
  #ids: readonly string[] = [];

  prepareIds(maxId: number): void {
    this.#ids = Array.from({ length: maxId + 1 }, (_, id) => String(id));
  }

  reset(): void {
    this.#book = new OrderBook();
    this.#trades = 0;
  }

  add(side: number, id: number, price: number, size: number): void {
    this.#limit(side, id, price, size);
  }

  take(side: number, id: number, price: number, size: number): void {
    const answer = this.#limit(side, id, price, size);
    for (const done of answer.done) if (done.id !== this.#ids[id]) this.#trades += 1;
    if (answer.partial !== null && answer.partial.id !== this.#ids[id]) this.#trades += 1;
  }

  cancel(id: number): void {
    if (this.#book.cancel(this.#ids[id] ?? '') === undefined) throw new Error(`nodejs-order-book does not know order ${id}`);
  }

  trades(): number {
    return this.#trades;
  }

  levels(): RestingLevel[] {
    const snapshot = this.#book.snapshot();
    return [snapshot.bids, snapshot.asks].flatMap((levels, index) =>
      levels.map(({ price, orders }) => ({
        side: index === 0 ? (0 as const) : (1 as const),
        price,
        orders: orders.map((order) => ({ id: Number(order.id), size: order.size })),
      })),
    );
  }

  #limit(side: number, id: number, price: number, size: number) {
    const answer = this.#book.limit({ side: THEIR_SIDES[side === 0 ? 0 : 1], id: this.#ids[id] ?? '', price, size });
    if (answer.err !== null) throw answer.err;
    return answer;
  }
}
