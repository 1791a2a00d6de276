import { expect, test } from 'vitest';
import { NO_TERMS, type Order } from '@orrery/api';
import { orderLines } from './order-lines.ts';

const WORDS = { buy: 'Buy', sell: 'Sell', stop: 'Stop', size: (size: string) => size };

const order = (part: Partial<Order>): Order => ({
  orderId: '7',
  clientOrderId: '',
  symbol: 'BTC_USDC',
  orderSide: 'BUY',
  orderType: 'LIMIT',
  timeInForce: 'GTC',
  price: '60000.5',
  stopPrice: null,
  origQty: '1',
  funds: null,
  avgPrice: null,
  executedQty: '0.4',
  dealQty: '0.4',
  executedValue: '0',
  ...NO_TERMS,
  stallReason: null,
  state: 2,
  closeReason: null,
  createdTime: 1,
  updatedTime: 1,
  ...part,
});

test('[S1] an order that rests is a line at its price with what remains of it', () => {
  expect(orderLines([order({})], 'BTC_USDC', WORDS)).toEqual([
    { orderId: '7', side: 'buy', price: 60000.5, label: 'Buy 0.6', isMovable: true },
  ]);
});

test('[S1] a stop is a line at the price that triggers it, and can be moved', () => {
  const stop = order({ state: 5, orderType: 'STOP_MARKET', orderSide: 'SELL', price: null, stopPrice: '58000', executedQty: '0' });
  expect(orderLines([stop], 'BTC_USDC', WORDS)).toEqual([
    { orderId: '7', side: 'sell', price: 58000, label: 'Stop Sell 1', isMovable: true },
  ]);
});

test('orders of other markets and orders without a price have no line', () => {
  expect(orderLines([order({ symbol: 'ETH_USDC' }), order({ price: null, orderType: 'MARKET', state: 1 })], 'BTC_USDC', WORDS)).toEqual([]);
});
