import { expect, test } from 'vitest';
import { NO_SLOT, OrderRows, type Slot } from './order-rows.ts';

/** More than the rows begin with room for, twice. */
const MANY = 2_500;

/** What a row says, as the book wrote it. */
const rowOf = (rows: OrderRows, slot: Slot): readonly number[] => [
  rows.orderId(slot),
  rows.remaining(slot),
  rows.account(slot),
  rows.level(slot),
  rows.next(slot),
  rows.previous(slot),
];

function take(rows: OrderRows, number: number): Slot {
  const slot = rows.take(2 ** 40 + number, number, 3 * number);
  rows.setLevel(slot, 5 * number);
  rows.setNext(slot, 7 * number);
  rows.setPrevious(slot, NO_SLOT);
  return slot;
}

const wanted = (number: number): readonly number[] => [2 ** 40 + number, 3 * number, number, 5 * number, 7 * number, NO_SLOT];

test('thousands of orders keep what they have while the rows grow', () => {
  const rows = new OrderRows();
  const numbers = Array.from({ length: MANY }, (_, index) => index + 1);
  const slots = numbers.map((number) => take(rows, number));
  expect(slots).toEqual(numbers.map((number) => number - 1));
  expect(slots.map((slot) => rowOf(rows, slot))).toEqual(numbers.map(wanted));
});

test('a freed row says so, and the one freed last is the next one taken', () => {
  const rows = new OrderRows();
  const slots = [1, 2, 3].map((number) => take(rows, number));
  rows.release(slots[0] ?? NO_SLOT);
  rows.release(slots[2] ?? NO_SLOT);
  expect(slots.map((slot) => rows.level(slot) < 0)).toEqual([true, false, true]);
  expect([take(rows, 4), take(rows, 5), take(rows, 6)]).toEqual([slots[2], slots[0], 3]);
  expect([0, 1, 2, 3].map((slot) => rowOf(rows, slot))).toEqual([5, 2, 4, 6].map(wanted));
});
