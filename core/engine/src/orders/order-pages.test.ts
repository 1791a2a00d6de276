import { expect, test } from 'vitest';
import { orderId } from '@orrery/units';
import { openOrder, orderOf } from '../testing/alices-orders.ts';
import { Chance } from '../testing/chance.ts';
import type { OpenOrder } from './open-order.ts';
import { OrderPages } from './order-pages.ts';

const open = (id: number): OpenOrder => openOrder(orderOf(id));

test('finds the same orders as a Map, oldest first, whatever came and went', () => {
  const seed = Number(process.env['ORRERY_SEED'] ?? Math.floor(Math.random() * 1_000_000));
  console.log(`ORRERY_SEED=${seed}`);
  const chance = new Chance(seed);
  const pages = new OrderPages();
  const map = new Map<number, OpenOrder>();
  for (let id = 1; id <= 20_000; id += 1) {
    const order = open(id);
    pages.set(orderId(id), order);
    map.set(id, order);
    for (let rest = chance.below(3); rest > 0; rest -= 1) {
      const gone = chance.between(Math.max(1, id - 3_000), id);
      expect(pages.get(orderId(gone))).toBe(map.get(gone));
      if (map.delete(gone)) pages.delete(orderId(gone));
      expect(pages.get(orderId(gone))).toBeUndefined();
    }
  }
  expect([...pages]).toEqual([...map.values()]);
});

test('takes a batch back across the border of a page, and its ids are set again', () => {
  const seed = Number(process.env['ORRERY_SEED'] ?? Math.floor(Math.random() * 1_000_000));
  console.log(`ORRERY_SEED=${seed}`);
  const chance = new Chance(seed);
  const pages = new OrderPages();
  const map = new Map<number, OpenOrder>();
  let last = 0;
  for (let batch = 0; batch < 4_000; batch += 1) {
    const first = last + 1;
    for (let rest = chance.between(1, 20); rest > 0; rest -= 1) {
      last += 1;
      const order = open(last);
      pages.set(orderId(last), order);
      map.set(last, order);
    }
    if (chance.below(2) === 0) {
      for (; last >= first; last -= 1) {
        pages.retract(orderId(last));
        map.delete(last);
      }
    }
    // Few stay for long, so that pages are emptied and packed while the next is begun.
    for (const id of [...map.keys()].slice(0, -10)) {
      if (chance.below(10) === 0) continue;
      map.delete(id);
      pages.delete(orderId(id));
    }
    for (const [id, order] of map) expect(pages.get(orderId(id))).toBe(order);
  }
  expect([...pages]).toEqual([...map.values()]);
});

test('to delete what is not there is a bug', () => {
  expect(() => new OrderPages().delete(orderId(1))).toThrow('an order closes once');
});

test('the newest page takes orders again after its last one has closed', () => {
  const pages = new OrderPages();
  for (const id of [1, 2]) {
    pages.set(orderId(id), open(id));
    pages.delete(orderId(id));
  }
  expect([...pages]).toEqual([]);
});

test('finds and closes the few old orders that are left of packed pages', () => {
  const pages = new OrderPages();
  const map = new Map<number, OpenOrder>();
  for (let id = 1; id <= 20_000; id += 1) {
    const order = open(id);
    pages.set(orderId(id), order);
    map.set(id, order);
    // Of each page, orders at four places stay.
    const old = id - 1_500;
    if (old < 1 || old % 256 === 7) continue;
    map.delete(old);
    pages.delete(orderId(old));
  }
  for (let id = 1; id <= 20_000; id += 1) expect(pages.get(orderId(id))).toBe(map.get(id));
  for (const id of [7, 263, 1_031, 519, 775]) {
    map.delete(id);
    pages.delete(orderId(id));
    expect(pages.get(orderId(id))).toBeUndefined();
  }
  expect([...pages]).toEqual([...map.values()]);
  expect(() => pages.delete(orderId(7))).toThrow('an order closes once');
});
