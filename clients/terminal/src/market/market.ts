/** A market as the trading page needs it: how to read and write its numbers, its limits and its fees. */
import type { CoinInfo, SymbolInfo } from '@orrery/api';
import type { Market } from '@orrery/protocol';
import { pairTerms } from '@orrery/sdk';
import { assetId, marketId, parseTicks, printDecimal } from '@orrery/units';
import type { Lots, Ticks } from '@orrery/units';

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
  /** What sizes are counted in: a coin, or contracts. */
  readonly sizeName: string;
  /** What the value of an order is counted in, with how many decimals it is shown, and with how many that of a whole day. */
  readonly valueName: string;
  readonly valueDecimals: number;
  readonly turnoverDecimals: number;
  readonly state: MarketState;
  /** A tick is 10^-pricePrecision, a lot 10^-sizePrecision. */
  readonly pricePrecision: number;
  readonly sizePrecision: number;
  /** Decimals of the assets themselves: fees are charged in them. */
  readonly baseDecimals: number;
  readonly quoteDecimals: number;
  /** As the rules of the exchange take it: limits, fees and bands in ticks, lots, atoms and parts per million. */
  readonly terms: Market;
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

/** Steps the exchange names, without those finer than a tick; a market without any is shown by the tick. */
export function mergesOf(steps: readonly string[], pricePrecision: number): readonly number[] {
  const merges = steps.map((step) => parseTicks(step, pricePrecision) ?? 0).filter((step) => step >= 1);
  return [...new Set([1, ...merges])].sort((left, right) => left - right);
}

export const DOLLAR_DECIMALS = 2;

/** The number of a coin that is not listed: none of the rules looks at it. */
const NO_COIN = 1;

/** @throws Error for a listing that cannot be read. */
export function tradedMarket(info: SymbolInfo, coins: readonly CoinInfo[]): TradedMarket {
  const { base, quote, baseDecimals, quoteDecimals, ...limits } = pairTerms(info, coins);
  const idOf = (coin: string): number => coins.find((known) => known.coin === coin)?.id ?? NO_COIN;
  return {
    symbol: info.symbol,
    base,
    quote,
    baseName: shownName(base),
    quoteName: shownName(quote),
    sizeName: shownName(base),
    valueName: shownName(quote),
    valueDecimals: DOLLAR_DECIMALS,
    turnoverDecimals: 0,
    state: info.state,
    pricePrecision: limits.pricePrecision,
    sizePrecision: limits.sizePrecision,
    baseDecimals,
    quoteDecimals,
    terms: { ...limits, market: marketId(info.id), base: assetId(idOf(base)), quote: assetId(idOf(quote)) },
    merges: mergesOf(info.depthMergeSteps, limits.pricePrecision),
  };
}

/** Fixed decimals: a column of prices lines up. */
export const priceText = (market: TradedMarket, price: Ticks): string => fixed(BigInt(price), market.pricePrecision);
export const sizeText = (market: TradedMarket, size: Lots): string => fixed(BigInt(size), market.sizePrecision);

function fixed(value: bigint, decimals: number): string {
  const [whole = '0', fraction = ''] = printDecimal(value, decimals).split('.');
  return decimals === 0 ? whole : `${whole}.${fraction.padEnd(decimals, '0')}`;
}
