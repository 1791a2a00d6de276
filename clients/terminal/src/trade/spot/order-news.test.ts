import type { Order } from '@orrery/api';
import { expect, test } from 'vitest';
import { activateLanguage, addTexts } from '../../kit/i18n/catalog.ts';
import { en } from '../../kit/i18n/messages/en/index.ts';
import { newsOf } from './order-news.ts';
import { replacing } from './replaced-stops.ts';

addTexts('en', en);
activateLanguage('en');

const cancelled = (part: Partial<Order>): Order =>
  ({
    orderId: '7',
    clientOrderId: 'mine',
    symbol: 'BTC_USDC',
    orderSide: 'BUY',
    orderType: 'STOP_LIMIT',
    state: 4,
    closeReason: 'canceledByAccount',
    executedQty: '0',
    avgPrice: null,
    ...part,
  }) as Order;

test('a cancelled order is said to be so, with what it had filled', () => {
  expect(newsOf(cancelled({}))?.key).toBe('trade.done.cancelled');
  expect(newsOf(cancelled({ executedQty: '0.002' }))?.detail).toBe('Bought 0.002 BTC');
});

test('a stop that a change replaces is not said to be cancelled, unless it had filled or the change failed', async () => {
  await replacing('changed', () => Promise.resolve());
  expect(newsOf(cancelled({ clientOrderId: 'changed' }))).toBeUndefined();
  expect(newsOf(cancelled({ clientOrderId: 'changed', executedQty: '0.002' }))?.key).toBe('trade.done.cancelled');
  await expect(replacing('refused', () => Promise.reject(new Error('no such order')))).rejects.toThrow('no such order');
  expect(newsOf(cancelled({ clientOrderId: 'refused' }))?.key).toBe('trade.done.cancelled');
});
