/**
 * The orders that closed lately under a name, in the bytes of a snapshot: oldest first, each with its number among the closings
 * of the account. As objects they would be copied and finally swept by the garbage collector, and encoded again for every proof.
 */
import { assert, type Millis, type OrderId } from '@orrery/units';
import { fields, anyOrderField, Reader, Writer, type Field, type Order } from '@orrery/protocol';
import type { Name } from './named-order.ts';

/** What is remembered of a closed order: enough to know the command that placed it when it comes again. */
export interface ClosedClientOrder {
  readonly order: Order;
  /** The order it was an amendment of; 0 for none. */
  readonly replaces: OrderId | 0;
  readonly closedAt: Millis;
}

/** Closings as a snapshot has them, one after another. */
export interface EncodedClosings {
  readonly count: number;
  /** A view: it holds until the next closing. */
  readonly bytes: Uint8Array;
}

export const closedOrderField: Field<ClosedClientOrder> = {
  write: (writer, { order, replaces, closedAt }) => {
    anyOrderField.write(writer, order);
    fields.optionalOrder.write(writer, replaces);
    fields.time.write(writer, closedAt);
  },
  read: (reader) => ({
    order: anyOrderField.read(reader),
    replaces: fields.optionalOrder.read(reader),
    closedAt: fields.time.read(reader),
  }),
};

/** The bytes of evicted closings are released when they are this many. */
const FORGOTTEN_MAX = 1_024;
const FIRST_BYTES = 256;
const reader = new Reader(new Uint8Array());

/** Which closing is the last of a name: kept by `Names`. */
export interface LastClosings {
  closing(name: Name): number;
  setClosing(name: Name, closing: number): void;
}

export class Closings {
  readonly #bytes = new Writer(FIRST_BYTES);
  /** The last closing of a name is known to it. */
  readonly #names: LastClosings;
  /** A row for each closing, the first `#forgotten` of them no longer used: its name, when it closed, where its bytes end. */
  #named: Name[] = [];
  #closedAt: Millis[] = [];
  #ends: number[] = [];
  #forgotten = 0;
  /** The number of the first row. */
  #first = 0;

  constructor(names: LastClosings) {
    this.#names = names;
  }

  /** How many are kept, those included whose name has closed again since. */
  get count(): number {
    return this.#named.length - this.#forgotten;
  }

  /** Takes a closing in, as the last one of its name. */
  push(closed: ClosedClientOrder, name: Name): void {
    closedOrderField.write(this.#bytes, closed);
    this.#names.setClosing(name, this.#first + this.#named.length);
    this.#named.push(name);
    this.#closedAt.push(closed.closedAt);
    this.#ends.push(this.#bytes.length);
  }

  /** The order of a closing that is kept. */
  read(number: number): ClosedClientOrder {
    const row = this.#rowOf(number);
    reader.reset(this.#bytes.bytes, this.#startOf(row), at(this.#ends, row));
    return closedOrderField.read(reader);
  }

  /** When the order of a kept closing closed. */
  closedAt(number: number): Millis {
    return at(this.#closedAt, this.#rowOf(number));
  }

  /** The number of the oldest; there must be one. */
  get oldest(): number {
    assert(this.count > 0, 'a closing is kept');
    return this.#first + this.#forgotten;
  }

  /** The name under which it closed. */
  nameOf(number: number): Name {
    return at(this.#named, this.#rowOf(number));
  }

  forgetOldest(): void {
    assert(this.count > 0, 'a closing is kept');
    this.#forgotten += 1;
    if (this.#forgotten === FORGOTTEN_MAX) this.#makeRoom();
  }

  /** Lets go of those whose name has closed again since. */
  keepCurrent(): void {
    const { bytes } = this.encoded();
    const current = this.#named.filter((_name, row) => row >= this.#forgotten && this.#isCurrent(row));
    const copy = bytes.slice();
    this.#bytes.clear();
    this.#first += this.#named.length;
    this.#named = [];
    this.#closedAt = [];
    this.#ends = [];
    this.#forgotten = 0;
    reader.reset(copy, 0, copy.length);
    for (const name of current) this.push(closedOrderField.read(reader), name);
  }

  /** Those that are the last of their name. */
  encoded(): EncodedClosings {
    const all = this.#bytes.bytes.subarray(this.#startOf(this.#forgotten));
    let row = this.#forgotten;
    while (row < this.#named.length && this.#isCurrent(row)) row += 1;
    if (row === this.#named.length) return { count: this.count, bytes: all };
    const writer = new Writer(all.length);
    let count = 0;
    for (row = this.#forgotten; row < this.#named.length; row += 1) {
      if (!this.#isCurrent(row)) continue;
      writer.raw(this.#bytes.bytes.subarray(this.#startOf(row), this.#ends[row]));
      count += 1;
    }
    return { count, bytes: writer.bytes };
  }

  #makeRoom(): void {
    const bytes = this.#startOf(this.#forgotten);
    this.#bytes.drop(bytes);
    this.#named = this.#named.slice(this.#forgotten);
    this.#closedAt = this.#closedAt.slice(this.#forgotten);
    this.#ends = this.#ends.slice(this.#forgotten).map((end) => end - bytes);
    this.#first += this.#forgotten;
    this.#forgotten = 0;
  }

  #isCurrent(row: number): boolean {
    return this.#names.closing(at(this.#named, row)) === this.#first + row;
  }

  #startOf(row: number): number {
    return row === 0 ? 0 : at(this.#ends, row - 1);
  }

  #rowOf(number: number): number {
    const row = number - this.#first;
    assert(row >= this.#forgotten, 'the closing is kept');
    return row;
  }
}

function at<Value>(rows: readonly Value[], row: number): Value {
  const value = rows[row];
  assert(value !== undefined, 'the closing is kept');
  return value;
}

export function* decodeClosings({ count, bytes }: EncodedClosings): Generator<ClosedClientOrder> {
  const each = new Reader(bytes);
  for (let rest = count; rest > 0; rest -= 1) yield closedOrderField.read(each);
}
