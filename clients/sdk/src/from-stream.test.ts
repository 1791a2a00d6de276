import { expect, test } from 'vitest';
import { NO_TERMS, type StreamTicker, type UserBalance, type UserOrder } from '@orrery/api';
import { balanceFrom, orderFrom, tickerFrom } from './from-stream.ts';

const balance: UserBalance = {
  coin: 'SOL',
  balanceType: 2,
  balance: '5',
  freeze: '5',
  availableBalance: '0',
  estimatedTotalAmount: '0',
  estimatedAvailableAmount: '0',
  estimatedCynAmount: '0',
  estimatedCoinType: 'USDC',
};

test('a balance of the stream has the names of the HTTP call; a worth of 0 is unknown unless the amount is 0', () => {
  expect(balanceFrom(balance)).toEqual({
    coin: 'SOL',
    balanceType: 'funding',
    balance: '5',
    freeze: '5',
    availableBalance: '0',
    estimatedTotalAmount: null,
    estimatedAvailableAmount: '0',
    estimatedCoinType: 'USDC',
  });
});

const order: UserOrder = {
  orderId: '7',
  clientOrderId: '',
  symbol: 'BTC_USDC',
  orderSide: 'SELL',
  orderType: 4,
  timeInForce: 'IOC',
  price: '0',
  stopPrice: '99000',
  origQty: '0.001',
  funds: '0',
  avgPrice: '0',
  executedQty: '0',
  dealQty: '0',
  executedValue: '0',
  ...NO_TERMS,
  stallReason: null,
  state: 5,
  closeReason: null,
  createdTime: 1,
  updatedTime: 2,
  balanceType: 1,
  direction: 2,
  createTime: 1,
};

test('an order of the stream has the names of the HTTP call, and null for what it does not have', () => {
  const { balanceType: _, direction: __, createTime: ___, ...plain } = order;
  expect(orderFrom(order)).toEqual({ ...plain, orderType: 'STOP_MARKET', price: null, funds: null, avgPrice: null });
});

test('a price of 0 in a ticker is one that is not known', () => {
  const ticker: StreamTicker = {
    s: 'BTC_USDC',
    t: 1,
    o: '0',
    h: '0',
    l: '0',
    c: '0',
    a: '0',
    v: '0',
    r: '0',
    bp: '99000',
    ap: '0',
    i: '99500.5',
  };
  expect(tickerFrom(ticker)).toEqual({ ...ticker, o: null, h: null, l: null, c: null, ap: null });
});
