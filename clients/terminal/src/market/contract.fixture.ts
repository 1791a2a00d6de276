/** Contracts for the tests of their ticket. */
import type { FuturesSymbol } from '@orrery/api';
import { contractMarket } from './contract-market.ts';

const INFO = {
  id: 101,
  symbol: 'BTC_USDC',
  underlyingType: 'U_BASED',
  state: 'TRADING',
  baseCoin: 'BTC',
  quoteCoin: 'USDC',
  settleCoin: 'USDC',
  settleCoinPrecision: 6,
  contractSize: '1',
  quantityPrecision: 5,
  pricePrecision: 1,
  minPrice: '0.1',
  maxPrice: '1000000',
  minQty: '0.00001',
  maxQty: '100',
  minNotional: '5',
  maxNotional: '4000000',
  multiplierUp: '1.1',
  marketTakeBound: '0.05',
  makerFee: '0.0002',
  takerFee: '0.0005',
  initLeverage: 10,
  initPositionType: 'CROSSED',
  maxLeverage: 40,
  depthMergeSteps: ['0.1', '1'],
} as unknown as FuturesSymbol;

const INVERSE = {
  ...INFO,
  id: 106,
  symbol: 'BTC_USD',
  underlyingType: 'COIN_BASED',
  quoteCoin: 'USD',
  settleCoin: 'BTC',
  settleCoinPrecision: 8,
  contractSize: '1',
  quantityPrecision: 0,
  minQty: '1',
  maxQty: '10000000',
  minNotional: '0.00005',
  maxNotional: '40',
} as unknown as FuturesSymbol;

/** Settled in its coin: a contract is a dollar. */
export const BTC_COIN_MARGINED = contractMarket({ info: INVERSE, brackets: undefined, coins: [] });

export const BTC_PERPETUAL = contractMarket({ info: INFO, brackets: undefined, coins: [] });
