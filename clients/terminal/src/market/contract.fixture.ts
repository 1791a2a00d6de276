/** A contract for the tests of its ticket. */
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

export const BTC_PERPETUAL = contractMarket({ info: INFO, brackets: undefined, coins: [] });
