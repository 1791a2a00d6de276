/**
 * The balances in rows of 32 bytes: one cache line holds all of one.
 *
 *   word 0   word 1   int 4     int 5   int 6                    int 7
 *   free     orders   account   line   next of the same owner   marks
 *
 * Word 1 is the order margin, which nearly every command changes; the two other reserves stand in maps, and a mark says so.
 * Two ints lie over each word. Amounts that 64 signed bits do not hold stand in a map, and a mark says so: an asset of 18 decimals gets there
 * with ten of its units. The numbers stand in the code as they are: a name for each would be a read of its own.
 */
import { addAtoms, assert, atoms, NO_ATOMS, type Atoms } from '@orrery/units';
import { LINES, type Balance, type Reserve } from './balance.ts';
import type { RunningHash } from './running-hash.ts';

/** Stands for the account of a balance of the exchange itself. */
export const NOBODY = 0;
export const NO_BALANCE: Balance = -1;

const TOUCHED = 1;
const WIDE_FREE = 2;
const WIDE_ORDERS = 4;
const OVERDRAFT = 8;
const SETTLING = 16;
const OTHER_RESERVES = 32;

const WORDS_A_ROW = 4;
const CAPACITY_MIN = 256;

export class BalanceRows {
  #made = 0;
  words = new BigInt64Array(CAPACITY_MIN * WORDS_A_ROW);
  ints = new Int32Array(this.words.buffer);
  /** By word. */
  readonly #wide = new Map<number, Atoms>();
  /** Each by row, where it is not zero. */
  readonly #others: Readonly<Record<Exclude<Reserve, 'orderMargin'>, Map<Balance, Atoms>>> = {
    positionMargin: new Map(),
    withdrawalHold: new Map(),
  };

  /** An empty balance. @param account below 2^31 */
  make(account: number, line: number): Balance {
    assert(line >= 0 && line < LINES, 'an account has a line for each of its balances');
    if (this.#made * WORDS_A_ROW === this.words.length) this.#grow();
    const row = this.#made;
    this.#made += 1;
    this.ints[row * 8 + 4] = account;
    this.ints[row * 8 + 5] = line;
    this.ints[row * 8 + 6] = NO_BALANCE;
    return row;
  }

  /** Rows that were made. */
  get count(): number {
    return this.#made;
  }

  /** Mixes in whose balance it is, and what is free and held: of an amount of more than 64 bits the low ones. */
  mixInto(hash: RunningHash, row: Balance): void {
    const { ints } = this;
    const first = row * 8;
    hash.mix(ints[first + 4]! * LINES + ints[first + 5]!);
    hash.mix(ints[first]!);
    hash.mix(ints[first + 1]!);
    if ((ints[first + 7]! & OTHER_RESERVES) === 0) {
      hash.mix(ints[first + 2]!);
      hash.mix(ints[first + 3]!);
      return;
    }
    const held = this.held(row);
    hash.mix(Number(BigInt.asIntN(32, held)));
    hash.mix(Number(BigInt.asIntN(32, held >> 32n)));
    const margin = this.reserved(row, 'positionMargin');
    if (margin !== NO_ATOMS) hash.mix(Number(BigInt.asIntN(32, margin)));
  }

  account(row: Balance): number {
    return this.ints[row * 8 + 4]!;
  }

  line(row: Balance): number {
    return this.ints[row * 8 + 5]!;
  }

  next(row: Balance): Balance {
    return this.ints[row * 8 + 6]!;
  }

  setNext(row: Balance, next: Balance): void {
    this.ints[row * 8 + 6] = next;
  }

  free(row: Balance): Atoms {
    return (this.ints[row * 8 + 7]! & WIDE_FREE) === 0 ? atoms(this.words[row * 4]!) : this.#wideAt(row * 4);
  }

  /** The sum of its reserves. */
  held(row: Balance): Atoms {
    const orders = this.reserved(row, 'orderMargin');
    if ((this.ints[row * 8 + 7]! & OTHER_RESERVES) === 0) return orders;
    return addAtoms(orders, addAtoms(this.reserved(row, 'positionMargin'), this.reserved(row, 'withdrawalHold')));
  }

  reserved(row: Balance, reserve: Reserve): Atoms {
    if (reserve !== 'orderMargin') return this.#others[reserve].get(row) ?? NO_ATOMS;
    return (this.ints[row * 8 + 7]! & WIDE_ORDERS) === 0 ? atoms(this.words[row * 4 + 1]!) : this.#wideAt(row * 4 + 1);
  }

  /** Whether 64 bits hold what is free, and it is never below zero, not even within a command. */
  isPlain(row: Balance): boolean {
    return (this.ints[row * 8 + 7]! & (WIDE_FREE | OVERDRAFT | SETTLING)) === 0;
  }

  /** Whether it may be below zero until the command at work closes. */
  isSettling(row: Balance): boolean {
    return (this.ints[row * 8 + 7]! & SETTLING) !== 0;
  }

  setSettling(row: Balance, settling: boolean): void {
    if (settling) this.ints[row * 8 + 7]! |= SETTLING;
    else this.ints[row * 8 + 7]! &= ~SETTLING;
  }

  /** Whether it may be below zero. */
  isOverdraft(row: Balance): boolean {
    return (this.ints[row * 8 + 7]! & OVERDRAFT) !== 0;
  }

  allowOverdraft(row: Balance): void {
    this.ints[row * 8 + 7]! |= OVERDRAFT;
  }

  setFree(row: Balance, free: Atoms): void {
    // What a word does not give back is too long for it.
    this.words[row * 4] = free;
    if (this.words[row * 4] !== free || (this.ints[row * 8 + 7]! & WIDE_FREE) !== 0) this.#setWide(row, row * 4, WIDE_FREE, free);
  }

  setReserved(row: Balance, reserve: Reserve, amount: Atoms): void {
    if (reserve !== 'orderMargin') this.#setOther(row, reserve, amount);
    else {
      this.words[row * 4 + 1] = amount;
      const isWide = this.words[row * 4 + 1] !== amount || (this.ints[row * 8 + 7]! & WIDE_ORDERS) !== 0;
      if (isWide) this.#setWide(row, row * 4 + 1, WIDE_ORDERS, amount);
    }
  }

  /** Whether the command at work has changed it. */
  isTouched(row: Balance): boolean {
    return (this.ints[row * 8 + 7]! & TOUCHED) !== 0;
  }

  setTouched(row: Balance, touched: boolean): void {
    if (touched) this.ints[row * 8 + 7]! |= TOUCHED;
    else this.ints[row * 8 + 7]! &= ~TOUCHED;
  }

  #setOther(row: Balance, reserve: Exclude<Reserve, 'orderMargin'>, amount: Atoms): void {
    const { positionMargin, withdrawalHold } = this.#others;
    if (amount === NO_ATOMS) this.#others[reserve].delete(row);
    else this.#others[reserve].set(row, amount);
    if (positionMargin.has(row) || withdrawalHold.has(row)) this.ints[row * 8 + 7]! |= OTHER_RESERVES;
    else this.ints[row * 8 + 7]! &= ~OTHER_RESERVES;
  }

  #wideAt(word: number): Atoms {
    const amount = this.#wide.get(word);
    assert(amount !== undefined, 'a wide amount is in the map');
    return amount;
  }

  #setWide(row: Balance, word: number, mark: number, amount: Atoms): void {
    if (this.words[word] === amount) {
      this.#wide.delete(word);
      this.ints[row * 8 + 7]! &= ~mark;
    } else {
      this.#wide.set(word, amount);
      this.ints[row * 8 + 7]! |= mark;
    }
  }

  #grow(): void {
    const words = new BigInt64Array(this.words.length * 2);
    words.set(this.words);
    this.words = words;
    this.ints = new Int32Array(words.buffer);
  }
}
