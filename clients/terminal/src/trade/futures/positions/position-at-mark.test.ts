import type { Position } from '@orrery/api';
import { atoms } from '@orrery/units';
import { expect, test } from 'vitest';
import type { ContractMarket } from '../../../market/contract-market.ts';
import { positionAtMark } from './position-at-mark.ts';

/** Prices have 1 decimal, sizes 3, money 4. */
const MARKET = {
  pricePrecision: 1,
  sizePrecision: 3,
  settleDecimals: 4,
  margin: { payoff: 'linear', tickLotAtoms: atoms(1n), tiers: [{ maxNotional: atoms(10n ** 12n), maxLeverage: 20 }] },
} as unknown as ContractMarket;

/** Half a coin at 100, read when the mark was 110. */
const read = (side: 'long' | 'short'): Position =>
  ({
    positionSize: side === 'long' ? '0.500' : '-0.500',
    leverage: 10,
    markPrice: '110.0',
    notional: '55.0000',
    unrealizedProfit: side === 'long' ? '5.0000' : '-5.0000',
    roe: side === 'long' ? '1' : '-1',
    liquidationPrice: '91.0',
  }) as unknown as Position;

test.each([
  // side   mark     value      profit     of the margin of 5
  ['long', '110.0', '55.0000', '5.0000', '1.00000000'],
  ['long', '120.0', '60.0000', '10.0000', '2.00000000'],
  ['long', '99.0', '49.5000', '-0.5000', '-0.10000000'],
  ['short', '120.0', '60.0000', '-10.0000', '-2.00000000'],
  ['short', '99.0', '49.5000', '0.5000', '0.10000000'],
] as const)('a %s at a mark price of %s is worth %s, its profit is %s, %s', (side, markPrice, notional, profit, roe) => {
  const now = positionAtMark(read(side), MARKET, markPrice);
  expect(now).toEqual({
    ...read(side),
    markPrice,
    notional: expect.anything(),
    unrealizedProfit: expect.anything(),
    roe: expect.anything(),
  });
  expect([now.notional, now.unrealizedProfit, now.roe].map(Number)).toEqual([notional, profit, roe].map(Number));
});

test('without a mark price, and of an empty position, nothing changes', () => {
  expect(positionAtMark(read('long'), MARKET, null)).toEqual(read('long'));
  const empty = { ...read('long'), positionSize: '0', notional: null, unrealizedProfit: null, roe: null };
  expect(positionAtMark(empty, MARKET, '120.0')).toEqual(empty);
});
