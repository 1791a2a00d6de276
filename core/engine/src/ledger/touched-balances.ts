/**
 * The balances that the command at work has touched, and what they were before it. Kept from command to command: an emptied array would have
 * to grow anew for each, and a balance that kept what it was would keep two more numbers alive.
 */
import { assert, type Atoms } from '@orrery/units';
import type { Balance } from './balance.ts';

/** So many are put in order by moving each to its place: less work than a sort. */
const FEW = 16;

export interface TouchedBalance {
  balance: Balance;
  freeBefore: Atoms;
  heldBefore: Atoms;
}

export class TouchedBalances {
  /** Only the first `count` entries are of this command. */
  readonly #list: TouchedBalance[] = [];
  count = 0;

  add(balance: Balance): void {
    const entry = this.#list[this.count];
    if (entry === undefined) this.#list.push({ balance, freeBefore: balance.free, heldBefore: balance.held });
    else {
      entry.balance = balance;
      entry.freeBefore = balance.free;
      entry.heldBefore = balance.held;
    }
    this.count += 1;
  }

  at(index: number): TouchedBalance {
    const entry = this.#list[index];
    assert(entry !== undefined && index < this.count, 'the balance was touched by this command');
    return entry;
  }

  sortByRank(): void {
    if (this.count > FEW) {
      this.#list.length = this.count;
      this.#list.sort((left, right) => left.balance.rank - right.balance.rank);
      return;
    }
    for (let index = 1; index < this.count; index += 1) {
      const entry = this.at(index);
      const { rank } = entry.balance;
      let place = index;
      for (; place > 0 && this.at(place - 1).balance.rank > rank; place -= 1) this.#list[place] = this.at(place - 1);
      this.#list[place] = entry;
    }
  }

  clear(): void {
    this.count = 0;
  }
}
