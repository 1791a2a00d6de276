/** A market for the tests of the trading page. */
import type { TradedMarket } from '../../feed/market.ts';

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
  minPrice: 1,
  maxPrice: 100_000_000,
  minSize: 1,
  maxSize: 10_000_000,
  minNotional: '5',
  maxNotional: '4000000',
  makerFeePpm: 500,
  takerFeePpm: 1000,
  merges: [1, 10, 100],
};
