/** The listed markets, read once and kept: what the exchange lists, in the words of the trading page. */
import type { CoinInfo, SymbolInfo } from '@orrery/api';
import { parseDecimal } from '@orrery/units';
import { useQuery } from '@tanstack/react-query';
import type { UseQueryResult } from '@tanstack/react-query';
import { http } from '../client/client.ts';
import { shownName } from './market.ts';
import type { TradedMarket } from './market.ts';

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
    merges: mergesOf(info.depthPrecisionMerge, pricePrecision),
  };
}

async function loadMarkets(): Promise<readonly TradedMarket[]> {
  const [symbols, coins] = await Promise.all([
    http.load('symbols', { ignoreToken: true }),
    http.load('coins', { ignoreToken: true }),
  ]);
  return symbols.toSorted((left, right) => left.sequence - right.sequence).map((info) => tradedMarket(info, coins));
}

/** A market can be halted at any time: the list is read again now and then. */
const marketsQuery = { queryKey: ['markets'], queryFn: loadMarkets, staleTime: 30_000, refetchInterval: 60_000 } as const;

export function useMarkets(): UseQueryResult<readonly TradedMarket[]> {
  return useQuery(marketsQuery);
}
