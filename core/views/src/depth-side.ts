/** The price levels of one side as a sorted list, best first. */
import { addLots, assert, NO_LOTS, subtractLots, type Lots, type Ticks } from '@orrery/units';
import type { Side } from '@orrery/protocol';

export interface DepthLevel {
  readonly price: Ticks;
  readonly size: Lots;
  readonly orders: number;
}

export class DepthSide {
  readonly #levels: DepthLevel[] = [];
  readonly #isBetter: (left: Ticks, right: Ticks) => boolean;

  constructor(side: Side) {
    this.#isBetter = side === 'buy' ? (left, right) => left > right : (left, right) => left < right;
  }

  get levels(): readonly DepthLevel[] {
    return this.#levels;
  }

  sizeAt(price: Ticks): Lots {
    return this.#find(price)?.size ?? NO_LOTS;
  }

  /** One order joins the price. */
  add(price: Ticks, size: Lots): void {
    const level = this.#find(price);
    this.#put({ price, size: addLots(level?.size ?? NO_LOTS, size), orders: (level?.orders ?? 0) + 1 });
  }

  /** Size leaves the price, and with it so many orders. */
  take(price: Ticks, { size, orders }: Pick<DepthLevel, 'size' | 'orders'>): void {
    const level = this.#find(price);
    assert(level !== undefined, 'what is taken from a price stands there');
    this.#put({ price, size: subtractLots(level.size, size), orders: level.orders - orders });
  }

  #find(price: Ticks): DepthLevel | undefined {
    const level = this.#levels[this.#place(price)];
    return level?.price === price ? level : undefined;
  }

  #put(level: DepthLevel): void {
    assert(level.orders >= 0 && level.orders > 0 === level.size > 0, 'a level has size exactly while it has orders');
    const place = this.#place(level.price);
    const known = this.#levels[place]?.price === level.price;
    if (known && level.orders > 0) this.#levels[place] = level;
    else this.#levels.splice(place, known ? 1 : 0, ...(level.orders > 0 ? [level] : []));
  }

  /** The place of the price, or where it would be. */
  #place(price: Ticks): number {
    let low = 0;
    let high = this.#levels.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const level = this.#levels[middle];
      if (level !== undefined && this.#isBetter(level.price, price)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
