/** Appends values to a byte array that grows. One writer can serve many records: `clear` and go on. */
import { assert } from '@orrery/units';

/** The longest text of a record, in characters: far above any key, far below a frame. */
export const TEXT_LENGTH_MAX = 4_096;

const FIRST_CAPACITY = 1_024;
const INT64_MAX = 0x7fff_ffff_ffff_ffffn;
const UINT64_MAX = 0xffff_ffff_ffff_ffffn;
const UINT32_RANGE = 0x1_0000_0000;

export class Writer {
  #bytes: Uint8Array<ArrayBuffer>;
  #view: DataView;
  #length = 0;

  constructor(capacity: number = FIRST_CAPACITY) {
    this.#bytes = new Uint8Array(capacity);
    this.#view = new DataView(this.#bytes.buffer);
  }

  get length(): number {
    return this.#length;
  }

  /** What was written so far. A view: it changes with the next write. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#length);
  }

  /** A copy of what was written so far. */
  take(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
  }

  /** Forgets everything written after `length`. */
  truncate(length: number): void {
    assert(length <= this.#length, 'a writer can only be cut shorter');
    this.#length = length;
  }

  /** Forgets the first `count` bytes: what comes after them moves to the front. */
  drop(count: number): void {
    assert(count <= this.#length, 'only written bytes can be dropped');
    this.#bytes.copyWithin(0, count, this.#length);
    this.#length -= count;
  }

  byte(value: number): void {
    if (this.#length === this.#bytes.length) this.#grow(1);
    this.#bytes[this.#length] = value;
    this.#length += 1;
  }

  /** Four bytes, little-endian. */
  uint32(value: number): void {
    this.#reserve(4);
    this.#view.setUint32(this.#length, value, true);
    this.#length += 4;
  }

  /** Writes over four bytes that were written before: for lengths and checksums known only afterwards. */
  patchUint32(offset: number, value: number): void {
    assert(offset + 4 <= this.#length, 'only written bytes can be patched');
    this.#view.setUint32(offset, value, true);
  }

  /** Eight bytes, little-endian. */
  uint64(value: number): void {
    this.uint32(value % UINT32_RANGE);
    this.uint32(Math.floor(value / UINT32_RANGE));
  }

  /** A safe integer from 0, seven bits a byte, the lowest first. */
  uint(value: number): void {
    // What needs more than one byte lies apart, so that this is short enough for the compiler to put into every record.
    if ((value & 0x7f) === value) this.byte(value);
    else this.#longUint(value);
  }

  /** A signed integer of any size: sign and number of bytes in the first byte, then the magnitude, the lowest byte first. */
  bigint(value: bigint): void {
    if (value < 0n || value > INT64_MAX) {
      this.#anyBigint(value);
      return;
    }
    this.#reserve(9);
    const start = this.#length;
    this.#length += 1;
    const size = this.#eightBytes(value);
    this.#bytes[start] = size;
    this.#length += size;
  }

  /** ASCII only: every text of the protocol is a code, a key or an address. */
  text(value: string): void {
    if (value === '') this.byte(0);
    else this.#someText(value);
  }

  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  #longUint(value: number): void {
    if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`not a safe integer from 0: ${value}`);
    this.#reserve(8);
    const bytes = this.#bytes;
    let end = this.#length;
    let rest = value;
    for (; rest > 0x7fff_ffff; rest = Math.floor(rest / 0x80)) bytes[end++] = (rest % 0x80) | 0x80;
    for (; rest > 0x7f; rest >>>= 7) bytes[end++] = (rest & 0x7f) | 0x80;
    bytes[end++] = rest;
    this.#length = end;
  }

  #anyBigint(value: bigint): void {
    const negative = value < 0n;
    const start = this.#length;
    let rest = negative ? -value : value;
    this.#reserve(9);
    for (this.#length += 1; rest > UINT64_MAX; rest >>= 64n) {
      this.#eightBytes(rest);
      this.#length += 8;
      this.#reserve(8);
    }
    this.#length += this.#eightBytes(rest);
    const size = this.#length - start - 1;
    if (size > 0x7f) throw new RangeError('an integer of more than 127 bytes');
    this.#bytes[start] = negative ? size | 0x80 : size;
  }

  #someText(value: string): void {
    if (value.length > TEXT_LENGTH_MAX) throw new RangeError(`text of more than ${TEXT_LENGTH_MAX} characters`);
    this.uint(value.length);
    this.#reserve(value.length);
    const [bytes, start] = [this.#bytes, this.#length];
    for (let index = 0; index < value.length; index += 1) {
      const code = value.charCodeAt(index);
      if (code > 0x7f) throw new RangeError(`text that is not ASCII: ${JSON.stringify(value)}`);
      bytes[start + index] = code;
    }
    this.#length = start + value.length;
  }

  /** Puts the lowest eight bytes, for which there is room, at the end without including them. Returns how many of them are needed. */
  #eightBytes(value: bigint): number {
    this.#view.setBigUint64(this.#length, value, true);
    const high = this.#view.getUint32(this.#length + 4, true);
    return high === 0 ? 4 - (Math.clz32(this.#view.getUint32(this.#length, true)) >>> 3) : 8 - (Math.clz32(high) >>> 3);
  }

  #reserve(size: number): void {
    if (this.#length + size > this.#bytes.length) this.#grow(size);
  }

  #grow(size: number): void {
    const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + size));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
    this.#view = new DataView(grown.buffer);
  }
}
