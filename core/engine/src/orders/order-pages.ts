/**
 * Order id to open order. Ids are given without a gap and most orders live shortly, so the live ones lie close together: a page of the
 * table holds the orders of neighbouring ids, and a page without any is dropped. Two reads find an order, where a hash takes many.
 */
import { assert, type OrderId } from '@orrery/units';
import type { OpenOrder } from './open-order.ts';

const PAGE_SIZE = 1_024;
const BLANK: readonly (OpenOrder | undefined)[] = Array.from({ length: PAGE_SIZE }, () => undefined);

interface Page {
  readonly orders: (OpenOrder | undefined)[];
  count: number;
}

export class OrderPages {
  readonly #pages = new Map<number, Page>();
  /** The page used last: new orders and their neighbours are what is asked for most. */
  #lastNumber = -1;
  #last: Page | undefined;
  /** An emptied page: the next one made. Else orders that close at once, alone on their page, would each make a page. */
  #spare: Page | undefined;

  get(id: OrderId): OpenOrder | undefined {
    return this.#page(Math.floor(id / PAGE_SIZE))?.orders[id % PAGE_SIZE];
  }

  /** Ids are set in increasing order, so that the pages lie in the order of the ids. */
  set(id: OrderId, open: OpenOrder): void {
    const number = Math.floor(id / PAGE_SIZE);
    let page = this.#page(number);
    if (page === undefined) {
      page = this.#spare ?? { orders: BLANK.slice(), count: 0 };
      this.#spare = undefined;
      this.#pages.set(number, page);
      this.#lastNumber = -1;
    }
    page.orders[id % PAGE_SIZE] = open;
    page.count += 1;
  }

  delete(id: OrderId): void {
    const number = Math.floor(id / PAGE_SIZE);
    const page = this.#page(number);
    assert(page?.orders[id % PAGE_SIZE] !== undefined, 'an order closes once');
    page.orders[id % PAGE_SIZE] = undefined;
    page.count -= 1;
    if (page.count > 0) return;
    this.#pages.delete(number);
    this.#spare = page;
    this.#lastNumber = -1;
  }

  /** Oldest first. */
  *[Symbol.iterator](): Generator<OpenOrder> {
    for (const { orders } of this.#pages.values()) {
      for (const open of orders) if (open !== undefined) yield open;
    }
  }

  #page(number: number): Page | undefined {
    if (number !== this.#lastNumber) {
      this.#last = this.#pages.get(number);
      this.#lastNumber = number;
    }
    return this.#last;
  }
}
