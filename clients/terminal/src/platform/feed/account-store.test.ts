import { expect, test } from 'vitest';
import { NO_TERMS, type Balance, type Order } from '@orrery/api';
import { AccountStore } from './account-store.ts';

const balance = (coin: string, free: string): Balance => ({
  coin,
  balanceType: 'spot',
  balance: free,
  freeze: '0',
  availableBalance: free,
  estimatedTotalAmount: null,
  estimatedAvailableAmount: null,
  estimatedCoinType: 'USDC',
});
const order = (orderId: string, state: Order['state']): Order => ({
  orderId,
  clientOrderId: '',
  symbol: 'BTC_USDC',
  orderSide: 'BUY',
  orderType: 'LIMIT',
  timeInForce: 'GTC',
  price: '100',
  stopPrice: null,
  origQty: '1',
  funds: null,
  avgPrice: null,
  executedQty: '0',
  dealQty: '0',
  executedValue: '0',
  ...NO_TERMS,
  stallReason: null,
  state,
  closeReason: state === 4 ? 'canceledByAccount' : null,
  createdTime: 1,
  updatedTime: 1,
});

test('nothing is shown before the whole state has been received once', () => {
  const store = new AccountStore();
  store.take({ kind: 'begin' });
  store.take({ kind: 'order', order: order('1', 1) });
  expect(store.get()).toMatchObject({ isReady: false, orders: [] });
  store.take({ kind: 'ready' });
  expect(store.get().isReady).toBe(true);
  expect(store.get().orders.map(({ orderId }) => orderId)).toEqual(['1']);
});

test('a state that is sent again replaces the last one whole: an order that closed while nobody listened is gone', () => {
  const store = new AccountStore();
  store.take({ kind: 'begin' });
  store.take({ kind: 'order', order: order('1', 1) });
  store.take({ kind: 'balance', balance: balance('USDC', '5') });
  store.take({ kind: 'ready' });
  store.take({ kind: 'begin' });
  expect(store.get().orders).toHaveLength(1);
  store.take({ kind: 'balance', balance: balance('USDC', '7') });
  store.take({ kind: 'ready' });
  expect(store.get().orders).toEqual([]);
  expect(store.get().balances.get('spot:USDC')?.availableBalance).toBe('7');
});

test('an order that is over leaves the open orders, and only changes are news', () => {
  const store = new AccountStore();
  const news: string[] = [];
  store.onNews((item) => item.kind === 'order' && news.push(`${item.order.orderId} ${item.order.state}`));
  store.take({ kind: 'begin' });
  store.take({ kind: 'order', order: order('1', 1) });
  store.take({ kind: 'ready' });
  expect(news).toEqual([]);
  store.take({ kind: 'order', order: order('1', 4) });
  expect(news).toEqual(['1 4']);
  expect(store.get().orders).toEqual([]);
});

test('signing out forgets the account', () => {
  const store = new AccountStore();
  store.take({ kind: 'begin' });
  store.take({ kind: 'balance', balance: balance('USDC', '5') });
  store.take({ kind: 'ready' });
  store.clear();
  expect(store.get()).toMatchObject({ isReady: false, orders: [] });
  expect(store.get().balances.size).toBe(0);
});

test('[T6, T9] claims and awards are news at once, also while the whole state is being received; and the end of it is reported', () => {
  const store = new AccountStore();
  const heard: string[] = [];
  store.onNews((news) => heard.push(news.kind === 'topic' ? news.news.resType : news.kind));
  store.take({ kind: 'begin' });
  store.take({ kind: 'topic', news: { resType: 'uClaim', data: { status: 1 } } });
  store.take({ kind: 'topic', news: { resType: 'uAward', data: { awardId: 'a', kind: 'TASK', points: 5, title: null, at: 0 } } });
  expect(heard).toEqual(['uClaim', 'uAward']);
  store.take({ kind: 'ready' });
  store.take({ kind: 'topic', news: { resType: 'uClaim', data: { status: 2 } } });
  expect(heard).toEqual(['uClaim', 'uAward', 'ready', 'uClaim']);
});
