/** A market for the tests of the trading page. */
import { assetId, atoms, lots, marketId, ppm, ticks } from '@orrery/units';
import type { TradedMarket } from './market.ts';

export const BTC: TradedMarket = {
  symbol: 'BTC_USDC',
  base: 'BTC',
  quote: 'USDC',
  baseName: 'BTC',
  quoteName: 'USDC',
  state: 'TRADING',
  pricePrecision: 1,
  sizePrecision: 5,
  baseDecimals: 8,
  quoteDecimals: 6,
  terms: {
    market: marketId(1),
    symbol: 'BTC_USDC',
    base: assetId(2),
    quote: assetId(1),
    pricePrecision: 1,
    sizePrecision: 5,
    lotAtoms: atoms(1_000n),
    tickLotAtoms: atoms(1n),
    minPrice: ticks(1),
    maxPrice: ticks(100_000_000),
    minSize: lots(1),
    maxSize: lots(10_000_000),
    minNotional: atoms(5_000_000n),
    maxNotional: atoms(4_000_000_000_000n),
    makerFeePpm: ppm(500),
    takerFeePpm: ppm(1000),
    limitBandPpm: ppm(100_000),
    marketBandPpm: ppm(50_000),
    maxOpenOrders: 200,
  },
  merges: [1, 10, 100],
};
