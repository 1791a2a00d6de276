/**
 * Account and line to balance. The balances of an account are a chain in the order of their lines. A short one is walked: its rows were made
 * one after the other mostly, and lie in a cache line or two. The balances of an account with many stand in an open-addressing hash
 * besides, close together; a cell is a row beside its key's low 32 bits, and the row has the last word.
 */
import { LINES, type Balance } from './balance.ts';
import { NO_BALANCE, type BalanceRows } from './balance-rows.ts';

/** Chains up to this are walked. */
const FEW = 8;
const CELLS_MIN = 256;
const ACCOUNTS_MIN = 256;
/** Stands for row + 1. */
const EMPTY = 0;

export class BalanceIndex {
  readonly #rows: BalanceRows;
  /** By account: row + 1 of its first balance; minus that when it has many. */
  #first = new Int32Array(ACCOUNTS_MIN);
  /** Two numbers a cell: row + 1, and the low 32 bits of the key. */
  #cells = new Int32Array(CELLS_MIN * 2);
  #mask = CELLS_MIN - 1;
  #shift = Math.clz32(CELLS_MIN - 1);
  #entered = 0;

  constructor(rows: BalanceRows) {
    this.#rows = rows;
  }

  /** The balance of an account by its line, made empty when there is none yet. */
  find(account: number, line: number): Balance {
    const first = this.#first[account] ?? EMPTY;
    if (first < 0) return this.#findAmongMany(account, line);
    for (let row = first - 1; row !== NO_BALANCE; row = this.#rows.next(row)) if (this.#rows.line(row) === line) return row;
    return this.#make(account, line);
  }

  /** By account and line. */
  *[Symbol.iterator](): Generator<Balance> {
    for (const first of this.#first) {
      for (let row = Math.abs(first) - 1; row !== NO_BALANCE; row = this.#rows.next(row)) yield row;
    }
  }

  #findAmongMany(account: number, line: number): Balance {
    const key = keyOf(account, line);
    const cells = this.#cells;
    for (let cell = this.#home(account, line); ; cell = (cell + 1) & this.#mask) {
      const entry = cells[cell * 2]!;
      if (entry === EMPTY) return this.#make(account, line);
      const row = entry - 1;
      if (cells[cell * 2 + 1] === key && this.#rows.account(row) === account && this.#rows.line(row) === line) return row;
    }
  }

  #make(account: number, line: number): Balance {
    const row = this.#rows.make(account, line);
    if (account >= this.#first.length) this.#makeRoomFor(account);
    const hadMany = this.#first[account]! < 0;
    const count = this.#chain(row, account, line);
    if (hadMany) this.#enter(row);
    else if (count > FEW) this.#enterAll(account);
    return row;
  }

  /** @returns how many balances the account has now. */
  #chain(row: Balance, account: number, line: number): number {
    let count = 1;
    let before: Balance = NO_BALANCE;
    let after: Balance = NO_BALANCE;
    for (let each = Math.abs(this.#first[account]!) - 1; each !== NO_BALANCE; each = this.#rows.next(each)) {
      count += 1;
      if (this.#rows.line(each) < line) before = each;
      else if (after === NO_BALANCE) after = each;
    }
    this.#rows.setNext(row, after);
    if (before !== NO_BALANCE) this.#rows.setNext(before, row);
    else this.#first[account] = this.#first[account]! < 0 ? -(row + 1) : row + 1;
    return count;
  }

  #makeRoomFor(account: number): void {
    const first = new Int32Array(Math.max(account + 1, this.#first.length * 2));
    first.set(this.#first);
    this.#first = first;
  }

  /** It has many now. */
  #enterAll(account: number): void {
    const first = this.#first[account]!;
    for (let row = first - 1; row !== NO_BALANCE; row = this.#rows.next(row)) this.#enter(row);
    this.#first[account] = -first;
  }

  #enter(row: Balance): void {
    if (this.#entered * 2 > this.#mask) this.#resize((this.#mask + 1) * 2);
    this.#entered += 1;
    this.#put(row);
  }

  #put(row: Balance): void {
    const account = this.#rows.account(row);
    const line = this.#rows.line(row);
    let cell = this.#home(account, line);
    while (this.#cells[cell * 2] !== EMPTY) cell = (cell + 1) & this.#mask;
    this.#cells[cell * 2] = row + 1;
    this.#cells[cell * 2 + 1] = keyOf(account, line);
  }

  // Fibonacci hashing of the account: ids count from 1, and their multiples of the golden ratio lie far apart, with room for the lines of each.
  #home(account: number, line: number): number {
    return ((Math.imul(account, 0x9e3779b1) >>> this.#shift) + line) & this.#mask;
  }

  #resize(capacity: number): void {
    const old = this.#cells;
    this.#cells = new Int32Array(capacity * 2);
    this.#mask = capacity - 1;
    this.#shift = Math.clz32(capacity - 1);
    for (let at = 0; at < old.length; at += 2) if (old[at] !== EMPTY) this.#put(old[at]! - 1);
  }
}

const keyOf = (account: number, line: number): number => (Math.imul(account, LINES) + line) | 0;
