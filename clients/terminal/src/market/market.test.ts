import { lots, ticks } from '@orrery/units';
import { expect, test } from 'vitest';
import type { CoinInfo, SymbolInfo } from '@orrery/api';
import { marketNamed, priceText, shownPair, sizeText, tradedMarket } from './market.ts';

const info: SymbolInfo = {
  id: 5,
  symbol: 'WSOSO_USDC',
  name: 'SOSO/USDC',
  state: 'TRADING',
  tradeSwitch: true,
  buyCoin: 'USDC',
  sellCoin: 'WSOSO',
  buyCoinPrecision: 6,
  buyCoinDisplayPrecision: 2,
  sellCoinPrecision: 18,
  sellCoinDisplayPrecision: 1,
  quantityPrecision: 1,
  pricePrecision: 4,
  tickSize: '0.0001',
  stepSize: '0.1',
  supportOrderType: 'LIMIT,MARKET',
  supportTimeInForce: 'GTC',
  minPrice: '0.0001',
  maxPrice: '1000',
  minQty: '0.1',
  maxQty: '5000000',
  minNotional: '5',
  maxNotional: '1000000',
  multiplierDown: '0.9',
  multiplierUp: '1.1',
  marketTakeBound: '0.05',
  makerFee: '0.0005',
  takerFee: '0.001',
  maxOpenOrders: 200,
  depthPrecisionMerge: 4,
  depthMergeSteps: ['0.0001', '0.001', '0.01'],
  onboardDate: 1_700_000_000_000,
  lever: null,
  riskRate: null,
  setType: 0,
  uids: [],
  hot: false,
  sequence: 5,
};
const coins: readonly CoinInfo[] = [{ id: 6, coin: 'WSOSO', name: 'SOSO', precision: 18, displayPrecision: 1 }];

test('[S4] a listed symbol becomes a market in ticks, lots and parts per million', () => {
  const market = tradedMarket(info, coins);
  expect(market).toMatchObject({
    merges: [1, 10, 100],
    baseDecimals: 18,
    terms: {
      minPrice: 1,
      maxPrice: 10_000_000,
      minSize: 1,
      makerFeePpm: 500,
      takerFeePpm: 1000,
      limitBandPpm: 100_000,
      marketBandPpm: 50_000,
      lotAtoms: 10n ** 17n,
      tickLotAtoms: 10n,
      minNotional: 5_000_000n,
    },
  });
});

test('[S3] WSOSO is shown as SOSO', () => {
  expect(tradedMarket(info, coins).baseName).toBe('SOSO');
  expect(shownPair('WSOSO_USDC')).toBe('SOSO/USDC');
  expect(shownPair('BTC_USDC')).toBe('BTC/USDC');
});

test('[S4] depth can be merged by the steps the exchange names; a step finer than a tick is left out', () => {
  expect(tradedMarket({ ...info, depthMergeSteps: ['0.00001', '0.1'] }, coins).merges).toEqual([1, 1000]);
  expect(tradedMarket({ ...info, depthMergeSteps: [] }, coins).merges).toEqual([1]);
});

test('prices and sizes have the fixed decimals of their market', () => {
  const market = tradedMarket(info, coins);
  expect(priceText(market, ticks(5000))).toBe('0.5000');
  expect(sizeText(market, lots(12))).toBe('1.2');
  expect(sizeText(market, lots(10))).toBe('1.0');
});

test('a market is found by its symbol and by the names that people know, in any case', () => {
  const markets = [tradedMarket(info, [])];
  for (const typed of ['WSOSO_USDC', 'SOSO_USDC', 'soso_usdc', 'wSoSo_usdc']) expect(marketNamed(markets, typed)).toBe(markets[0]);
  for (const typed of ['SOSO', 'SOSOUSDC', 'SOS_USDC', '']) expect(marketNamed(markets, typed)).toBeUndefined();
});
