import * as fc from 'fast-check';
import { orderId } from '@orrery/units';
import { beforeEach, describe, expect, test } from 'vitest';
import { OrderHash } from './order-hash.ts';
import { OrderIndex } from './order-index.ts';
import { BookRows, NO_SLOT, type Slot } from './book-rows.ts';

/** Both kinds of change, in any proportion, on orders of any age. */
interface Course {
  /** Ids between two orders: 0 is a neighbour. */
  readonly gaps: readonly number[];
  /** After each order so many others leave, each chosen by its age. */
  readonly leaving: readonly number[];
}

const course: fc.Arbitrary<Course> = fc.record({
  gaps: fc.array(fc.oneof(fc.constant(0), fc.nat(3), fc.nat(2 ** 33)), { minLength: 1, maxLength: 40 }),
  leaving: fc.array(fc.nat(100), { minLength: 1, maxLength: 40 }),
});

type Index = OrderIndex | OrderHash;

/** The hash alone holds what the window would keep from it. */
const INDEXES = [
  ['the index', (rows: BookRows): Index => new OrderIndex(rows)],
  ['the hash of older orders', (rows: BookRows): Index => new OrderHash(rows)],
] as const;

/** An order on a level of its own, so that its row has its id. */
const take = (rows: BookRows, id: number): Slot => rows.join(rows.open(1), id, 1, 1);

class Twins {
  readonly #rows = new BookRows();
  readonly #index: Index;
  readonly #known = new Map<number, Slot>();

  constructor(make: (rows: BookRows) => Index) {
    this.#index = make(this.#rows);
  }

  enter(id: number): void {
    const slot = take(this.#rows, id);
    this.#index.insert(orderId(id), slot);
    this.#known.set(id, slot);
  }

  /** @param age from 0, the newest, to 1 */
  leave(age: number): void {
    const ids = [...this.#known.keys()];
    const id = ids[Math.floor((1 - age) * (ids.length - 1))];
    if (id === undefined) return;
    const slot = this.#known.get(id) ?? NO_SLOT;
    this.#index.delete(id, slot);
    this.#rows.leave(this.#rows.level(slot), slot);
    this.#known.delete(id);
  }

  check(absent: number): void {
    expect(this.#index.size).toBe(this.#known.size);
    for (const [id, slot] of this.#known) expect(this.#index.find(orderId(id))).toBe(slot);
    if (!this.#known.has(absent)) expect(this.#index.find(orderId(absent))).toBe(NO_SLOT);
  }
}

test.each(INDEXES)(
  '%s finds every order that is there and no other, whatever the gaps between ids and the ages of those who leave',
  (_name, make) => {
    fc.assert(
      fc.property(course, fc.integer({ min: 1, max: 400 }), ({ gaps, leaving }, orders) => {
        const twins = new Twins(make);
        let id = 1;
        for (let count = 0; count < orders; count += 1) {
          twins.enter(id);
          if (count % 2 === 0) twins.leave((leaving[count % leaving.length] ?? 0) / 100);
          id += 1 + (gaps[count % gaps.length] ?? 0);
        }
        twins.check(id);
      }),
    );
  },
);

test.each(INDEXES)('%s holds thousands of orders that outlive the window, and all of them leave again', (_name, make) => {
  const twins = new Twins(make);
  // A few stay of each hundred: the window is too short for them, and grows; then it is too long, and shrinks.
  for (let id = 1; id <= 15_000; id += 1) {
    twins.enter(id);
    if (id % 3 !== 0) twins.leave(0);
  }
  twins.check(15_001);
  for (let count = 0; count < 4_990; count += 1) twins.leave(count % 2);
  twins.check(15_001);
  for (let id = 15_001; id <= 16_000; id += 1) twins.enter(id);
  twins.check(16_001);
});

describe('the window follows the orders that live', () => {
  const slots: Slot[] = [];
  let rows: BookRows;
  let index: OrderIndex;
  beforeEach(() => {
    rows = new BookRows();
    index = new OrderIndex(rows);
  });

  const enter = (id: number): void => {
    slots[id] = take(rows, id);
    index.insert(orderId(id), slots[id]);
  };
  const leave = (id: number): void => {
    const slot = slots[id] ?? NO_SLOT;
    index.delete(id, slot);
    rows.leave(rows.level(slot), slot);
  };
  const enterAndKeepEvery = (nth: number, last: number): void => {
    for (let id = 1; id <= last; id += 1) {
      enter(id);
      if (id % nth !== 0) leave(id);
    }
  };

  test.each([
    { kept: 'all, one in five too old for it', nth: 1, last: 5_000, places: 4_096 },
    { kept: 'all, one in four and more too old for it', nth: 1, last: 6_000, places: 8_192 },
    { kept: 'one in eight', nth: 8, last: 32_000, places: 32_768 },
    { kept: 'so few that a window for all of their ids would be too long', nth: 64, last: 64_000, places: 8_192 },
    { kept: 'none', nth: Infinity, last: 64_000, places: 4_096 },
  ])('$kept: $places places', ({ nth, last, places }) => {
    enterAndKeepEvery(nth, last);
    expect(index.places).toBe(places);
  });

  test('it becomes shorter when it has 32 places for each, and is as short as at first in the end', () => {
    enterAndKeepEvery(8, 32_000);
    const shortened: number[] = [];
    for (let id = 8; id <= 32_000; id += 8) {
      const { places } = index;
      leave(id);
      if (index.places !== places) shortened.push(index.size);
    }
    expect(shortened).toEqual([1_023, 511, 255]);
    expect(index.places).toBe(4_096);
  });
});

test.each(INDEXES)('%s takes no id that stands in the book already, be it near or old', (_name, make) => {
  const rows = new BookRows();
  const index = make(rows);
  for (const id of [1, 4_097]) index.insert(orderId(id), take(rows, id));
  expect(() => index.insert(orderId(4_097), take(rows, 4_097))).toThrow('once');
  expect(() => index.insert(orderId(1), take(rows, 1))).toThrow('once');
});

test.each(INDEXES)('%s knows orders apart whose ids differ in the high bits only', (_name, make) => {
  const rows = new BookRows();
  const index = make(rows);
  const ids = [5, 2 ** 32 + 5, 2 ** 40 + 5].map(orderId);
  const slots = ids.map((id) => take(rows, id));
  for (const [place, id] of ids.entries()) index.insert(id, slots[place] ?? NO_SLOT);
  expect(ids.map((id) => index.find(id))).toEqual(slots);
  expect(index.find(orderId(2 ** 33 + 5))).toBe(NO_SLOT);
  index.delete(ids[1] ?? 0, slots[1] ?? NO_SLOT);
  expect(ids.map((id) => index.find(id))).toEqual([slots[0], NO_SLOT, slots[2]]);
});

test('an order that is not there can not be taken out', () => {
  const rows = new BookRows();
  const index = new OrderHash(rows);
  index.insert(orderId(1), take(rows, 1));
  expect(() => index.delete(2, take(rows, 2))).toThrow('is in the index');
});
