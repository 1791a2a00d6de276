import { expect, test } from 'vitest';
import { atoms, lots, NO_ATOMS, NO_LOTS, NO_TICKS, ticks } from '@orrery/units';
import type { Order } from '@orrery/protocol';
import { BTC } from '../../../market/market.fixture.ts';
import { walkBook } from './book-walk.ts';
import { exampleOrder } from '../../spot/ticket/ticket.fixture.ts';

/** A lot at a tick is an atom. */
const ASKS = [100, 5, 110, 10];
const BIDS = [90, 5, 80, 10];

const walk = (levels: readonly number[], order: Partial<Order>, bound = 0) =>
  walkBook({ levels, order: exampleOrder(order), bound: bound === 0 ? NO_TICKS : ticks(bound), terms: BTC.terms });

test('a size takes the best levels first, and each level charges its fee', () => {
  // 0.1 % of 5,000 and of 2,000 atoms of BTC.
  expect(walk(ASKS, { size: lots(7) })).toEqual({ filled: 7, traded: 720n, fee: 7n, worst: 110, remaining: 0, end: 'complete' });
  expect(walk(ASKS, { size: lots(5) })).toMatchObject({ filled: 5, traded: 500n, worst: 100, end: 'complete' });
});

test('[S1] a limit sell below the bids trades at the bids, not at its own price', () => {
  expect(walk(BIDS, { side: 'sell', size: lots(7), price: ticks(70) }, 70)).toMatchObject({ traded: 610n, worst: 80, remaining: 0 });
});

test('[S1] what is beyond the bound of an order stays untraded', () => {
  expect(walk(ASKS, { size: lots(7) }, 105)).toMatchObject({ filled: 5, traded: 500n, worst: 100, remaining: 2, end: 'bound' });
  expect(walk(BIDS, { side: 'sell', size: lots(7) }, 85)).toMatchObject({ filled: 5, traded: 450n, remaining: 2, end: 'bound' });
});

test('a size larger than the book is reported as incomplete', () => {
  expect(walk(ASKS, { size: lots(20) })).toMatchObject({ filled: 15, traded: 1600n, remaining: 5, end: 'bookEmpty' });
  expect(walk([], { size: lots(1) })).toMatchObject({ filled: 0, traded: NO_ATOMS, worst: 0, end: 'bookEmpty' });
});

test('funds buy whole lots and leave the rest', () => {
  const spend = (funds: bigint) => walk(ASKS, { orderType: 'market', size: NO_LOTS, funds: atoms(funds) });
  expect(spend(745n)).toMatchObject({ filled: 7, traded: 720n, worst: 110, end: 'complete' });
  expect(spend(500n)).toMatchObject({ filled: 5, traded: 500n, worst: 100, end: 'complete' });
  expect(spend(99n)).toMatchObject({ filled: 0, traded: 0n, worst: 0, end: 'complete' });
  expect(spend(5000n)).toMatchObject({ filled: 15, traded: 1600n, worst: 110, end: 'bookEmpty' });
});
