/** What the market and the account are at this moment, and the arithmetic of decimals between them. */
import { printDecimal } from '@orrery/units';
import type { TradedMarket } from '../../../feed/market.ts';
import type { Levels } from './fill-estimate.ts';

export interface TicketContext {
  readonly market: TradedMarket;
  /** Free in the spot wallet, decimal text; `undefined` while unknown or signed out. */
  readonly freeBase: string | undefined;
  readonly freeQuote: string | undefined;
  /** In ticks; 0 when unknown. */
  readonly lastPrice: number;
  readonly bids: Levels;
  readonly asks: Levels;
}

/** Ticks times lots are the quote asset at this many decimals. */
export const valueDecimals = (market: TradedMarket): number => market.pricePrecision + market.sizePrecision;
export const valueText = (market: TradedMarket, value: bigint): string => printDecimal(value, valueDecimals(market));

/** Decimal text at more or fewer decimals than it has: what is beyond is cut, as what is free can only be spent whole. */
export function parseCut(text: string, decimals: number): bigint {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'));
}
