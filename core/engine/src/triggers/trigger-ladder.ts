/**
 * The orders of one market that wait for one kind of price, on two price ladders: those that wait for a rise stand above the price and trigger at or
 * above their trigger price, those that wait for a fall stand below and trigger at or below it. Arming, disarming and finding the next one cost the same however many wait.
 *
 * A price that reaches some of them is recorded as a mark, and the reached ones stay where they are until they are taken, one at a time: the state
 * between two commands is two prices, and a reached order can still be cancelled.
 */
import { lots, NO_TICKS, type OrderId, type Ticks } from '@orrery/units';
import type { Order, Side, TriggerDirection } from '@orrery/protocol';
import { Book, NO_SLOT, type Slot } from '../book/book.ts';

/** What the price must do to reach an order. */
export type Direction = Exclude<TriggerDirection, 'none'>;

export interface TriggeredOrder extends Pick<Order, 'orderId' | 'account' | 'triggerPrice'> {
  readonly direction: Direction;
}

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

/** The next order that a rise reaches has the lowest trigger price, as the best sell of a book has the lowest price; and the other way round. */
const bookSide = (direction: Direction): Side => (direction === 'rise' ? 'sell' : 'buy');
const ONE = lots(1);

export class TriggerLadder {
  readonly #book = new Book();
  #high: Ticks = NO_TICKS;
  #low: Ticks = NO_TICKS;

  add({ orderId, account, direction, triggerPrice }: TriggeredOrder): Slot {
    return this.#book.add(orderId, account, bookSide(direction), triggerPrice, ONE);
  }

  remove(slot: Slot): void {
    this.#book.remove(slot);
  }

  /** Marks the price when it reaches an order. */
  reach(price: Ticks): void {
    if (this.#isReached('rise', price)) this.#high = price > this.#high ? price : this.#high;
    if (this.#isReached('fall', price)) this.#low = this.#low === NO_TICKS || price < this.#low ? price : this.#low;
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
   * Takes the next reached order: of each direction the one whose trigger price was reached first, of equals the first armed; of the two the older one.
   * When there is none, the marks are cleared.
   */
  takeNext(): Reached | undefined {
    const rise = this.#high !== NO_TICKS && this.#isReached('rise', this.#high) ? this.#book.best('sell') : NO_SLOT;
    const fall = this.#low !== NO_TICKS && this.#isReached('fall', this.#low) ? this.#book.best('buy') : NO_SLOT;
    if (rise === NO_SLOT && fall === NO_SLOT) {
      this.#high = NO_TICKS;
      this.#low = NO_TICKS;
      return undefined;
    }
    const takesRise = fall === NO_SLOT || (rise !== NO_SLOT && this.#book.orderIdOf(rise) < this.#book.orderIdOf(fall));
    return takesRise ? this.#take(rise, this.#high) : this.#take(fall, this.#low);
  }

  /** Takes every order that the price reaches, in the order of their ids. Marks nothing. */
  takeAll(price: Ticks): readonly Reached[] {
    const reached: Reached[] = [];
    while (this.#isReached('rise', price)) reached.push(this.#take(this.#book.best('sell'), price));
    while (this.#isReached('fall', price)) reached.push(this.#take(this.#book.best('buy'), price));
    return reached.sort((left, right) => left.orderId - right.orderId);
  }

  /** The ids of all orders that wait, of each direction in the order in which they are reached. */
  *waiting(): Generator<OrderId> {
    for (const side of ['buy', 'sell'] as const) for (const slot of this.#book.orders(side)) yield this.#book.orderIdOf(slot);
  }

  #isReached(direction: Direction, price: Ticks): boolean {
    const nearest = this.#book.bestPrice(bookSide(direction));
    return nearest !== NO_TICKS && (direction === 'rise' ? nearest <= price : nearest >= price);
  }

  #take(slot: Slot, price: Ticks): Reached {
    const orderId = this.#book.orderIdOf(slot);
    this.#book.remove(slot);
    return { orderId, price };
  }
}
