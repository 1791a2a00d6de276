import { expect, test } from 'vitest';
import { en } from '../../../kit/i18n/messages/en/index.ts';
import { confirmationSetting } from './confirmation-setting.ts';
import type { OrderDraft } from './order-draft.ts';
import { parseDraft } from './open-orders.ts';
import { orderRequest } from './order-request.ts';
import { advance, IDLE } from './submission.ts';
import type { Submission, SubmissionEvent } from './submission.ts';

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
const submit = (clientOrderId: string, confirmation: 'asked' | 'skipped', draft = order): SubmissionEvent => ({
  type: 'submit',
  order: draft,
  clientOrderId,
  confirmation,
});
const after = (...events: readonly SubmissionEvent[]): Submission => events.reduce(advance, IDLE);

test('[S3] an order waits for its confirmation, and goes out once it is given', () => {
  expect(after(submit('a', 'asked'))).toEqual({ phase: 'confirming', order, clientOrderId: 'a' });
  expect(after(submit('a', 'asked'), { type: 'declined' })).toEqual(IDLE);
  expect(after(submit('a', 'asked'), { type: 'confirmed' })).toEqual({ phase: 'sending', order, clientOrderId: 'a' });
});

test('[S3] confirmation is switched off for limit or for market orders, by the kind of the order', () => {
  expect(confirmationSetting('limit')).toBe('confirmLimitOrders');
  expect(confirmationSetting('market')).toBe('confirmMarketOrders');
  expect(after(submit('a', 'skipped')).phase).toBe('sending');
});

test('[S3] the confirmation speaks in the words of the specification', () => {
  expect(en['trade.confirm.title']).toBe('Confirm Order');
  expect(en['trade.confirm.action']).toBe('Action');
  expect(en['trade.confirm.size']).toBe('Size');
  expect(en['trade.confirm.price']).toBe('Price');
  expect(en['trade.confirm.noGas']).toBe('You pay no gas. The order will be confirmed within a few seconds.');
  expect(en['trade.confirm.again']).toBe("Don't show this again");
  expect(en['trade.confirm.confirm']).toBe('Confirm');
  const warning = 'Warning: You are using a limit price that is {rate} more aggressive than the best';
  expect(en['trade.confirm.warnBid']).toBe(`${warning} bid price`);
  expect(en['trade.confirm.warnAsk']).toBe(`${warning} ask price`);
});

test('a second press while the order is on its way changes nothing', () => {
  const sending = after(submit('a', 'skipped'));
  expect(advance(sending, submit('b', 'skipped'))).toBe(sending);
});

test('[S3] after silence nothing but the same order goes out, under the id it had: it can never stand twice', () => {
  const unanswered = after(submit('a', 'skipped'), { type: 'lost', clientOrderId: 'a' });
  expect(unanswered).toEqual({ phase: 'unanswered', order, clientOrderId: 'a' });
  expect(advance(unanswered, submit('b', 'skipped', { ...order, size: '0.2' }))).toBe(unanswered);
  expect(advance(unanswered, { type: 'repeated' })).toEqual({ phase: 'sending', order, clientOrderId: 'a' });
});

test('[S3] the answer is found later, by the id; the answer to another order is passed over', () => {
  const unanswered = after(submit('a', 'skipped'), { type: 'lost', clientOrderId: 'a' });
  expect(advance(unanswered, { type: 'accepted', clientOrderId: 'b' })).toBe(unanswered);
  expect(advance(unanswered, { type: 'accepted', clientOrderId: 'a' })).toEqual(IDLE);
  expect(advance(unanswered, { type: 'dropped' })).toEqual(IDLE);
});

test('[S3] an order that was on its way when the page was left is unanswered on the next page', () => {
  expect(after({ type: 'restored', order, clientOrderId: 'a' })).toEqual({ phase: 'unanswered', order, clientOrderId: 'a' });
  const sending = after(submit('b', 'skipped'));
  expect(advance(sending, { type: 'restored', order, clientOrderId: 'a' })).toBe(sending);
});

test('a late answer to nothing is passed over', () => {
  for (const type of ['accepted', 'refused', 'lost'] as const) expect(advance(IDLE, { type, clientOrderId: 'a' })).toBe(IDLE);
  for (const type of ['declined', 'repeated', 'dropped', 'confirmed'] as const) expect(advance(IDLE, { type })).toBe(IDLE);
});

test('what was sent is kept as it was, and what is no order is passed over', () => {
  expect(parseDraft(JSON.parse(JSON.stringify(order)))).toEqual(order);
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
