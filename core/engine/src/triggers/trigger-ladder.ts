/**
 * The orders of one market that wait for one kind of price, on two price ladders: a buy waits above the price and triggers at or above its trigger price, a
 * sell waits below and triggers at or below it. Arming, disarming and finding the next one cost the same however many wait.
 *
 * A price that reaches some of them is recorded as a mark, and the reached ones stay where they are until they are taken, one at a time: the state
 * between two commands is two prices, and a reached order can still be cancelled.
 */
import { lots, NO_TICKS, type OrderId, type Ticks } from '@orrery/units';
import type { Order, Side } from '@orrery/protocol';
import { Book, NO_SLOT, type Slot } from '../book/book.ts';

export type TriggeredOrder = Pick<Order, 'orderId' | 'account' | 'side' | 'triggerPrice'>;

/** A reached order, and the price that reached it. */
export interface Reached {
  readonly orderId: OrderId;
  readonly price: Ticks;
}

/** The extremes of the price since every reached order was taken; 0 for none. */
export interface Marks {
  readonly high: Ticks;
  readonly low: Ticks;
}

/** The buy that triggers next has the lowest trigger price, as the best sell of a book has the lowest price; and the other way round. */
const bookSide = (side: Side): Side => (side === 'buy' ? 'sell' : 'buy');
const ONE = lots(1);

export class TriggerLadder {
  readonly #book = new Book();
  #high: Ticks = NO_TICKS;
  #low: Ticks = NO_TICKS;

  add({ orderId, account, side, triggerPrice }: TriggeredOrder): Slot {
    return this.#book.add(orderId, account, bookSide(side), triggerPrice, ONE);
  }

  remove(slot: Slot): void {
    this.#book.remove(slot);
  }

  /** Marks the price when it reaches an order. */
  reach(price: Ticks): void {
    if (this.#isReached('buy', price)) this.#high = price > this.#high ? price : this.#high;
    if (this.#isReached('sell', price)) this.#low = this.#low === NO_TICKS || price < this.#low ? price : this.#low;
  }

  get isPending(): boolean {
    return this.#high !== NO_TICKS || this.#low !== NO_TICKS;
  }

  get marks(): Marks {
    return { high: this.#high, low: this.#low };
  }

  restore({ high, low }: Marks): void {
    this.#high = high;
    this.#low = low;
  }

  /**
   * Takes the next reached order: of each side the one whose trigger price was reached first, of equals the oldest; of the two sides the older one.
   * When there is none, the marks are cleared.
   */
  takeNext(): Reached | undefined {
    const buy = this.#high !== NO_TICKS && this.#isReached('buy', this.#high) ? this.#book.best('sell') : NO_SLOT;
    const sell = this.#low !== NO_TICKS && this.#isReached('sell', this.#low) ? this.#book.best('buy') : NO_SLOT;
    if (buy === NO_SLOT && sell === NO_SLOT) {
      this.#high = NO_TICKS;
      this.#low = NO_TICKS;
      return undefined;
    }
    const takesBuy = sell === NO_SLOT || (buy !== NO_SLOT && this.#book.orderIdOf(buy) < this.#book.orderIdOf(sell));
    return takesBuy ? this.#take(buy, this.#high) : this.#take(sell, this.#low);
  }

  /** Takes every order that the price reaches, in the order of their ids. Marks nothing. */
  takeAll(price: Ticks): readonly Reached[] {
    const reached: Reached[] = [];
    while (this.#isReached('buy', price)) reached.push(this.#take(this.#book.best('sell'), price));
    while (this.#isReached('sell', price)) reached.push(this.#take(this.#book.best('buy'), price));
    return reached.sort((left, right) => left.orderId - right.orderId);
  }

  /** The ids of all orders that wait, in no order. */
  *waiting(): Generator<OrderId> {
    for (const side of ['buy', 'sell'] as const) for (const slot of this.#book.orders(side)) yield this.#book.orderIdOf(slot);
  }

  #isReached(side: Side, price: Ticks): boolean {
    const nearest = this.#book.bestPrice(bookSide(side));
    return nearest !== NO_TICKS && (side === 'buy' ? nearest <= price : nearest >= price);
  }

  #take(slot: Slot, price: Ticks): Reached {
    const orderId = this.#book.orderIdOf(slot);
    this.#book.remove(slot);
    return { orderId, price };
  }
}
