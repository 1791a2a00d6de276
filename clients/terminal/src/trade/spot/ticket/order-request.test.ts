import { expect, test } from 'vitest';
import { en } from '../../../kit/i18n/messages/en/index.ts';
import { confirmationSetting } from './confirmation-setting.ts';
import type { OrderDraft } from './order-draft.ts';
import { parseDraft } from './open-orders.ts';
import { orderRequest } from './order-request.ts';

const order: OrderDraft = {
  symbol: 'BTC_USDC',
  side: 'buy',
  kind: 'limit',
  timeInForce: 'GTC',
  price: '60000',
  trigger: undefined,
  size: '0.1',
  funds: undefined,
};

test('[S3] confirmation is switched off for limit or for market orders, by the kind of the order', () => {
  expect(confirmationSetting('limit')).toBe('confirmLimitOrders');
  expect(confirmationSetting('market')).toBe('confirmMarketOrders');
});

test('[S3] the confirmation speaks in the words of the specification', () => {
  expect(en['confirm.title']).toBe('Confirm Order');
  expect(en['confirm.action']).toBe('Action');
  expect(en['confirm.size']).toBe('Size');
  expect(en['confirm.price']).toBe('Price');
  expect(en['confirm.noGas']).toBe('You pay no gas. The order will be confirmed within a few seconds.');
  expect(en['confirm.again']).toBe("Don't show this again");
  expect(en['confirm.confirm']).toBe('Confirm');
  const warning = 'Warning: You are using a limit price that is {rate} more aggressive than the best';
  expect(en['confirm.warnBid']).toBe(`${warning} bid price`);
  expect(en['confirm.warnAsk']).toBe(`${warning} ask price`);
});

test('what was sent is kept as it was, and what is no order is passed over', () => {
  expect(parseDraft(JSON.parse(JSON.stringify(order)))).toEqual(order);
  expect(parseDraft(JSON.parse(JSON.stringify({ ...order, max: true })))).toEqual({ ...order, max: true });
  for (const broken of [null, 7, { ...order, side: 'hold' }, { ...order, kind: 'swap' }, { ...order, price: 7 }]) {
    expect(parseDraft(broken)).toBeUndefined();
  }
});

test('[S1] the draft is sent in the words of the exchange', () => {
  expect(orderRequest(order, 'id-1')).toEqual({
    symbol: 'BTC_USDC',
    direction: 'BUY',
    tradeType: 'LIMIT',
    timeInForce: 'GTC',
    clientOrderId: 'id-1',
    price: '60000',
    totalAmount: '0.1',
  });
  expect(
    orderRequest({ ...order, kind: 'stopMarket', side: 'sell', price: undefined, trigger: '59000', timeInForce: 'IOC' }, 'id-2'),
  ).toEqual({
    symbol: 'BTC_USDC',
    direction: 'SELL',
    tradeType: 'STOP_MARKET',
    timeInForce: 'IOC',
    clientOrderId: 'id-2',
    stopPrice: '59000',
    totalAmount: '0.1',
  });
  expect(
    orderRequest({ ...order, kind: 'market', price: undefined, size: undefined, funds: '100', timeInForce: 'IOC' }, 'id-3'),
  ).toMatchObject({ funds: '100', tradeType: 'MARKET' });
});

test('the most goes as a bound', () => {
  expect(orderRequest(order, 'a')).not.toHaveProperty('max');
  expect(orderRequest({ ...order, max: true }, 'a')).toMatchObject({ totalAmount: '0.1', max: true });
});
