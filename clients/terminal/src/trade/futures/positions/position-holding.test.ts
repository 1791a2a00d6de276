import type { MarginAccount, Position } from '@orrery/api';
import { collateralWorth } from '@orrery/rules';
import { expect, test } from 'vitest';
import type { ContractMarket } from '../../../market/contract-market.ts';
import { backingOf } from './position-holding.ts';

const MARKET = {
  info: { baseCoin: 'BTC' },
  sizePrecision: 3,
  settleDecimals: 4,
  margin: { payoff: 'linear' },
} as unknown as ContractMarket;

const position = (parts: Partial<Position>): Position =>
  ({
    symbol: 'BTC_USDC',
    settleCoin: 'USDC',
    underlyingType: 'U_BASED',
    positionType: 'CROSSED',
    leverage: 10,
    isolatedMargin: '0',
    positionSide: 'LONG',
    positionSize: '1.000',
    notional: '100.0000',
    unrealizedProfit: '5.0000',
    maintenanceMargin: '2.5000',
    ...parts,
  }) as Position;

const LONG = position({});
const SHORT = position({ positionSide: 'SHORT', positionSize: '-0.500', notional: '50.0000', unrealizedProfit: '-1.0000' });
const ACCOUNT = {
  collateralValue: '900.0000',
  collaterals: [
    { coin: 'BTC', amount: '0.12345678', price: '61234.5', ratio: '0.9', value: '680.0000' },
    { coin: 'ETH', amount: '1', price: null, ratio: '0.9', value: '0' },
  ],
} as unknown as MarginAccount;
const legs = [LONG, SHORT];

test('behind a crossed position stand its other leg, its own coin, and what does not move with its contract', () => {
  const beside = [
    position({ symbol: 'ETH_USDC', unrealizedProfit: '-20.0000', maintenanceMargin: '3.0000' }),
    position({ symbol: 'SOL_USDC', positionType: 'ISOLATED', unrealizedProfit: '70.0000' }),
    position({ symbol: 'BTC_USD', settleCoin: 'BTC', underlyingType: 'COIN_BASED', unrealizedProfit: '0.5000' }),
  ];
  const backing = backingOf(LONG, { account: ACCOUNT, legs, positions: [...legs, ...beside] }, MARKET);
  // 900 less the 680 of the coin, less a loss of 20 and a need of 3.
  expect(backing).toMatchObject({ mode: 'CROSSED', margin: 1_970_000n, otherLeg: { direction: 'short', size: 500, cost: 490_000n } });
  const { amount, ...coin } = backing!.coin!;
  // 0.12345678 × 61,234.5 = 7,559.8141…, of which 0.9 count.
  expect(collateralWorth(amount, coin)).toBe(68_038_326n);
});

test('an isolated position has its margin alone', () => {
  const own = position({ positionType: 'ISOLATED', isolatedMargin: '12.5000' });
  expect(backingOf(own, { account: undefined, legs: undefined, positions: undefined }, MARKET)).toEqual({
    mode: 'ISOLATED',
    leverage: 10,
    margin: 125_000n,
  });
});

test('nothing is said while a figure is missing', () => {
  expect(backingOf(LONG, { account: ACCOUNT, legs, positions: undefined }, MARKET)).toBeUndefined();
  expect(backingOf(LONG, { account: undefined, legs, positions: legs }, MARKET)).toBeUndefined();
  expect(backingOf(LONG, { account: ACCOUNT, legs: [LONG, { ...SHORT, notional: null }], positions: legs }, MARKET)).toBeUndefined();
  const unknown = position({ symbol: 'ETH_USDC', notional: null });
  expect(backingOf(LONG, { account: ACCOUNT, legs, positions: [unknown] }, MARKET)).toBeUndefined();
});
