import { orderId } from '@orrery/units';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { FreshOrders } from './fresh-orders.ts';

const FRESH_MS = 5_000;

/** Orders come one after the other, each some milliseconds after the one before; now and then an old one is queried. */
const story = fc.array(fc.record({ afterMs: fc.constantFrom(0, 0, 1, 400, 4_999, 5_000, 5_001), asked: fc.nat(60) }), { maxLength: 60 });

test('F4: an order is fresh for five seconds, as a list of all orders and their times says', () => {
  fc.assert(
    fc.property(story, (steps) => {
      const orders = new FreshOrders(FRESH_MS);
      const acceptedAt: number[] = [];
      let now = 0;
      for (const { afterMs, asked } of steps) {
        now += afterMs;
        acceptedAt.push(now);
        orders.accepted(orderId(acceptedAt.length), now);
        const at = acceptedAt[asked];
        if (at !== undefined) expect(orders.isFresh(orderId(asked + 1), now)).toBe(now - at <= FRESH_MS);
      }
    }),
  );
});

test('orders older than all known ones are not fresh; nor are orders that are read again', () => {
  const orders = new FreshOrders(FRESH_MS);
  expect(orders.isFresh(orderId(1), 0)).toBe(false);
  orders.accepted(orderId(10), 1_000);
  expect([9, 10, 11].map((id) => orders.isFresh(orderId(id), 1_000))).toEqual([false, true, true]);
  orders.accepted(orderId(20), 60_000);
  expect(orders.isFresh(orderId(20), 60_000)).toBe(true);
  orders.accepted(orderId(11), 2_000);
  expect([10, 11].map((id) => orders.isFresh(orderId(id), 2_000))).toEqual([false, true]);
});

test('what has passed is dropped', () => {
  const orders = new FreshOrders(FRESH_MS);
  for (let n = 1; n <= 10_000; n += 1) {
    orders.accepted(orderId(n), n * 1_000);
    expect([orders.isFresh(orderId(n), n * 1_000), orders.isFresh(orderId(Math.max(1, n - 6)), n * 1_000)]).toEqual([true, n <= 6]);
  }
});
