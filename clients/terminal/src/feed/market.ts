/** A market as the trading page needs it: how to read and write its numbers, its limits and its fees. */
import { printDecimal } from '@orrery/units';

/** `CANCEL_ONLY` takes cancels, `HALT` takes nothing: shown as they are. */
export type MarketState = 'TRADING' | 'HALT' | 'CANCEL_ONLY';

export interface TradedMarket {
  readonly symbol: string;
  /** Codes of the wire. */
  readonly base: string;
  readonly quote: string;
  /** What people call them: WSOSO is shown as SOSO. */
  readonly baseName: string;
  readonly quoteName: string;
  readonly state: MarketState;
  /** A tick is 10^-pricePrecision, a lot 10^-sizePrecision. */
  readonly pricePrecision: number;
  readonly sizePrecision: number;
  /** Decimals of the assets themselves: fees are charged in them. */
  readonly baseDecimals: number;
  readonly quoteDecimals: number;
  /** In ticks and lots. */
  readonly minPrice: number;
  readonly maxPrice: number;
  readonly minSize: number;
  readonly maxSize: number;
  /** Decimal text in the quote asset. */
  readonly minNotional: string;
  readonly maxNotional: string;
  readonly makerFeePpm: number;
  readonly takerFeePpm: number;
  /** Ticks that one row of the order book may hold; ascending, from 1. */
  readonly merges: readonly number[];
}

export const shownName = (coin: string): string => (coin === 'WSOSO' ? 'SOSO' : coin);
export const shownPair = (symbol: string): string => symbol.split('_').map(shownName).join('/');

/** Fixed decimals: a column of prices lines up. */
export const priceText = (market: TradedMarket, ticks: number): string => fixed(BigInt(Math.round(ticks)), market.pricePrecision);
export const sizeText = (market: TradedMarket, lots: number): string => fixed(BigInt(Math.round(lots)), market.sizePrecision);

function fixed(value: bigint, decimals: number): string {
  const [whole = '0', fraction = ''] = printDecimal(value, decimals).split('.');
  return decimals === 0 ? whole : `${whole}.${fraction.padEnd(decimals, '0')}`;
}
