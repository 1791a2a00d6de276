import { expect, test } from 'vitest';
import type { Order } from '@orrery/api';
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

test('[S2] a new price alone leaves the size to the exchange: what was filled meanwhile is not bought again', () => {
  const filled = order({ executedQty: '0.4', state: 2 });
  expect(amendRequest(typed({ price: '60010.0' }), filled)).toEqual({
    kind: 'send',
    body: { orderId: '7', clientOrderId: 'c', price: '60010' },
  });
});

test('[S2] an edited size is the whole order: what was filled, before and meanwhile, is taken off', () => {
  const before = order({ executedQty: '0.1', state: 2 });
  const meanwhile = order({ executedQty: '0.4', state: 2 });
  expect(amendRequest(typed({ size: '2' }, before), meanwhile)).toEqual({
    kind: 'send',
    body: { orderId: '7', clientOrderId: 'c', totalAmount: '1.6' },
  });
  expect(amendRequest(typed({ size: '0.4', price: '59000' }, before), meanwhile)).toEqual({ kind: 'filled' });
});

test('what has the same value was not edited', () => {
  expect(amendRequest(typed({ price: '60000.0', size: '1.00' }), order({}))).toEqual({ kind: 'unchanged' });
});

test('a resting limit order changes in price and size, a stop that waits in its trigger too, a market order not at all', () => {
  expect(amendFields(order({}))).toEqual(['price', 'size']);
  expect(amendFields(order({ orderType: 'STOP_LIMIT', state: 5, stopPrice: '61000' }))).toEqual(['price', 'trigger', 'size']);
  expect(amendFields(order({ orderType: 'STOP_MARKET', state: 5, stopPrice: '61000', price: null }))).toEqual(['trigger', 'size']);
  expect(isAmendable(order({ orderType: 'MARKET', price: null }))).toBe(false);
  expect(isAmendable(order({ state: 3 }))).toBe(false);
});
