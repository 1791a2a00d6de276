// @vitest-environment happy-dom
/** What the stream says of orders in contracts: on the bell each, in a toast all but what has just been answered contract by contract. */
import type { FuturesFill, FuturesOrder, FuturesSymbol, OwnTwap } from '@orrery/api';
import { expect, test } from 'vitest';
import { useToasts } from '../../kit/ui/toast.ts';
import { BTC_COIN_MARGINED, BTC_PERPETUAL } from '../../market/contract.fixture.ts';
import { comeIntoView, exchange, newPerson } from '../../testing/stage.tsx';
import { wasAnnounced } from '../shared/orders/announced-orders.ts';
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
    origQty: '0.1',
    closeReason: 'filled',
    forceClose: false,
    orderType: 'LIMIT',
    ...order,
  }) as FuturesOrder;

const LISTED: readonly Partial<FuturesSymbol>[] = [
  { ...BTC_COIN_MARGINED.info, sequence: 2 },
  { ...BTC_PERPETUAL.info, symbol: 'ETH_USDC', baseCoin: 'ETH', sequence: 1 },
];

const ended = { state: 'CANCELED', executedQty: '0', avgPrice: null } as const;

const listed = (): void => {
  exchange.answer('futuresSymbols', () => LISTED as never);
  exchange.answer('leverageBrackets', () => []);
  exchange.answer('futuresCoins', () => []);
};

const toastOf = async (order: Partial<FuturesOrder>): Promise<string | undefined> => {
  useToasts.setState({ current: undefined });
  await toastContract({ kind: 'order', order: filled(order) });
  return useToasts.getState().current?.message;
};

test.each([
  ['a limit order that was filled', {}, 'Bought 0.1 ETH'],
  ['a stop that acted', { sourceType: 'PROFIT', orderType: 'MARKET' }, 'Bought 0.1 ETH'],
  ['limits of a close-all that were filled', { sourceType: 'CLOSE_ALL' }, 'Bought 0.1 ETH'],
  ['an order to the market', { orderType: 'MARKET' }, 'Bought 0.1 ETH'],
  ['a size of another kind of contract', { symbol: 'BTC_USD', executedQty: '500' }, 'Bought 500 Cont'],
  [
    'a plan order that ended by itself without a fill',
    { ...ended, sourceType: 'ENTRUST', closeReason: 'marginMissing' },
    'An order in ETH/USDC ended',
  ],
  ['one that its owner cancelled', { ...ended, sourceType: 'ENTRUST', closeReason: 'canceledByAccount' }, undefined],
  ['a close-all at the market', { sourceType: 'CLOSE_ALL', orderType: 'MARKET' }, undefined],
] as const)('%s', async (_, order, message) => {
  await comeIntoView(newPerson());
  listed();
  expect(await toastOf(order)).toBe(message);
});

test('an order that ended early says how much of it was filled, and why not the rest', async () => {
  await comeIntoView(newPerson());
  listed();
  useToasts.setState({ current: undefined });
  const order = filled({ state: 'CANCELED', sourceType: 'ENTRUST', orderType: 'MARKET', origQty: '0.3', closeReason: 'slippageBound' });
  await toastContract({ kind: 'order', order });
  expect(useToasts.getState().current?.detail).toBe(
    'Trigger order · ETH/USDC at 2,440 · 0.1 of 0.3 ETH filled: the price moved beyond the slippage bound',
  );
});

test('a TWAP order that ends says what was filled of what was asked for, and why', async () => {
  await comeIntoView(newPerson());
  listed();
  const ended = { twapId: '5', symbol: 'ETH_USDC', executedQty: '0.025', origQty: '0.05', closeReason: 'completed' } as OwnTwap['ended'];
  useToasts.setState({ current: undefined });
  await toastContract({ kind: 'twap', twap: { twapId: '5', twap: null, ended } });
  expect(useToasts.getState().current).toMatchObject({
    message: 'A TWAP order in ETH/USDC ended',
    detail: '0.025 of 0.05 ETH filled: the rest found no counterpart',
  });
  useToasts.setState({ current: undefined });
  await toastContract({ kind: 'twap', twap: { twapId: '6', twap: null, ended: null } });
  expect(useToasts.getState().current).toBeUndefined();
});

const detailOf = async (order: Partial<FuturesOrder>): Promise<string | undefined> => {
  useToasts.setState({ current: undefined });
  await toastContract({ kind: 'order', order: filled(order) });
  return useToasts.getState().current?.detail;
};

test('a close says its average and its PnL, an order that was filled in part what remains, each of its own fills', async () => {
  await comeIntoView(newPerson());
  listed();
  const fill = (orderId: string, closeProfit: string): Promise<void> =>
    toastContract({ kind: 'trade', fill: { orderId, closeProfit } as FuturesFill });
  await fill('71', '12.5');
  await fill('71', '-2.25');
  await fill('72', '0');
  const atMarket = { orderType: 'MARKET', orderSide: 'SELL' } as const;
  expect(await detailOf({ ...atMarket, orderId: '71' })).toBe('ETH/USDC at 2,440 · PnL +10.25 USDC');
  expect(await detailOf({ ...atMarket, orderId: '72' })).toBe('ETH/USDC at 2,440');
  expect(await detailOf({ orderId: '73', state: 'CANCELED', origQty: '0.3', closeReason: 'remainderNotFilled' })).toBe(
    'ETH/USDC at 2,440 · 0.1 of 0.3 ETH filled: remainder not filled',
  );
});

test('what was said of an order is not said again as its answer', async () => {
  await comeIntoView(newPerson());
  listed();
  await toastContract({ kind: 'order', order: filled({ clientOrderId: 'mine', orderType: 'MARKET' }) });
  expect([wasAnnounced('mine'), wasAnnounced('another')]).toEqual([true, false]);
});
