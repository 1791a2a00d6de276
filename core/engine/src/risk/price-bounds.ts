/**
 * The positions of one contract by the mark price at which each has to be looked at: a long at or below its bound, a short at or above it. A round of
 * prices finds the reached ones without looking at the others. The bounds follow from the state, and are no part of it: an account with too near a
 * bound is looked at too early, and nothing happens to it.
 */
import { accountId, lots, orderId, type AccountId, type Ticks } from '@orrery/units';
import type { Side } from '@orrery/protocol';
import type { Direction } from '@orrery/rules';
import { Book, BOOK_PRICE_MAX, NO_SLOT, type Slot } from '../book/book.ts';

/** The long that is reached first has the highest bound, as the best buy of a book has the highest price; and the other way round. */
const bookSide = (direction: Direction): Side => (direction === 'long' ? 'buy' : 'sell');
const ONE = lots(1);

export class PriceBounds {
  readonly #book = new Book();
  readonly #slots: Readonly<Record<Direction, Map<AccountId, Slot>>> = { long: new Map(), short: new Map() };

  /** @param bound `NO_TICKS`, or beyond what a book holds: never reached */
  set(account: AccountId, direction: Direction, bound: Ticks): void {
    this.remove(account, direction);
    if (bound === 0 || bound > BOOK_PRICE_MAX) return;
    this.#slots[direction].set(account, this.#book.add(orderId(account), account, bookSide(direction), bound, ONE));
  }

  remove(account: AccountId, direction: Direction): void {
    const slot = this.#slots[direction].get(account);
    if (slot === undefined) return;
    this.#slots[direction].delete(account);
    this.#book.remove(slot);
  }

  /** Takes the accounts that this mark reaches, each once, by their ids. */
  takeReached(mark: Ticks): readonly AccountId[] {
    const reached = new Set<AccountId>();
    for (const direction of ['long', 'short'] as const) {
      for (
        let slot = this.#nearest(direction);
        slot !== NO_SLOT && this.#isReached(slot, direction, mark);
        slot = this.#nearest(direction)
      ) {
        const account = accountId(this.#book.accountOf(slot));
        reached.add(account);
        this.remove(account, direction);
      }
    }
    return [...reached].sort((left, right) => left - right);
  }

  #nearest(direction: Direction): Slot {
    return this.#book.best(bookSide(direction));
  }

  #isReached(slot: Slot, direction: Direction, mark: Ticks): boolean {
    const bound = this.#book.priceOf(slot);
    return direction === 'long' ? mark <= bound : mark >= bound;
  }
}
