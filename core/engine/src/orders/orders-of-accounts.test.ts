import { expect, test } from 'vitest';
import { marketId } from '@orrery/units';
import { alice, listed, openOrder, orderOf } from '../testing/alices-orders.ts';
import { Chance } from '../testing/chance.ts';
import { MARKET } from '../testing/tape.ts';
import type { OpenOrder } from './open-order.ts';
import { OrdersOfAccounts } from './orders-of-accounts.ts';

const MARKETS = [1, 2, 3].map((id) => listed({ ...MARKET, market: marketId(id) }));

test('an account knows its open orders and how many are in each market, whether it has few or many', () => {
  const seed = Number(process.env['ORRERY_SEED'] ?? Math.floor(Math.random() * 1_000_000));
  console.log(`ORRERY_SEED=${seed}`);
  const chance = new Chance(seed);
  const orders = new OrdersOfAccounts();
  const expected: OpenOrder[] = [];
  let most = 0;
  for (let id = 1; id <= 10_000; id += 1) {
    // Long stretches of more coming than leaving, and of the other way round: from none to some hundred, and back.
    const leaving = chance.below(10) < (id % 1_000 < 500 ? 2 : 8);
    if (leaving && expected.length > 0) {
      const [gone] = expected.splice(chance.below(expected.length), 1);
      orders.leave(gone!);
    } else {
      const open = openOrder(orderOf(id), { of: chance.pick(MARKETS) });
      expected.push(open);
      orders.join(open);
    }
    most = Math.max(most, expected.length);
    expect(orders.of(alice)).toHaveLength(expected.length);
    for (const market of MARKETS) expect(orders.countIn(alice, market)).toBe(expected.filter((open) => open.market === market).length);
    if (id % 100 === 0) expect(new Set(orders.of(alice))).toEqual(new Set(expected));
  }
  expect(most).toBeGreaterThan(200);
  while (expected.length > 0) orders.leave(expected.pop()!);
  expect(orders.of(alice)).toEqual([]);
});

test('to leave twice is a bug', () => {
  const orders = new OrdersOfAccounts();
  const open = openOrder(orderOf(1));
  orders.join(open);
  orders.join(openOrder(orderOf(2)));
  orders.leave(open);
  expect(() => orders.leave(open)).toThrow('an open order knows its index');
});

test('and so is to leave without having come', () => {
  const orders = new OrdersOfAccounts();
  expect(() => orders.leave(openOrder(orderOf(1)))).toThrow('an open order stands among those of its account');
});
