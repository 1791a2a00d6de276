/**
 * Order id to open order. Ids are given without a gap and most orders live shortly, so the live ones lie close together: a page of the
 * table holds the orders of neighbouring ids, and a page without any is dropped. Two reads find an order, where a hash takes many. A page that
 * only a few old orders are left of is packed: else a lone order would pin a page of its own, of 8 KB.
 */
import { assert, type OrderId } from '@orrery/units';
import type { OpenOrder } from './open-order.ts';

const PAGE_SIZE = 1_024;
/** A page with this many orders left, or fewer, is packed; they are searched one by one. */
const FEW = 16;
const BLANK: readonly (OpenOrder | undefined)[] = Array.from({ length: PAGE_SIZE }, () => undefined);

interface Page {
  /** By the low part of the id; of a packed page without gaps, oldest first. */
  orders: (OpenOrder | undefined)[];
  count: number;
  isPacked: boolean;
}

export class OrderPages {
  readonly #pages = new Map<number, Page>();
  /** The page used last: new orders and their neighbours are what is asked for most. */
  #lastNumber = -1;
  #last: Page | undefined;
  /** The number of the newest page: it is never packed, for new orders are set on it. */
  #newest = -1;
  /** The orders of an emptied page, all undefined, for the next one made. Else orders that close at once, alone on their page, would each make one. */
  #spare: (OpenOrder | undefined)[] | undefined;

  get(id: OrderId): OpenOrder | undefined {
    const page = this.#page(Math.floor(id / PAGE_SIZE));
    return page === undefined ? undefined : page.orders[indexOn(page, id)];
  }

  /** Ids are set in increasing order but for those that were retracted, so that the pages lie in the order of the ids. */
  set(id: OrderId, open: OpenOrder): void {
    const number = Math.floor(id / PAGE_SIZE);
    let page = this.#page(number);
    if (page === undefined) {
      assert(number >= this.#newest, 'orders are set in the order of their ids');
      const before = this.#pages.get(this.#newest);
      if (before !== undefined && before.count <= FEW) this.#pack(before);
      page = { orders: this.#spare ?? BLANK.slice(), count: 0, isPacked: false };
      this.#spare = undefined;
      this.#pages.set(number, page);
      this.#newest = number;
      this.#lastNumber = -1;
    }
    assert(!page.isPacked, 'orders are set in the order of their ids');
    page.orders[id % PAGE_SIZE] = open;
    page.count += 1;
  }

  delete(id: OrderId): void {
    const number = Math.floor(id / PAGE_SIZE);
    const page = this.#page(number);
    const index = page === undefined ? -1 : indexOn(page, id);
    assert(page?.orders[index] !== undefined, 'an order closes once');
    if (page.isPacked) page.orders.splice(index, 1);
    else page.orders[index] = undefined;
    page.count -= 1;
    if (page.count === 0) this.#drop(number, page);
    else if (page.count === FEW && number !== this.#newest && !page.isPacked) this.#pack(page);
  }

  /** Deletes the newest order as if it had never come: its id is the next to be set, so its page is the newest again. */
  retract(id: OrderId): void {
    this.delete(id);
    this.#newest = Math.floor(id / PAGE_SIZE);
    const page = this.#page(this.#newest);
    if (page?.isPacked === true) this.#unpack(page);
  }

  /** Oldest first. */
  *[Symbol.iterator](): Generator<OpenOrder> {
    for (const { orders } of this.#pages.values()) {
      for (const open of orders) if (open !== undefined) yield open;
    }
  }

  #drop(number: number, page: Page): void {
    this.#pages.delete(number);
    if (!page.isPacked) this.#spare = page.orders;
    this.#lastNumber = -1;
  }

  #pack(page: Page): void {
    const blank = page.orders;
    const left = blank.filter((open) => open !== undefined);
    for (const { order } of left) blank[order.orderId % PAGE_SIZE] = undefined;
    page.orders = left;
    page.isPacked = true;
    this.#spare = blank;
  }

  #unpack(page: Page): void {
    const orders = this.#spare ?? BLANK.slice();
    this.#spare = undefined;
    for (const open of page.orders) if (open !== undefined) orders[open.order.orderId % PAGE_SIZE] = open;
    page.orders = orders;
    page.isPacked = false;
  }

  #page(number: number): Page | undefined {
    if (number !== this.#lastNumber) {
      this.#last = this.#pages.get(number);
      this.#lastNumber = number;
    }
    return this.#last;
  }
}

/** Where an order stands on its page; beyond its end, or at a blank, when it is not there. */
function indexOn({ orders, isPacked }: Page, id: OrderId): number {
  if (!isPacked) return id % PAGE_SIZE;
  let index = 0;
  while (index < orders.length && orders[index]?.order.orderId !== id) index += 1;
  return index;
}
