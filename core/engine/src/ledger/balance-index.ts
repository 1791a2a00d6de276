/**
 * Account and place to balance: an open-addressing hash, in which the balances of one account lie close together, and for each account a chain of
 * its balances in the order of their places. A cell is a row beside its key's low 32 bits; the row has the last word.
 */
import { PLACES, type Balance } from './balance.ts';
import { NO_BALANCE, type BalanceRows } from './balance-rows.ts';

const CELLS_MIN = 256;
const ACCOUNTS_MIN = 256;
/** In the place of row + 1. */
const EMPTY = 0;

export class BalanceIndex {
  readonly #rows: BalanceRows;
  /** Two numbers a cell: row + 1, and the low 32 bits of the key. */
  #cells = new Int32Array(CELLS_MIN * 2);
  #mask = CELLS_MIN - 1;
  #shift = Math.clz32(CELLS_MIN - 1);
  #count = 0;
  /** By account: row + 1 of its first balance. */
  #first = new Int32Array(ACCOUNTS_MIN);

  constructor(rows: BalanceRows) {
    this.#rows = rows;
  }

  /** The balance of an account in a place, made empty when there is none yet. */
  find(account: number, place: number): Balance {
    const key = keyOf(account, place);
    const cells = this.#cells;
    for (let cell = this.#home(account, place); ; cell = (cell + 1) & this.#mask) {
      const entry = cells[cell * 2]!;
      if (entry === EMPTY) return this.#make(account, place);
      const row = entry - 1;
      if (cells[cell * 2 + 1] === key && this.#rows.account(row) === account && this.#rows.place(row) === place) return row;
    }
  }

  /** By account and place. */
  *[Symbol.iterator](): Generator<Balance> {
    for (const first of this.#first) {
      for (let row = first - 1; row !== NO_BALANCE; row = this.#rows.next(row)) yield row;
    }
  }

  #make(account: number, place: number): Balance {
    if (this.#count * 2 > this.#mask) this.#resize((this.#mask + 1) * 2);
    const row = this.#rows.make(account, place);
    this.#count += 1;
    this.#enter(row, account, place);
    this.#chain(row, account, place);
    return row;
  }

  #enter(row: Balance, account: number, place: number): void {
    let cell = this.#home(account, place);
    while (this.#cells[cell * 2] !== EMPTY) cell = (cell + 1) & this.#mask;
    this.#cells[cell * 2] = row + 1;
    this.#cells[cell * 2 + 1] = keyOf(account, place);
  }

  #chain(row: Balance, account: number, place: number): void {
    if (account >= this.#first.length) {
      const first = new Int32Array(Math.max(account + 1, this.#first.length * 2));
      first.set(this.#first);
      this.#first = first;
    }
    let before: Balance = NO_BALANCE;
    let after = this.#first[account]! - 1;
    while (after !== NO_BALANCE && this.#rows.place(after) < place) {
      before = after;
      after = this.#rows.next(after);
    }
    this.#rows.setNext(row, after);
    if (before === NO_BALANCE) this.#first[account] = row + 1;
    else this.#rows.setNext(before, row);
  }

  // Fibonacci hashing of the account: ids count from 1, and their multiples of the golden ratio lie far apart, with room for the places of each.
  #home(account: number, place: number): number {
    return ((Math.imul(account, 0x9e3779b1) >>> this.#shift) + place) & this.#mask;
  }

  #resize(capacity: number): void {
    const old = this.#cells;
    this.#cells = new Int32Array(capacity * 2);
    this.#mask = capacity - 1;
    this.#shift = Math.clz32(capacity - 1);
    for (let at = 0; at < old.length; at += 2) {
      if (old[at] === EMPTY) continue;
      const row = old[at]! - 1;
      this.#enter(row, this.#rows.account(row), this.#rows.place(row));
    }
  }
}

const keyOf = (account: number, place: number): number => (Math.imul(account, PLACES) + place) | 0;
