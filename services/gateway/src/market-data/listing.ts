/** Markets with their two coins, and the listing as it is published. */
import { ApiError, TradeType, type CoinInfo, type Handlers, type Listing, type symbolRoutes, type SymbolInfo } from '@orrery/api';
import { TIMES_IN_FORCE, type Market } from '@orrery/protocol';
import { lots, ppm, printAtoms, printDecimal, printLots, printTicks, ticks, type Ppm } from '@orrery/units';
import type { ListedMarket } from '@orrery/views';
import type { Floor } from '../floor.ts';

/** Coins that people know by another name. */
const SHOWN_AS: Readonly<Record<string, string>> = { WSOSO: 'SOSO' };
export const shown = (code: string): string => SHOWN_AS[code] ?? code;

/** Decimals in which amounts of a coin are shown at most. */
const DISPLAY_DECIMALS_MAX = 8;
const MERGE_STEPS = 4;

export const listingOf = (floor: Floor, market: Market): Listing => ({
  market,
  base: floor.asset(market.base),
  quote: floor.asset(market.quote),
});

/** Throws when no market is listed under this symbol. */
export function marketNamed(floor: Floor, symbol: string): ListedMarket {
  const listed = floor.markets.marketBySymbol(symbol);
  if (listed === undefined) throw new ApiError('UnknownMarket', { field: 'symbol' });
  return listed;
}

export const symbolHandlers = (floor: Floor): Handlers<typeof symbolRoutes> => ({
  symbols: ({ query }) => {
    const listed = query.symbol === undefined ? floor.markets.markets() : [marketNamed(floor, query.symbol)];
    return listed.map((each) => symbolInfo(floor, each));
  },
  coins: () =>
    floor.markets
      .assets()
      .filter(({ kind }) => kind === 'chain')
      .map(({ asset, code, decimals }): CoinInfo => ({
        id: asset,
        coin: code,
        name: shown(code),
        precision: decimals,
        displayPrecision: Math.min(decimals, DISPLAY_DECIMALS_MAX),
      })),
});

export function symbolInfo(floor: Floor, { market, state }: ListedMarket): SymbolInfo {
  const { base, quote } = listingOf(floor, market);
  const { pricePrecision, sizePrecision } = market;
  return {
    id: market.market,
    symbol: market.symbol,
    name: `${shown(base.code)}/${shown(quote.code)}`,
    state,
    tradeSwitch: state === 'TRADING',
    buyCoin: quote.code,
    sellCoin: base.code,
    buyCoinPrecision: quote.decimals,
    buyCoinDisplayPrecision: Math.min(quote.decimals, DISPLAY_DECIMALS_MAX),
    sellCoinPrecision: base.decimals,
    sellCoinDisplayPrecision: Math.min(base.decimals, DISPLAY_DECIMALS_MAX),
    quantityPrecision: sizePrecision,
    pricePrecision,
    tickSize: printTicks(ticks(1), pricePrecision),
    stepSize: printLots(lots(1), sizePrecision),
    supportOrderType: TradeType.enum.join(','),
    supportTimeInForce: TIMES_IN_FORCE.join(','),
    minPrice: printTicks(market.minPrice, pricePrecision),
    maxPrice: printTicks(market.maxPrice, pricePrecision),
    minQty: printLots(market.minSize, sizePrecision),
    maxQty: printLots(market.maxSize, sizePrecision),
    minNotional: printAtoms(market.minNotional, quote.decimals),
    maxNotional: printAtoms(market.maxNotional, quote.decimals),
    multiplierDown: ratio(ppm(PPM - market.limitBandPpm)),
    multiplierUp: ratio(ppm(PPM + market.limitBandPpm)),
    marketTakeBound: ratio(market.marketBandPpm),
    makerFee: ratio(market.makerFeePpm),
    takerFee: ratio(market.takerFeePpm),
    maxOpenOrders: market.maxOpenOrders,
    depthPrecisionMerge: pricePrecision,
    depthMergeSteps: mergeSteps(pricePrecision),
    onboardDate: floor.listedAt(market.market),
    sequence: market.market,
    ...futuresAndOlder,
    hot: market.market === FIRST_MARKET,
  };
}

/** Fields that the older client expects and that mean nothing on spot markets. */
const futuresAndOlder = { lever: null, riskRate: null, setType: 0, uids: [] };
const FIRST_MARKET = 1;

const PPM = 1_000_000;
export const ratio = (rate: Ppm): string => printDecimal(BigInt(rate), 6);

/** One tick, ten, a hundred and so on. */
export const mergeSteps = (pricePrecision: number): string[] =>
  Array.from({ length: MERGE_STEPS }, (_, power) => printTicks(ticks(10 ** power), pricePrecision));
