/**
 * Texts by key, kept for good, outside the heap of the collector: bytes in a few large arrays, which garbage collection never walks. Nothing is taken
 * out. The keys are spread over shards, so that no growth copies more than a part of everything.
 *
 *   int 0   int 4          byte 8   byte 8 + k
 *   hash    k, length of   key      text, to the next entry
 *           key
 */
import { assert } from '@orrery/units';
import { keyedHash, OPEN_KEY, type HashKey } from './keyed-hash.ts';

const SHARDS = 64;
const HEADER = 8;
const SLOTS_MIN = 16;
const BYTES_MIN = 1_024;
const EMPTY = 0;

export class KeyTable {
  readonly #key: HashKey;
  readonly #shards: (Shard | undefined)[] = Array.from({ length: SHARDS }, () => undefined);
  #count = 0;

  /** @param key of the hash: clients choose some of the keys */
  constructor(key: HashKey = OPEN_KEY) {
    this.#key = key;
  }

  get size(): number {
    return this.#count;
  }

  get(key: string): string | undefined {
    const hash = keyedHash(key, this.#key);
    return this.#shards[hash & (SHARDS - 1)]?.get(key, hash);
  }

  /** @param key,text in ASCII; a key is added once */
  add(key: string, text: string): void {
    const hash = keyedHash(key, this.#key);
    const shard = (this.#shards[hash & (SHARDS - 1)] ??= new Shard());
    assert(shard.get(key, hash) === undefined, 'a key is added once');
    shard.add(key, text, hash);
    this.#count += 1;
  }

  /** In no order. */
  *[Symbol.iterator](): Generator<[key: string, text: string]> {
    for (const shard of this.#shards) if (shard !== undefined) yield* shard.entries();
  }
}

class Shard {
  #bytes = new Uint8Array(BYTES_MIN);
  /** Bytes in use. */
  #end = 0;
  /** By entry: where it begins; the end of the last one follows. */
  #starts = new Uint32Array(SLOTS_MIN);
  #count = 0;
  /** By the hash, with linear probing: the number of the entry and one, or EMPTY. At most half of them are taken. */
  #slots = new Uint32Array(SLOTS_MIN);

  get(key: string, hash: number): string | undefined {
    const entry = this.#slots[this.#slotOf(key, hash)] ?? EMPTY;
    return entry === EMPTY ? undefined : this.#text(entry - 1);
  }

  add(key: string, text: string, hash: number): void {
    if ((this.#count + 1) * 2 > this.#slots.length) this.#growSlots();
    const length = HEADER + key.length + text.length;
    while (this.#end + length > this.#bytes.length) this.#growBytes();
    this.#slots[this.#slotOf(key, hash)] = this.#count + 1;
    const start = this.#end;
    this.#writeInt(start, hash);
    this.#writeInt(start + 4, key.length);
    this.#write(start + HEADER, key);
    this.#write(start + HEADER + key.length, text);
    this.#count += 1;
    this.#end += length;
    this.#starts[this.#count] = this.#end;
  }

  *entries(): Generator<[string, string]> {
    for (let entry = 0; entry < this.#count; entry += 1) yield [this.#keyOf(entry), this.#text(entry)];
  }

  /** Where the key stands, or the slot in which it would be put. */
  #slotOf(key: string, hash: number): number {
    const mask = this.#slots.length - 1;
    // The low bits have chosen the shard.
    let slot = (hash >>> 6) & mask;
    for (;;) {
      const entry = this.#slots[slot]!;
      if (entry === EMPTY || this.#is(entry - 1, key, hash)) return slot;
      slot = (slot + 1) & mask;
    }
  }

  #is(entry: number, key: string, hash: number): boolean {
    const start = this.#starts[entry]!;
    if (this.#readInt(start) !== hash || this.#readInt(start + 4) !== key.length) return false;
    for (let at = 0; at < key.length; at += 1) if (this.#bytes[start + HEADER + at] !== key.charCodeAt(at)) return false;
    return true;
  }

  #keyOf(entry: number): string {
    const start = this.#starts[entry]!;
    return this.#read(start + HEADER, start + HEADER + this.#readInt(start + 4));
  }

  #text(entry: number): string {
    const start = this.#starts[entry]!;
    return this.#read(start + HEADER + this.#readInt(start + 4), this.#starts[entry + 1]!);
  }

  /** In one call: put together letter by letter, a text of 50 letters would be as many objects until it is first compared or written. */
  #read(from: number, to: number): string {
    const codes: number[] = [];
    for (let at = from; at < to; at += 1) codes.push(this.#bytes[at]!);
    return String.fromCharCode(...codes);
  }

  #write(from: number, text: string): void {
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      assert(code < 128, 'a key and its text are ASCII');
      this.#bytes[from + at] = code;
    }
  }

  #readInt(at: number): number {
    const bytes = this.#bytes;
    return bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
  }

  #writeInt(at: number, value: number): void {
    for (let byte = 0; byte < 4; byte += 1) this.#bytes[at + byte] = value >>> (byte * 8);
  }

  #growBytes(): void {
    const bytes = new Uint8Array(this.#bytes.length * 2);
    bytes.set(this.#bytes);
    this.#bytes = bytes;
  }

  #growSlots(): void {
    const length = this.#slots.length * 2;
    const starts = new Uint32Array(length);
    starts.set(this.#starts);
    this.#starts = starts;
    this.#slots = new Uint32Array(length);
    for (let entry = 0; entry < this.#count; entry += 1) {
      let slot = (this.#readInt(starts[entry]!) >>> 6) & (length - 1);
      while (this.#slots[slot] !== EMPTY) slot = (slot + 1) & (length - 1);
      this.#slots[slot] = entry + 1;
    }
  }
}
