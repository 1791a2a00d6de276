/**
 * Which price levels are used: a tree of pages, three steps of ten bits, each page with a bitmap of its used entries.
 * Looking up a price is three reads (one, on the page used last); the nearest used price is found by bits, not by walking prices.
 * Pages exist only where there are levels, so memory follows the book and not the range of its prices.
 */
import { assert } from '@orrery/units';
import { grownInts } from './column.ts';

export const NO_LEVEL = -1;
/** Keys are whole numbers from 0 up to, not including, this. */
export const KEY_LIMIT = 2 ** 30;

const PAGE_BITS = 10;
const PAGE_SIZE = 1 << PAGE_BITS;
const PAGE_MASK = PAGE_SIZE - 1;
const WORDS = PAGE_SIZE / 32;
const ROOT = 0;
const NO_PAGE = -1;

export class PriceLadder {
  #capacity = 4;
  /** Entry of a page: a page one step down, or a level on the last step; -1 when unused. */
  #entries = new Int32Array(this.#capacity * PAGE_SIZE).fill(NO_LEVEL);
  /** One bit an entry. */
  #used = new Int32Array(this.#capacity * WORDS);
  /** One bit a word of `#used` that has any bit. */
  #words = new Int32Array(this.#capacity);
  /** Pages ever made; emptied ones wait in `#free`. */
  #pages = 1;
  #free: number[] = [];
  #lastPrefix = -1;
  #lastPage = NO_PAGE;

  /** The level at `key`, or NO_LEVEL. */
  get(key: number): number {
    const page = this.#pageOf(key >> PAGE_BITS);
    return page === NO_PAGE ? NO_LEVEL : this.#entries[page * PAGE_SIZE + (key & PAGE_MASK)]!;
  }

  /** Puts a level at an unused key. */
  set(key: number, level: number): void {
    const middle = this.#child(ROOT, key >> (2 * PAGE_BITS));
    const page = this.#child(middle, (key >> PAGE_BITS) & PAGE_MASK);
    this.#mark(page, key & PAGE_MASK, level);
    this.#lastPrefix = key >> PAGE_BITS;
    this.#lastPage = page;
  }

  /** Clears a used key, and the pages that hold nothing more. */
  delete(key: number): void {
    const middle = this.#entries[key >> (2 * PAGE_BITS)]!;
    assert(middle !== NO_PAGE, 'the deleted level is on the ladder');
    const page = this.#entries[middle * PAGE_SIZE + ((key >> PAGE_BITS) & PAGE_MASK)]!;
    assert(page !== NO_PAGE, 'the deleted level is on the ladder');
    this.#clear(page, key & PAGE_MASK);
    if (this.#words[page] !== 0) return;
    this.#free.push(page);
    if (this.#lastPage === page) this.#lastPrefix = -1;
    this.#clear(middle, (key >> PAGE_BITS) & PAGE_MASK);
    if (this.#words[middle] !== 0) return;
    this.#free.push(middle);
    this.#clear(ROOT, key >> (2 * PAGE_BITS));
  }

  /** The level at the greatest used key below `key`, or NO_LEVEL. */
  below(key: number): number {
    const top = key >> (2 * PAGE_BITS);
    const middle = this.#entries[top]!;
    if (middle !== NO_PAGE) {
      const found = this.#belowIn(middle, key);
      if (found !== NO_LEVEL) return found;
    }
    const before = this.#previous(ROOT, top);
    return before === -1 ? NO_LEVEL : this.#lastUnder(this.#entries[before]!);
  }

  #belowIn(middle: number, key: number): number {
    const step = (key >> PAGE_BITS) & PAGE_MASK;
    const page = this.#entries[middle * PAGE_SIZE + step]!;
    if (page !== NO_PAGE) {
      const entry = this.#previous(page, key & PAGE_MASK);
      if (entry !== -1) return this.#entries[page * PAGE_SIZE + entry]!;
    }
    const before = this.#previous(middle, step);
    if (before === -1) return NO_LEVEL;
    const nearer = this.#entries[middle * PAGE_SIZE + before]!;
    return this.#entries[nearer * PAGE_SIZE + this.#previous(nearer, PAGE_SIZE)]!;
  }

  #lastUnder(middle: number): number {
    const page = this.#entries[middle * PAGE_SIZE + this.#previous(middle, PAGE_SIZE)]!;
    return this.#entries[page * PAGE_SIZE + this.#previous(page, PAGE_SIZE)]!;
  }

  /** The greatest used entry of a page below `entry`, or -1. */
  #previous(page: number, entry: number): number {
    const word = entry >> 5;
    // Of the bits below `entry`; none when it is the first of its word (or one past the page).
    const bits = word === WORDS ? 0 : this.#used[page * WORDS + word]! & ((1 << (entry & 31)) - 1);
    if (bits !== 0) return word * 32 + 31 - Math.clz32(bits);
    const words = word === WORDS ? this.#words[page]! : this.#words[page]! & ((1 << word) - 1);
    if (words === 0) return -1;
    const nearest = 31 - Math.clz32(words);
    return nearest * 32 + 31 - Math.clz32(this.#used[page * WORDS + nearest]!);
  }

  #pageOf(prefix: number): number {
    if (prefix === this.#lastPrefix) return this.#lastPage;
    const middle = this.#entries[prefix >> PAGE_BITS]!;
    if (middle === NO_PAGE) return NO_PAGE;
    const page = this.#entries[middle * PAGE_SIZE + (prefix & PAGE_MASK)]!;
    if (page === NO_PAGE) return NO_PAGE;
    this.#lastPrefix = prefix;
    this.#lastPage = page;
    return page;
  }

  #child(page: number, entry: number): number {
    const child = this.#entries[page * PAGE_SIZE + entry]!;
    if (child !== NO_PAGE) return child;
    const made = this.#free.pop() ?? this.#makePage();
    this.#mark(page, entry, made);
    return made;
  }

  #makePage(): number {
    if (this.#pages === this.#capacity) {
      this.#capacity *= 2;
      const filled = this.#entries.length;
      this.#entries = grownInts(this.#entries, this.#capacity * PAGE_SIZE).fill(NO_LEVEL, filled);
      this.#used = grownInts(this.#used, this.#capacity * WORDS);
      this.#words = grownInts(this.#words, this.#capacity);
    }
    this.#pages += 1;
    return this.#pages - 1;
  }

  #mark(page: number, entry: number, value: number): void {
    const word = entry >> 5;
    this.#entries[page * PAGE_SIZE + entry] = value;
    this.#used[page * WORDS + word]! |= 1 << (entry & 31);
    this.#words[page]! |= 1 << word;
  }

  #clear(page: number, entry: number): void {
    const word = entry >> 5;
    this.#entries[page * PAGE_SIZE + entry] = NO_LEVEL;
    this.#used[page * WORDS + word]! &= ~(1 << (entry & 31));
    if (this.#used[page * WORDS + word] === 0) this.#words[page]! &= ~(1 << word);
  }
}
