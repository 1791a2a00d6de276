import { expect, test } from 'vitest';
import { NO_TERMS, type Order } from '@orrery/api';
import { amendFields, amendmentOf, amendRequest, isAmendable } from './amendment.ts';
import type { Amendment } from './amendment.ts';

const order = (part: Partial<Order>): Order => ({
  orderId: '7',
  clientOrderId: '',
  symbol: 'BTC_USDC',
  orderSide: 'BUY',
  orderType: 'LIMIT',
  timeInForce: 'GTC',
  price: '60000',
  stopPrice: null,
  origQty: '1',
  funds: null,
  avgPrice: null,
  executedQty: '0',
  dealQty: '0',
  executedValue: '0',
  ...NO_TERMS,
  stallReason: null,
  state: 1,
  closeReason: null,
  createdTime: 1,
  updatedTime: 1,
  ...part,
});

const typed = (part: Partial<Amendment['typed']>, begunWith = order({})): Amendment => {
  const amendment = amendmentOf(begunWith, 'c');
  return { ...amendment, typed: { ...amendment.typed, ...part } };
};

test('[S2] a new price alone leaves the size to the exchange', () => {
  expect(amendRequest(typed({ price: '60010.0' }))).toEqual({ orderId: '7', price: '60010' });
});

test('[S2] an edited size is sent as the whole order: the exchange takes off what is filled, also what is filled meanwhile', () => {
  const before = order({ executedQty: '0.1', state: 2 });
  expect(amendRequest(typed({ size: '2' }, before))).toEqual({ orderId: '7', totalAmount: '2' });
  expect(amendRequest(typed({ size: '0.1', price: '59000' }, before))).toEqual({ orderId: '7', price: '59000', totalAmount: '0.1' });
});

test('what has the same value was not edited', () => {
  expect(amendRequest(typed({ price: '60000.0', size: '1.00' }))).toBeUndefined();
});

test('a resting limit order changes in price and size, a stop that waits in its trigger too, a market order not at all', () => {
  expect(amendFields(order({}))).toEqual(['price', 'size']);
  expect(amendFields(order({ orderType: 'STOP_LIMIT', state: 5, stopPrice: '61000' }))).toEqual(['price', 'trigger', 'size']);
  expect(amendFields(order({ orderType: 'STOP_MARKET', state: 5, stopPrice: '61000', price: null }))).toEqual(['trigger', 'size']);
  expect(isAmendable(order({ orderType: 'MARKET', price: null }))).toBe(false);
  expect(isAmendable(order({ state: 3 }))).toBe(false);
});
