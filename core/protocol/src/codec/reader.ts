/** Reads back what a `Writer` wrote. Bytes that no writer could have written are a `DecodeError`, never a guess. */
import { TEXT_LENGTH_MAX } from './writer.ts';

export class DecodeError extends Error {
  override readonly name = 'DecodeError';
}

const UINT32_RANGE = 0x1_0000_0000;
const fromCharCode = String.fromCharCode;
/** Up to this length V8 copies what `+` joins; beyond it keeps the parts. */
const SHORT_TEXT = 12;

export class Reader {
  #bytes: Uint8Array;
  #offset: number;
  #end: number;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#offset = 0;
    this.#end = bytes.length;
  }

  get offset(): number {
    return this.#offset;
  }

  get atEnd(): boolean {
    return this.#offset === this.#end;
  }

  /** Goes on with the part of `bytes` from `start` to `end`: one reader can serve many records. */
  reset(bytes: Uint8Array, start: number, end: number): void {
    if (start < 0 || end > bytes.length || start > end) throw new DecodeError('the part to read lies outside the bytes');
    this.#bytes = bytes;
    this.#offset = start;
    this.#end = end;
  }

  byte(): number {
    const value = this.#offset < this.#end ? this.#bytes[this.#offset] : undefined;
    if (value === undefined) throw new DecodeError('the record ends too soon');
    this.#offset += 1;
    return value;
  }

  /** The next byte, which stays the next one; -1 at the end. */
  peek(): number {
    return this.#offset < this.#end ? (this.#bytes[this.#offset] ?? -1) : -1;
  }

  uint32(): number {
    return this.byte() + this.byte() * 0x100 + this.byte() * 0x1_0000 + this.byte() * 0x100_0000;
  }

  uint64(): number {
    const value = this.uint32() + this.uint32() * UINT32_RANGE;
    if (!Number.isSafeInteger(value)) throw new DecodeError('an integer beyond the safe ones');
    return value;
  }

  uint(): number {
    const first = this.byte();
    return first < 0x80 ? first : this.#longUint(first);
  }

  bigint(): bigint {
    const header = this.byte();
    if (header === 0) return 0n;
    const size = header & 0x7f;
    const magnitude = size <= 6 ? BigInt(this.#magnitude(size)) : this.#largeMagnitude(size);
    if (header < 0x80) return magnitude;
    if (magnitude === 0n) throw new DecodeError('a negative zero');
    return -magnitude;
  }

  text(): string {
    const length = this.uint();
    if (length === 0) return '';
    if (length > TEXT_LENGTH_MAX || length > this.#end - this.#offset) throw new DecodeError('a text longer than its record');
    if (length > SHORT_TEXT) return this.#longText(length);
    let text = '';
    let rest = length;
    for (; rest >= 4; rest -= 4) text += fromCharCode(this.#ascii(), this.#ascii(), this.#ascii(), this.#ascii());
    for (; rest > 0; rest -= 1) text += fromCharCode(this.#ascii());
    return text;
  }

  /** In one call: a long text that is put together from parts is as many objects until it is first compared or written. */
  #longText(length: number): string {
    const codes: number[] = [];
    for (let rest = length; rest > 0; rest -= 1) codes.push(this.#ascii());
    return fromCharCode(...codes);
  }

  /** A view of the next `size` bytes. */
  raw(size: number): Uint8Array {
    if (size > this.#end - this.#offset) throw new DecodeError('the record ends too soon');
    this.#offset += size;
    return this.#bytes.subarray(this.#offset - size, this.#offset);
  }

  /** A view of what was read since `offset`. */
  since(offset: number): Uint8Array {
    return this.#bytes.subarray(offset, this.#offset);
  }

  #longUint(first: number): number {
    let value = first & 0x7f;
    let weight = 0x80;
    for (;;) {
      const next = this.byte();
      value += (next & 0x7f) * weight;
      if (next < 0x80) {
        if (next === 0) throw new DecodeError('an integer with empty high bits');
        if (!Number.isSafeInteger(value)) throw new DecodeError('an integer beyond the safe ones');
        return value;
      }
      weight *= 0x80;
      if (weight > Number.MAX_SAFE_INTEGER) throw new DecodeError('an integer beyond the safe ones');
    }
  }

  #magnitude(size: number): number {
    let value = 0;
    let weight = 1;
    let last = 1;
    for (let index = 0; index < size; index += 1) {
      last = this.byte();
      value += last * weight;
      weight *= 0x100;
    }
    if (last === 0) throw new DecodeError('an integer with empty high bytes');
    return value;
  }

  #largeMagnitude(size: number): bigint {
    let value = 0n;
    let shift = 0n;
    let rest = size;
    for (; rest > 6; rest -= 6) {
      value |= BigInt(this.#sixBytes()) << shift;
      shift += 48n;
    }
    return value | (BigInt(this.#magnitude(rest)) << shift);
  }

  #sixBytes(): number {
    return this.uint32() + this.byte() * UINT32_RANGE + this.byte() * UINT32_RANGE * 0x100;
  }

  #ascii(): number {
    const code = this.byte();
    if (code > 0x7f) throw new DecodeError('text that is not ASCII');
    return code;
  }
}
