import { expect, test } from 'vitest';
import { BookRows, NO_LEVEL, NO_SLOT, type LevelSlot, type Slot } from './book-rows.ts';

/** More than the rows begin with room for, twice. */
const MANY = 2_500;
const KEY = 2 ** 31 - 1;

/** An order by a number from which all that it has is made. */
const join = (rows: BookRows, level: LevelSlot, number: number): Slot => rows.join(level, 2 ** 40 + number, number, 3 * number);
const orderOf = (rows: BookRows, slot: Slot): readonly number[] => [rows.orderId(slot), rows.account(slot), rows.remaining(slot)];
const wanted = (number: number): readonly number[] => [2 ** 40 + number, number, 3 * number];

/** The numbers of a level's orders, from the first. */
function queue(rows: BookRows, level: LevelSlot): number[] {
  const numbers: number[] = [];
  for (let slot = rows.next(level); slot !== level; slot = rows.next(slot)) numbers.push(rows.account(slot));
  return numbers;
}

test('a level begins without orders, without lots and without neighbours', () => {
  const rows = new BookRows();
  const level = rows.open(KEY);
  expect(queue(rows, level)).toEqual([]);
  expect([rows.key(level), rows.orders(level), rows.size(level), rows.better(level), rows.worse(level)]).toEqual([
    KEY,
    0,
    0,
    NO_LEVEL,
    NO_LEVEL,
  ]);
});

test('thousands of orders keep what they have, and their place, while the rows grow', () => {
  const rows = new BookRows();
  const level = rows.open(KEY);
  const numbers = Array.from({ length: MANY }, (_, index) => index + 1);
  const slots = numbers.map((number) => join(rows, level, number));
  expect(slots.map((slot) => orderOf(rows, slot))).toEqual(numbers.map(wanted));
  expect(new Set(slots.map((slot) => rows.level(slot)))).toEqual(new Set([level]));
  expect(queue(rows, level)).toEqual(numbers);
  expect([rows.key(level), rows.orders(level), rows.size(level)]).toEqual([KEY, MANY, (3 * MANY * (MANY + 1)) / 2]);
});

test.each<[which: string, leaving: number, staying: number[]]>([
  ['first', 1, [2, 3]],
  ['middle', 2, [1, 3]],
  ['last', 3, [1, 2]],
])('the others keep their order when the %s one leaves, and the next to come stands behind them', (_which, leaving, staying) => {
  const rows = new BookRows();
  const level = rows.open(KEY);
  const slots = [1, 2, 3].map((number) => join(rows, level, number));
  expect(rows.leave(level, slots[leaving - 1] ?? NO_SLOT)).toBe(2);
  expect(queue(rows, level)).toEqual(staying);
  expect(rows.size(level)).toBe(18 - 3 * leaving);
  join(rows, level, 4);
  expect(queue(rows, level)).toEqual([...staying, 4]);
});

test('an order reduced keeps its place, and its level loses the same lots', () => {
  const rows = new BookRows();
  const level = rows.open(KEY);
  const [slot = NO_SLOT] = [1, 2].map((number) => join(rows, level, number));
  rows.reduce(level, slot, 2);
  expect([rows.remaining(slot), rows.size(level), rows.orders(level)]).toEqual([1, 7, 2]);
  expect(queue(rows, level)).toEqual([1, 2]);
});

test('a level is empty again when its last order left', () => {
  const rows = new BookRows();
  const level = rows.open(KEY);
  expect(rows.leave(level, join(rows, level, 1))).toBe(0);
  expect([...queue(rows, level), rows.size(level)]).toEqual([0]);
});

test('a freed row says so, and the one freed last is the next one taken, for an order or a level', () => {
  const rows = new BookRows();
  const level = rows.open(KEY);
  const slots = [1, 2, 3].map((number) => join(rows, level, number));
  rows.leave(level, slots[0] ?? NO_SLOT);
  rows.leave(level, slots[2] ?? NO_SLOT);
  expect(slots.map((slot) => rows.level(slot) < 0)).toEqual([true, false, true]);
  const other = rows.open(7);
  expect([other, join(rows, level, 4), join(rows, other, 5)]).toEqual([slots[2], slots[0], 4]);
  expect([queue(rows, level), queue(rows, other), rows.key(other)]).toEqual([[2, 4], [5], 7]);
  rows.leave(other, 4);
  rows.close(other);
  expect(rows.open(8)).toBe(other);
  expect(join(rows, level, 6)).toBe(4);
});
