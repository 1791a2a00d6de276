import { expect, test } from 'vitest';
import { type Asked, compareWithHistory, type History, type Outcome } from './asked-at-gateways.ts';

const COINS = { base: 'BTC', quote: 'USDC' };
const taken = (orderId: string): Outcome => ({ kind: 'taken', orderId });

const ask = (clientOrderId: string, outcome: Outcome, [askedAt, answeredAt] = [0, 1]): Asked => ({
  trader: 1,
  clientOrderId,
  askedAt,
  answeredAt,
  outcome,
  repeats: 0,
});

const order = (orderId: string, clientOrderId: string, executedQty = '0') => ({ orderId, clientOrderId, executedQty });
const history = (more: Partial<History>): History => ({
  trader: 1,
  orders: [],
  fills: [],
  before: { BTC: '1', USDC: '100' },
  after: { BTC: '1', USDC: '100' },
  cancelled: [],
  open: [],
  ...more,
});

const FILL = { orderId: '1', orderSide: 'BUY', quantity: '0.5', value: '10', fee: '0.001', feeCoin: 'BTC' } as const;

test('what history bears out is no violation', () => {
  const asked = [ask('a', taken('1')), ask('b', { kind: 'refused', reason: 'Overloaded' }), ask('c', taken('2'), [2, 3])];
  const seller = { ...FILL, orderId: '3', orderSide: 'SELL', fee: '0.01', feeCoin: 'USDC', execId: 'e', takerMaker: 'MAKER' } as const;
  const histories = [
    history({
      orders: [order('1', 'a', '0.5'), order('2', 'c')],
      fills: [{ ...FILL, execId: 'e', takerMaker: 'TAKER' }],
      after: { BTC: '1.499', USDC: '90' },
    }),
    history({ trader: 2, orders: [order('3', 'd', '0.5')], fills: [seller], after: { BTC: '0.5', USDC: '109.99' } }),
  ];
  expect(compareWithHistory([...asked, { ...ask('d', taken('3'), [4, 5]), trader: 2 }], histories, COINS)).toEqual([]);
});

test.each<readonly [string, readonly Asked[], Partial<History>, string]>([
  ['an acknowledged order is missing', [ask('a', taken('1'))], {}, 'a was answered as order 1, and is not in history'],
  [
    'an order is there twice',
    [ask('a', taken('1'))],
    { orders: [order('1', 'a'), order('2', 'a')] },
    'a is in history 2 times, as 1 and 2',
  ],
  [
    'a refused order is there',
    [ask('a', { kind: 'refused', reason: 'DiskFull' })],
    { orders: [order('1', 'a')] },
    'a was refused (DiskFull), and is order 1',
  ],
  ['an outcome is never known', [ask('a', { kind: 'unknown' })], {}, 'of a nothing is known to the end'],
  ['an order is there that nobody asked for', [], { orders: [order('1', 'a')] }, 'nobody asked for the order a'],
  ['money is lost', [], { after: { BTC: '1', USDC: '99.99' } }, 'trader 1 has 99.99 USDC, and by its fills another amount'],
  ['a cancelled order is open', [], { cancelled: ['1'], open: ['1'] }, 'order 1 was answered as cancelled, and is open'],
  [
    'a later order has the smaller id',
    [ask('a', taken('2')), ask('b', taken('1'), [5, 6])],
    { orders: [order('2', 'a'), order('1', 'b')] },
    'b is order 1, and was asked for after order 2 was answered',
  ],
])('%s', (_, asked, found, sentence) => {
  expect(compareWithHistory(asked, [history(found)], COINS)).toEqual([sentence]);
});

test('a fill of one side alone is a violation', () => {
  const found = history({
    orders: [order('1', 'a', '0.5')],
    fills: [{ ...FILL, execId: 'e', takerMaker: 'TAKER' }],
    after: { BTC: '1.499', USDC: '90' },
  });
  expect(compareWithHistory([ask('a', taken('1'))], [found], COINS)).toEqual(['execution e has 1 sides, or two that differ']);
  expect(compareWithHistory([ask('a', taken('1'))], [found], { ...COINS, withOthers: true })).toEqual([]);
});
