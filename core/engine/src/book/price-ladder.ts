/**
 * Which keys of price levels are used: two trees of pages, one for each side, three steps of ten bits, each page with a bitmap of its used
 * entries. Looking up a key is three reads (one, on the page used last); the nearest used key is found by bits, not by walking keys.
 * Pages exist only where there are levels, so memory follows the book and not the range of its prices.
 */
import { assert } from '@orrery/units';
import { NO_LEVEL } from './book-rows.ts';

const PAGE_BITS = 10;
/** Keys are whole numbers of 31 bits: the highest one chooses between two roots, which are the first two pages. */
const ROOTS = 2;

const PAGE_SIZE = 1 << PAGE_BITS;
const PAGE_MASK = PAGE_SIZE - 1;
const WORDS = PAGE_SIZE / 32;
const NO_PAGE = -1;

const rootOf = (key: number): number => key >> (3 * PAGE_BITS);
const topOf = (key: number): number => (key >> (2 * PAGE_BITS)) & PAGE_MASK;

export class PriceLadder {
  #capacity = 4;
  /** Entry of a page: a page one step down, or a level on the last step; -1 when unused. */
  #entries = new Int32Array(this.#capacity * PAGE_SIZE).fill(NO_LEVEL);
  /** One bit an entry. */
  #used = new Int32Array(this.#capacity * WORDS);
  /** One bit a word of `#used` that has any bit. */
  #words = new Int32Array(this.#capacity);
  /** Pages ever made; emptied ones wait in `#free`. */
  #pages = ROOTS;
  #free: number[] = [];
  /** The page used last under each root, and the keys it is for. */
  readonly #lastPrefix = Int32Array.of(-1, -1);
  readonly #lastPage = Int32Array.of(NO_PAGE, NO_PAGE);

  /** The level at `key`, or NO_LEVEL. */
  get(key: number): number {
    const root = rootOf(key);
    const page = key >> PAGE_BITS === this.#lastPrefix[root] ? this.#lastPage[root]! : this.#pageOf(key);
    return page === NO_PAGE ? NO_LEVEL : this.#entries[page * PAGE_SIZE + (key & PAGE_MASK)]!;
  }

  /** Puts a level at an unused key. */
  set(key: number, level: number): void {
    const middle = this.#child(rootOf(key), topOf(key));
    const page = this.#child(middle, (key >> PAGE_BITS) & PAGE_MASK);
    this.#mark(page, key & PAGE_MASK, level);
    this.#lastPrefix[rootOf(key)] = key >> PAGE_BITS;
    this.#lastPage[rootOf(key)] = page;
  }

  /** Clears a used key, and the pages that hold nothing more. */
  delete(key: number): void {
    const middle = this.#entries[rootOf(key) * PAGE_SIZE + topOf(key)]!;
    assert(middle !== NO_PAGE, 'the deleted level is on the ladder');
    const page = this.#entries[middle * PAGE_SIZE + ((key >> PAGE_BITS) & PAGE_MASK)]!;
    assert(page !== NO_PAGE, 'the deleted level is on the ladder');
    this.#clear(page, key & PAGE_MASK);
    if (this.#words[page] !== 0) return;
    this.#free.push(page);
    if (this.#lastPage[rootOf(key)] === page) this.#lastPrefix[rootOf(key)] = -1;
    this.#clear(middle, (key >> PAGE_BITS) & PAGE_MASK);
    if (this.#words[middle] !== 0) return;
    this.#free.push(middle);
    this.#clear(rootOf(key), topOf(key));
  }

  /** The level at the greatest used key below `key` under the same root, or NO_LEVEL. */
  below(key: number): number {
    const root = rootOf(key);
    const middle = this.#entries[root * PAGE_SIZE + topOf(key)]!;
    if (middle !== NO_PAGE) {
      const found = this.#belowIn(middle, key);
      if (found !== NO_LEVEL) return found;
    }
    const before = this.#previous(root, topOf(key));
    return before === -1 ? NO_LEVEL : this.#lastUnder(this.#entries[root * PAGE_SIZE + before]!);
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

  /** The page of a key, which is the one used last from now on. */
  #pageOf(key: number): number {
    const root = rootOf(key);
    const middle = this.#entries[root * PAGE_SIZE + topOf(key)]!;
    if (middle === NO_PAGE) return NO_PAGE;
    const page = this.#entries[middle * PAGE_SIZE + ((key >> PAGE_BITS) & PAGE_MASK)]!;
    if (page === NO_PAGE) return NO_PAGE;
    this.#lastPrefix[root] = key >> PAGE_BITS;
    this.#lastPage[root] = page;
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

function grownInts(ints: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const grown = new Int32Array(length);
  grown.set(ints);
  return grown;
}
