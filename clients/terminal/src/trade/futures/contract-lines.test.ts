import type { FuturesOrder, Position, ProfitStopTerms } from '@orrery/api';
import { expect, test } from 'vitest';
import { contractLines, protectionAt } from './contract-lines.ts';

const words = {
  buy: 'Buy',
  sell: 'Sell',
  plan: 'Trigger',
  takeProfit: 'TP',
  stopLoss: 'SL',
  long: 'Long',
  short: 'Short',
  liquidation: 'Liquidation',
  whole: 'Whole position',
  size: (size: string) => size,
};
const position = {
  symbol: 'BTC_USDC',
  positionSide: 'BOTH',
  positionSize: '-0.25',
  entryPrice: '60000',
  markPrice: '61000',
  liquidationPrice: '65000',
} as Position;
const order = { orderId: '7', symbol: 'BTC_USDC', orderSide: 'BUY', price: '59000', origQty: '0.1' } as FuturesOrder;
const stop = {
  profitId: '9',
  symbol: 'BTC_USDC',
  orderSide: 'BUY',
  triggerProfitPrice: null,
  triggerStopPrice: '62000',
  origQty: null,
} as ProfitStopTerms;

test('a position is a line at its entry, which is dragged, and one where it is liquidated, which is not', () => {
  const lines = contractLines({ positions: [position], open: [order], plans: [], stops: [stop] }, 'BTC_USDC', words);
  expect(lines.map(({ orderId, label, price, isMovable }) => [orderId, label, price, isMovable])).toEqual([
    ['entry:BOTH', 'Short 0.25', 60_000, true],
    ['liquidation:BOTH', 'Liquidation', 65_000, false],
    ['order:7', 'Buy 0.1', 59_000, true],
    ['stop:9', 'SL Whole position', 62_000, true],
  ]);
});

test('what stands in another contract has no line', () => {
  expect(contractLines({ positions: [position], open: [order], plans: [], stops: [stop] }, 'ETH_USDC', words)).toEqual([]);
});

test.each([
  ['1', '62000', 'profit'],
  ['1', '60500', 'stop'],
  ['-1', '62000', 'stop'],
  ['-1', '60500', 'profit'],
])('a line of a position of %s that is dropped at %s, where the mark is 61,000, is its %s', (positionSize, price, kind) => {
  expect(protectionAt({ ...position, positionSize }, price)).toBe(kind);
});
