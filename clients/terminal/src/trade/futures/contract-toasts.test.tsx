// @vitest-environment happy-dom
/** What the stream says of orders in contracts: on the bell each, in a toast only what nobody has just been answered. */
import type { FuturesOrder } from '@orrery/api';
import { expect, test } from 'vitest';
import { useToasts } from '../../kit/ui/toast.ts';
import { comeIntoView, newPerson } from '../../testing/stage.tsx';
import { toastContract } from './contract-toasts.tsx';

const filled = (order: Partial<FuturesOrder>): FuturesOrder =>
  ({
    orderId: '1',
    symbol: 'ETH_USDC',
    orderSide: 'BUY',
    executedQty: '0.1',
    avgPrice: '2440',
    state: 'FILLED',
    sourceType: 'DEFAULT',
    forceClose: false,
    orderType: 'LIMIT',
    ...order,
  }) as FuturesOrder;

const toastOf = (order: Partial<FuturesOrder>): string | undefined => {
  useToasts.setState({ current: undefined });
  toastContract({ kind: 'order', order: filled(order) });
  return useToasts.getState().current?.message;
};

test.each([
  ['a limit order that was filled', {}, 'Bought 0.1 ETH'],
  ['a stop that acted', { sourceType: 'PROFIT', orderType: 'MARKET' }, 'Bought 0.1 ETH'],
  ['limits of a close-all that were filled', { sourceType: 'CLOSE_ALL' }, 'Bought 0.1 ETH'],
  ['an order to the market', { orderType: 'MARKET' }, undefined],
  ['a close-all at the market', { sourceType: 'CLOSE_ALL', orderType: 'MARKET' }, undefined],
] as const)('%s', async (_, order, message) => {
  await comeIntoView(newPerson());
  expect(toastOf(order)).toBe(message);
});
