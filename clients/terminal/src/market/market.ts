/** A market as the trading page needs it: how to read and write its numbers, its limits and its fees. */
import type { CoinInfo, SymbolInfo } from '@orrery/api';
import type { Market } from '@orrery/protocol';
import { assetId, atoms, lots, marketId, parseAtoms, parseDecimal, ppm, printDecimal, ticks } from '@orrery/units';
import type { Lots, Ppm, Ticks } from '@orrery/units';

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

/** Whole units of 10^-decimals; 0 when the text has more decimals than the market, which a listing never has. */
const units = (text: string, decimals: number): number => Number(parseDecimal(text, decimals) ?? 0n);
const PPM_DECIMALS = 6;

/** Steps the exchange names, without those finer than a tick; a market without any is shown by the tick. */
function mergesOf(steps: readonly string[], pricePrecision: number): readonly number[] {
  const merges = steps.map((step) => units(step, pricePrecision)).filter((step) => step >= 1);
  return [...new Set([1, ...merges])].sort((left, right) => left - right);
}

/** A ratio such as `1.1`, less what it is counted from. */
const rate = (text: string, from = 0): Ppm => ppm(Math.max(0, units(text, PPM_DECIMALS) - from));
const PPM_OF_ONE = 1_000_000;
/** The number of a coin that is not listed: none of the rules looks at it. */
const NO_COIN = 1;

interface CoinDecimals {
  readonly base: number;
  readonly quote: number;
}

function termsOf(info: SymbolInfo, coins: readonly CoinInfo[], { base, quote }: CoinDecimals): Market {
  const { pricePrecision, quantityPrecision: sizePrecision } = info;
  const idOf = (coin: string): number => coins.find((known) => known.coin === coin)?.id ?? NO_COIN;
  return {
    market: marketId(info.id),
    symbol: info.symbol,
    base: assetId(idOf(info.sellCoin)),
    quote: assetId(idOf(info.buyCoin)),
    pricePrecision,
    sizePrecision,
    lotAtoms: atoms(10n ** BigInt(base - sizePrecision)),
    tickLotAtoms: atoms(10n ** BigInt(quote - pricePrecision - sizePrecision)),
    minPrice: ticks(units(info.minPrice, pricePrecision)),
    maxPrice: ticks(units(info.maxPrice, pricePrecision)),
    minSize: lots(units(info.minQty, sizePrecision)),
    maxSize: lots(units(info.maxQty, sizePrecision)),
    minNotional: parseAtoms(info.minNotional, quote) ?? atoms(0n),
    maxNotional: parseAtoms(info.maxNotional, quote) ?? atoms(0n),
    makerFeePpm: rate(info.makerFee),
    takerFeePpm: rate(info.takerFee),
    limitBandPpm: rate(info.multiplierUp, PPM_OF_ONE),
    marketBandPpm: rate(info.marketTakeBound),
    maxOpenOrders: info.maxOpenOrders,
  };
}

export function tradedMarket(info: SymbolInfo, coins: readonly CoinInfo[]): TradedMarket {
  const { pricePrecision, quantityPrecision } = info;
  const decimalsOf = (coin: string, otherwise: number): number => coins.find((known) => known.coin === coin)?.precision ?? otherwise;
  const decimals = {
    base: decimalsOf(info.sellCoin, info.sellCoinPrecision),
    quote: decimalsOf(info.buyCoin, info.buyCoinPrecision),
  };
  return {
    symbol: info.symbol,
    base: info.sellCoin,
    quote: info.buyCoin,
    baseName: shownName(info.sellCoin),
    quoteName: shownName(info.buyCoin),
    state: info.state,
    pricePrecision,
    sizePrecision: quantityPrecision,
    baseDecimals: decimals.base,
    quoteDecimals: decimals.quote,
    terms: termsOf(info, coins, decimals),
    merges: mergesOf(info.depthMergeSteps, pricePrecision),
  };
}

/** Fixed decimals: a column of prices lines up. */
export const priceText = (market: TradedMarket, price: Ticks): string => fixed(BigInt(price), market.pricePrecision);
export const sizeText = (market: TradedMarket, size: Lots): string => fixed(BigInt(size), market.sizePrecision);

function fixed(value: bigint, decimals: number): string {
  const [whole = '0', fraction = ''] = printDecimal(value, decimals).split('.');
  return decimals === 0 ? whole : `${whole}.${fraction.padEnd(decimals, '0')}`;
}
