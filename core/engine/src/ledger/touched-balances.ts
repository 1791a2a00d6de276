/**
 * The balances that the command at work has touched, and what they were before it. Kept from command to command: an emptied array would have
 * to grow again for each, and a balance that kept what it was would keep two more numbers alive.
 */
import { assert, type Atoms } from '@orrery/units';
import { LINES, type Balance } from './balance.ts';
import type { BalanceRows } from './balance-rows.ts';

/** Up to this number an insertion sort is less work than the built-in one. */
const FEW = 16;

export interface TouchedBalance {
  balance: Balance;
  freeBefore: Atoms;
  heldBefore: Atoms;
}

export class TouchedBalances {
  readonly #rows: BalanceRows;
  /** Only the first `count` entries are of this command. */
  readonly #list: TouchedBalance[] = [];
  count = 0;

  constructor(rows: BalanceRows) {
    this.#rows = rows;
  }

  add(balance: Balance): void {
    const entry = this.#list[this.count];
    const freeBefore = this.#rows.free(balance);
    const heldBefore = this.#rows.held(balance);
    if (entry === undefined) this.#list.push({ balance, freeBefore, heldBefore });
    else {
      entry.balance = balance;
      entry.freeBefore = freeBefore;
      entry.heldBefore = heldBefore;
    }
    this.count += 1;
  }

  at(index: number): TouchedBalance {
    const entry = this.#list[index];
    assert(entry !== undefined && index < this.count, 'the balance was touched by this command');
    return entry;
  }

  /** By account, asset and wallet; the balances of the exchange itself first. */
  sort(): void {
    if (this.count > FEW) {
      this.#list.length = this.count;
      this.#list.sort((left, right) => this.#rank(left) - this.#rank(right));
      return;
    }
    for (let index = 1; index < this.count; index += 1) {
      const entry = this.at(index);
      const rank = this.#rank(entry);
      let slot = index;
      for (; slot > 0 && this.#rank(this.at(slot - 1)) > rank; slot -= 1) this.#list[slot] = this.at(slot - 1);
      this.#list[slot] = entry;
    }
  }

  #rank({ balance }: TouchedBalance): number {
    return this.#rows.account(balance) * LINES + this.#rows.line(balance);
  }

  clear(): void {
    this.count = 0;
  }
}
