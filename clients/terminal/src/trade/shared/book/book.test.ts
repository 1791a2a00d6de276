import { expect, test } from 'vitest';
import { NO_TERMS, type Order } from '@orrery/api';
import { BTC } from '../../../market/market.fixture.ts';
import { chosenMerge } from '../trade-settings.ts';
import { rowsThatFit } from './book-rows.ts';
import { ownPrices } from './own-prices.ts';

const order = (part: Partial<Order>): Order => ({
  orderId: '1',
  clientOrderId: '',
  symbol: 'BTC_USDC',
  orderSide: 'BUY',
  orderType: 'LIMIT',
  timeInForce: 'GTC',
  price: '60000.7',
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

test('own orders are marked in the row that holds their price', () => {
  const orders = [order({}), order({ orderSide: 'SELL', price: '60100.1' })];
  expect(ownPrices(orders, BTC, 1)).toEqual({ bid: new Set([600_007]), ask: new Set([601_001]) });
  expect(ownPrices(orders, BTC, 10)).toEqual({ bid: new Set([600_000]), ask: new Set([601_010]) });
});

test('orders of another market and stops that wait are not in this book', () => {
  const orders = [order({ symbol: 'ETH_USDC' }), order({ state: 5, stopPrice: '61000' }), order({ orderType: 'MARKET', price: null })];
  expect(ownPrices(orders, BTC, 1)).toEqual({ bid: new Set(), ask: new Set() });
});

test('[F4] own orders of a contract are marked in its book', () => {
  const contract = { ...BTC, symbol: 'BTC_USDC-PERP' };
  const own = [{ symbol: 'BTC_USDC', orderSide: 'BUY', price: '60000.7', state: 'PARTIALLY_FILLED' }] as const;
  expect(ownPrices(own, contract, 1)).toEqual({ bid: new Set([600_007]), ask: new Set() });
});

test('[S4] the chosen step of depth merge is kept for each market, as long as the market has it', () => {
  expect(chosenMerge({ BTC_USDC: '10' }, 'BTC_USDC', [1, 10, 100])).toBe(10);
  expect(chosenMerge({ BTC_USDC: '25' }, 'BTC_USDC', [1, 10, 100])).toBe(1);
  expect(chosenMerge({}, 'ETH_USDC', [1, 10])).toBe(1);
});

test('as many whole rows as the room has, half of it for each side', () => {
  expect(rowsThatFit({ height: 420, rowHeight: 21, sides: 2 })).toBe(10);
  expect(rowsThatFit({ height: 430, rowHeight: 21, sides: 1 })).toBe(20);
  expect(rowsThatFit({ height: 439, rowHeight: 21, sides: 2 })).toBe(10);
  expect(rowsThatFit({ height: -34, rowHeight: 21, sides: 2 })).toBe(1);
});
