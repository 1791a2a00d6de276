/**
 * The names that a client gave to the orders of one account, in a chained hash of numbers. A name is the number of its row; its text stands with the
 * order it names. Objects and texts that live for a day would be copied by the collector, and swept in the end.
 */
import { assert } from '@orrery/units';
import { keyedHash, type HashKey } from '../keyed/keyed-hash.ts';
import { NO_NAME, type Name, type NamedOrder } from './named-order.ts';

/** In the place of the number of a closing. */
export const NO_CLOSING = -1;

const HEADS_MIN = 8;

export class Names<Open extends NamedOrder> {
  readonly #textOfClosing: (closing: number) => string;
  readonly #key: HashKey;
  /** By the low bits of the hash: the newest name of the chain. */
  #heads = new Int32Array(HEADS_MIN).fill(NO_NAME);
  #count = 0;
  // A row for each name: what it hashes to, the next of its chain, and what it names.
  readonly #hashes: number[] = [];
  readonly #next: Name[] = [];
  readonly #open: (Open | undefined)[] = [];
  readonly #closings: number[] = [];
  /** The row that was freed last, the first of a chain. */
  #freed: Name = NO_NAME;
  /** An order asks for its name three times on its way in: it is searched for once. No order has the empty name. */
  #sought = '';
  #found: Name = NO_NAME;

  /** @param textOfClosing the name of the order that closed as this number of the account's closings. */
  constructor(textOfClosing: (closing: number) => string, key: HashKey) {
    this.#textOfClosing = textOfClosing;
    this.#key = key;
  }

  /** The name, or NO_NAME. */
  find(text: string): Name {
    if (text === this.#sought) return this.#found;
    this.#sought = text;
    this.#found = this.#search(text);
    return this.#found;
  }

  /** Made when there is none: it must name an order before the next is searched for. */
  at(text: string): Name {
    const known = this.find(text);
    if (known !== NO_NAME) return known;
    this.#found = this.#make(keyedHash(text, this.#key));
    return this.#found;
  }

  /** Takes out what names no order any more. */
  remove(name: Name): void {
    const hash = this.#hashes[name];
    assert(
      hash !== undefined && this.#open[name] === undefined && this.#closings[name] === NO_CLOSING,
      'a name that is taken out names nothing',
    );
    this.#unchain(name, hash);
    this.#next[name] = this.#freed;
    this.#freed = name;
    this.#count -= 1;
    if (name === this.#found) this.#found = NO_NAME;
  }

  /** The open order of this name. */
  open(name: Name): Open | undefined {
    return this.#open[name];
  }

  setOpen(name: Name, open: Open | undefined): void {
    this.#open[name] = open;
  }

  /** The number of the last closing of this name while it is remembered, or NO_CLOSING. */
  closing(name: Name): number {
    return this.#closings[name] ?? NO_CLOSING;
  }

  setClosing(name: Name, closing: number): void {
    this.#closings[name] = closing;
  }

  #search(text: string): Name {
    const hash = keyedHash(text, this.#key);
    let name = this.#headOf(hash);
    while (name !== NO_NAME && !(this.#hashes[name] === hash && this.#textOf(name) === text)) name = this.#nextOf(name);
    return name;
  }

  #textOf(name: Name): string {
    return this.open(name)?.asked.clientOrderId ?? this.#textOfClosing(this.closing(name));
  }

  #make(hash: number): Name {
    if (this.#count === this.#heads.length) this.#grow();
    const name = this.#freed === NO_NAME ? this.#newRow() : this.#takeFreed();
    this.#hashes[name] = hash;
    this.#chain(name, hash);
    this.#count += 1;
    return name;
  }

  #newRow(): Name {
    this.#open.push(undefined);
    return this.#closings.push(NO_CLOSING) - 1;
  }

  #takeFreed(): Name {
    const name = this.#freed;
    this.#freed = this.#nextOf(name);
    return name;
  }

  #chain(name: Name, hash: number): void {
    this.#next[name] = this.#headOf(hash);
    this.#heads[hash & (this.#heads.length - 1)] = name;
  }

  #unchain(name: Name, hash: number): void {
    if (this.#headOf(hash) === name) {
      this.#heads[hash & (this.#heads.length - 1)] = this.#nextOf(name);
      return;
    }
    let before = this.#headOf(hash);
    while (this.#nextOf(before) !== name) before = this.#nextOf(before);
    this.#next[before] = this.#nextOf(name);
  }

  #headOf(hash: number): Name {
    return this.#heads[hash & (this.#heads.length - 1)] ?? NO_NAME;
  }

  #nextOf(name: Name): Name {
    const next = this.#next[name];
    assert(next !== undefined, 'a name stands in its chain');
    return next;
  }

  /** All rows are names in use, for a freed one is taken before. */
  #grow(): void {
    this.#heads = new Int32Array(this.#heads.length * 2).fill(NO_NAME);
    for (const [name, hash] of this.#hashes.entries()) this.#chain(name, hash);
  }
}
