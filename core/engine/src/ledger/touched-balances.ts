/** The balances that the command at work has touched. Kept from command to command: an emptied array would have to grow anew for each. */
import { assert } from '@orrery/units';
import type { Balance } from './balance.ts';

/** So many are put in order by moving each to its place: less work than a sort. */
const FEW = 16;

export class TouchedBalances {
  /** Only the first `count` entries are of this command. */
  readonly #list: Balance[] = [];
  count = 0;

  add(balance: Balance): void {
    this.#list[this.count] = balance;
    this.count += 1;
  }

  at(index: number): Balance {
    const balance = this.#list[index];
    assert(balance !== undefined && index < this.count, 'the balance was touched by this command');
    return balance;
  }

  sortByRank(): void {
    if (this.count > FEW) {
      this.#list.length = this.count;
      this.#list.sort((left, right) => left.rank - right.rank);
      return;
    }
    for (let index = 1; index < this.count; index += 1) {
      const balance = this.at(index);
      let place = index;
      for (; place > 0 && this.at(place - 1).rank > balance.rank; place -= 1) this.#list[place] = this.at(place - 1);
      this.#list[place] = balance;
    }
  }

  clear(): void {
    this.count = 0;
  }
}
