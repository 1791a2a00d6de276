/** The book as anyone would write it first: one array a side, kept in priority order. The twin that the fast book is compared with. */
import { lots, subtractLots } from '@orrery/units';
import type { AccountId, Lots, OrderId, Ticks } from '@orrery/units';
import type { Side } from '@orrery/protocol';
import type { Level } from '../book.ts';

export interface RestingOrder {
  readonly orderId: OrderId;
  readonly account: AccountId;
  readonly side: Side;
  readonly price: Ticks;
  readonly remaining: Lots;
}

export class NaiveBook {
  readonly #orders: Record<Side, RestingOrder[]> = { buy: [], sell: [] };

  add(order: RestingOrder): void {
    const queue = this.#orders[order.side];
    const isWorse = (other: RestingOrder): boolean => (order.side === 'buy' ? other.price < order.price : other.price > order.price);
    const place = queue.findIndex(isWorse);
    queue.splice(place === -1 ? queue.length : place, 0, order);
  }

  orders(side: Side): readonly RestingOrder[] {
    return this.#orders[side];
  }

  find(orderId: OrderId): RestingOrder | undefined {
    return [...this.#orders.buy, ...this.#orders.sell].find((order) => order.orderId === orderId);
  }

  reduce(orderId: OrderId, by: Lots): void {
    for (const side of ['buy', 'sell'] as const) {
      this.#orders[side] = this.#orders[side]
        .map((order) => (order.orderId === orderId ? { ...order, remaining: subtractLots(order.remaining, by) } : order))
        .filter((order) => order.remaining > 0);
    }
  }

  remove(orderId: OrderId): void {
    for (const side of ['buy', 'sell'] as const) this.#orders[side] = this.#orders[side].filter((order) => order.orderId !== orderId);
  }

  levels(side: Side, limit: number): readonly Level[] {
    const prices = [...new Set(this.#orders[side].map((order) => order.price))].slice(0, limit);
    return prices.map((price) => {
      const queue = this.#orders[side].filter((order) => order.price === price);
      return { price, size: lots(queue.reduce((sum, order) => sum + order.remaining, 0)), orders: queue.length };
    });
  }
}
