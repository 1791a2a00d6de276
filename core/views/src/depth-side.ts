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
  /** Prices times this rise from the best to the worst. */
  readonly #sign: 1 | -1;

  constructor(side: Side) {
    this.#sign = side === 'buy' ? -1 : 1;
  }

  get levels(): readonly DepthLevel[] {
    return this.#levels;
  }

  sizeAt(price: Ticks): Lots {
    return this.#at(this.#place(price), price)?.size ?? NO_LOTS;
  }

  /** One order joins the price. */
  add(price: Ticks, size: Lots): void {
    const place = this.#place(price);
    const level = this.#at(place, price);
    if (level === undefined) this.#levels.splice(place, 0, { price, size, orders: 1 });
    else this.#levels[place] = { price, size: addLots(level.size, size), orders: level.orders + 1 };
  }

  /** Size leaves the price, and with it a number of orders. */
  take(price: Ticks, { size, orders }: Pick<DepthLevel, 'size' | 'orders'>): void {
    const place = this.#place(price);
    const level = this.#at(place, price);
    assert(level !== undefined, 'what is taken from a price stands there');
    const left = { price, size: subtractLots(level.size, size), orders: level.orders - orders };
    assert(left.orders >= 0 && left.orders > 0 === left.size > 0, 'a level has size exactly while it has orders');
    if (left.orders > 0) this.#levels[place] = left;
    else this.#levels.splice(place, 1);
  }

  /** The level of this price, when it stands at its place. */
  #at(place: number, price: Ticks): DepthLevel | undefined {
    const level = this.#levels[place];
    return level?.price === price ? level : undefined;
  }

  /** The place of the price, or where it would be. */
  #place(price: Ticks): number {
    const sign = this.#sign;
    const wanted = sign * price;
    let low = 0;
    let high = this.#levels.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const level = this.#levels[middle];
      if (level !== undefined && sign * level.price < wanted) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
