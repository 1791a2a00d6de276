// @vitest-environment happy-dom
/** What the stream says of orders in contracts: on the bell each, in a toast only what nobody has just been answered. */
import type { FuturesOrder, FuturesSymbol } from '@orrery/api';
import { expect, test } from 'vitest';
import { useToasts } from '../../kit/ui/toast.ts';
import { BTC_COIN_MARGINED, BTC_PERPETUAL } from '../../market/contract.fixture.ts';
import { comeIntoView, exchange, newPerson } from '../../testing/stage.tsx';
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

const LISTED: readonly Partial<FuturesSymbol>[] = [
  { ...BTC_COIN_MARGINED.info, sequence: 2 },
  { ...BTC_PERPETUAL.info, symbol: 'ETH_USDC', baseCoin: 'ETH', sequence: 1 },
];

const toastOf = async (order: Partial<FuturesOrder>): Promise<string | undefined> => {
  useToasts.setState({ current: undefined });
  await toastContract({ kind: 'order', order: filled(order) });
  return useToasts.getState().current?.message;
};

test.each([
  ['a limit order that was filled', {}, 'Bought 0.1 ETH'],
  ['a stop that acted', { sourceType: 'PROFIT', orderType: 'MARKET' }, 'Bought 0.1 ETH'],
  ['limits of a close-all that were filled', { sourceType: 'CLOSE_ALL' }, 'Bought 0.1 ETH'],
  ['an order to the market', { orderType: 'MARKET' }, undefined],
  ['a size of another kind of contract', { symbol: 'BTC_USD', executedQty: '500' }, 'Bought 500 Cont'],
  ['a close-all at the market', { sourceType: 'CLOSE_ALL', orderType: 'MARKET' }, undefined],
] as const)('%s', async (_, order, message) => {
  await comeIntoView(newPerson());
  exchange.answer('futuresSymbols', () => LISTED as never);
  exchange.answer('leverageBrackets', () => []);
  exchange.answer('futuresCoins', () => []);
  expect(await toastOf(order)).toBe(message);
});
