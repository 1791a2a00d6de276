/** A market as the trading page needs it: how to read and write its numbers, its limits and its fees. */
import type { CoinInfo, SymbolInfo } from '@orrery/api';
import { parseDecimal, printDecimal } from '@orrery/units';

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

/** The market that an address names, in any case and by the names that people know; `undefined` where none is listed under it. */
export function marketNamed(markets: readonly TradedMarket[], typed: string): TradedMarket | undefined {
  const wanted = typed.toUpperCase();
  return (
    markets.find(({ symbol }) => symbol === wanted) ?? markets.find(({ symbol }) => symbol.split('_').map(shownName).join('_') === wanted)
  );
}

/** Whole units of 10^-decimals; 0 when the text has more decimals than the market, which a listing never has. */
const units = (text: string, decimals: number): number => Number(parseDecimal(text, decimals) ?? 0n);
const PPM_DECIMALS = 6;

/** Steps the exchange names, without those finer than a tick; a market without any is shown by the tick. */
function mergesOf(steps: readonly string[], pricePrecision: number): readonly number[] {
  const merges = steps.map((step) => units(step, pricePrecision)).filter((step) => step >= 1);
  return [...new Set([1, ...merges])].sort((left, right) => left - right);
}

export function tradedMarket(info: SymbolInfo, coins: readonly CoinInfo[]): TradedMarket {
  const { pricePrecision, quantityPrecision } = info;
  const decimalsOf = (coin: string, otherwise: number): number => coins.find((known) => known.coin === coin)?.precision ?? otherwise;
  return {
    symbol: info.symbol,
    base: info.sellCoin,
    quote: info.buyCoin,
    baseName: shownName(info.sellCoin),
    quoteName: shownName(info.buyCoin),
    state: info.state,
    pricePrecision,
    sizePrecision: quantityPrecision,
    baseDecimals: decimalsOf(info.sellCoin, info.sellCoinPrecision),
    quoteDecimals: decimalsOf(info.buyCoin, info.buyCoinPrecision),
    minPrice: units(info.minPrice, pricePrecision),
    maxPrice: units(info.maxPrice, pricePrecision),
    minSize: units(info.minQty, quantityPrecision),
    maxSize: units(info.maxQty, quantityPrecision),
    minNotional: info.minNotional,
    maxNotional: info.maxNotional,
    makerFeePpm: units(info.makerFee, PPM_DECIMALS),
    takerFeePpm: units(info.takerFee, PPM_DECIMALS),
    merges: mergesOf(info.depthMergeSteps, pricePrecision),
  };
}

/** Fixed decimals: a column of prices lines up. */
export const priceText = (market: TradedMarket, ticks: number): string => fixed(BigInt(Math.round(ticks)), market.pricePrecision);
export const sizeText = (market: TradedMarket, lots: number): string => fixed(BigInt(Math.round(lots)), market.sizePrecision);

function fixed(value: bigint, decimals: number): string {
  const [whole = '0', fraction = ''] = printDecimal(value, decimals).split('.');
  return decimals === 0 ? whole : `${whole}.${fraction.padEnd(decimals, '0')}`;
}
