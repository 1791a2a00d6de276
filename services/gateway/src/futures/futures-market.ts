/** Public market data of perpetual contracts, straight from the views in memory. */
import {
  ApiError,
  CHECKSUM_LEVELS,
  depthChecksum,
  FUTURES_DEPTH_LEVELS_DEFAULT,
  type AggregateTicker,
  type FundingRate,
  type FuturesDeal,
  type FuturesDepth,
  type FuturesKline,
  type FuturesTicker,
  type Handlers,
  type IndexSources,
  type Interval,
  type KlineSource,
  type OpenInterest,
  type RiskBalance,
  type futuresQuotationRoutes,
  type SymbolPrice,
} from '@orrery/api';
import type { Contract, ExternalSample } from '@orrery/protocol';
import { contractNotional, isFresh } from '@orrery/rules';
import { millis, NO_LOTS, NO_TICKS, printAtoms, printLots, printTicks, type AssetId, type Ticks } from '@orrery/units';
import { dayTicker, nextFundingAt, type Candle, type CandlesView, type ListedContract, type TapeTrade } from '@orrery/views';
import type { Floor } from '../floor.ts';
import { changeRatio, mergedLevels, printed } from '../market-data/market-data.ts';
import { isClosed, isOutside } from '../market-data/wire.ts';
import { candlesWeigh } from '../limits/limits.ts';
import type { ContractHistory } from '../ports.ts';
import { contractNamed, ppbRatio, settleOf } from './contract-listing.ts';
import { cursorOf, pageOf } from './paging.ts';

const NUM_DEFAULT = 50;
const KLINES_DEFAULT = 500;
const HOUR_MS = 3_600_000;

export interface FuturesMarketPorts {
  readonly floor: Floor;
  readonly contractHistory: ContractHistory;
  readonly now: () => number;
}

export function futuresMarketHandlers({ floor, contractHistory, now }: FuturesMarketPorts): Handlers<typeof futuresQuotationRoutes> {
  const named = (symbol: string): ListedContract => contractNamed(floor, symbol);
  const all = <Data>(dataOf: (listed: ListedContract) => Data): Data[] => floor.contracts.contracts().map(dataOf);
  return {
    futuresTicker: ({ query }) => futuresTickerOf(floor, named(query.symbol), now()),
    futuresTickers: () => all((listed) => futuresTickerOf(floor, listed, now())),
    aggregateTicker: ({ query }) => aggregateTickerOf(floor, named(query.symbol), now()),
    aggregateTickers: () => all((listed) => aggregateTickerOf(floor, listed, now())),
    futuresDepth: ({ query }) => {
      const { contract } = named(query.symbol);
      const levels = query.level ?? FUTURES_DEPTH_LEVELS_DEFAULT;
      if (query.merge === undefined) return futuresDepthOf(floor, contract, levels, now());
      const { updateId, b, a } = mergedLevels(floor, contract, { levels, merge: query.merge });
      return { s: contract.symbol, t: now(), u: updateId, seq: floor.seq, b, a };
    },
    futuresDeals: ({ query }) => {
      const { contract } = named(query.symbol);
      return floor.trades.last(contract.market, query.num ?? NUM_DEFAULT).map((trade) => futuresDealOf(trade, contract));
    },
    futuresKlines: ({ query: { symbol, interval, source, limit, startTime, endTime }, caller }) => {
      caller.weigh(candlesWeigh(limit ?? KLINES_DEFAULT));
      const { contract } = named(symbol);
      const range = {
        ...(startTime === undefined ? {} : { from: millis(startTime) }),
        ...(endTime === undefined ? {} : { to: millis(endTime) }),
      };
      const at = millis(now());
      const asked = { market: contract.market, interval, limit: limit ?? KLINES_DEFAULT, ...range };
      // A mark or an index that was not known is not made up.
      const isOfTrades = source === undefined || source === 'LAST';
      const candles = isOfTrades ? floor.candles.continuous({ ...asked, now: at }) : candlesOf(floor, source).candles(asked);
      return candles.map((candle) => futuresKlineOf(floor, candle, { interval, now: at, source: source ?? 'LAST' }, contract)).toReversed();
    },
    fundingRate: ({ query }) => fundingRateOf(named(query.symbol), now()),
    async fundingRateRecord({ query }) {
      const { contract } = named(query.symbol);
      return pageOf(await contractHistory.fundingRates({ market: contract.market, ...cursorOf(query) }));
    },
    indexSources: ({ query }) => indexSourcesOf(floor, named(query.symbol)),
    futuresIndexPrices: () => all(futuresIndexPriceOf),
    futuresIndexPrice: ({ query }) => futuresIndexPriceOf(named(query.symbol)),
    markPrices: () => all(markPriceOf),
    markPrice: ({ query }) => markPriceOf(named(query.symbol)),
    async riskBalance({ query }) {
      const asset = fundOf(floor, query);
      const history = await contractHistory.insurance({ ...cursorOf(query), ...(asset === undefined ? {} : { asset }) });
      return { funds: fundsOf(floor, asset), ...pageOf(history) };
    },
    openInterest: ({ query }) => openInterestOf(floor, named(query.symbol), now()),
  };
}

export const candlesOf = (floor: Floor, source: KlineSource): CandlesView =>
  ({ LAST: floor.candles, MARK: floor.markCandles, INDEX: floor.indexCandles })[source];

export function futuresTickerOf(floor: Floor, { contract }: ListedContract, at: number): FuturesTicker {
  const { last, open, high, low, volume, quoteVolume } = dayTicker(floor.candles, contract.market, millis(at));
  const price = priceIn(contract);
  return {
    s: contract.symbol,
    t: at,
    o: price(open),
    h: price(high),
    l: price(low),
    c: price(last),
    a: printLots(volume, contract.sizePrecision),
    v: printAtoms(quoteVolume, settleOf(floor, contract).decimals),
    r: changeRatio(open, last),
  };
}

export function aggregateTickerOf(floor: Floor, listed: ListedContract, at: number): AggregateTicker {
  const { contract, index, mark } = listed;
  const depth = floor.depth(contract.market);
  const price = priceIn(contract);
  return {
    ...futuresTickerOf(floor, listed, at),
    i: price(index),
    m: price(mark),
    bp: price(depth.best('buy')?.price),
    ap: price(depth.best('sell')?.price),
  };
}

export function futuresDepthOf(floor: Floor, contract: Contract, levels: number, at: number): FuturesDepth {
  const { updateId, bids, asks } = floor.depth(contract.market).snapshot(levels);
  const [b, a] = [printed(bids, contract), printed(asks, contract)];
  const proof = levels < CHECKSUM_LEVELS ? {} : { c: depthChecksum({ b, a }) };
  return { s: contract.symbol, t: at, u: updateId, seq: floor.seq, ...proof, b, a };
}

export const futuresDealOf = (trade: TapeTrade, contract: Contract): FuturesDeal => ({
  id: String(trade.tradeId),
  s: contract.symbol,
  t: trade.at,
  p: printTicks(trade.price, contract.pricePrecision),
  a: printLots(trade.size, contract.sizePrecision),
  m: trade.takerSide === 'buy' ? 'BID' : 'ASK',
});

export function futuresKlineOf(
  floor: Floor,
  candle: Candle,
  { interval, now, source }: { readonly interval: Interval; readonly now: number; readonly source: KlineSource },
  contract: Contract,
): FuturesKline {
  // A mark is ours from the listing on; an index is of other exchanges by its nature, and nothing of it is marked.
  const since =
    source === 'LAST' ? floor.candles.tradedSince(contract.market) : source === 'MARK' ? floor.listedAt(contract.market) : millis(0);
  const price = (value: Ticks): string => printTicks(value, contract.pricePrecision);
  return {
    s: contract.symbol,
    i: interval,
    t: candle.openTime,
    o: price(candle.open),
    h: price(candle.high),
    l: price(candle.low),
    c: price(candle.close),
    a: printLots(candle.volume, contract.sizePrecision),
    v: printAtoms(candle.quoteVolume, settleOf(floor, contract).decimals),
    closed: isClosed(candle, interval, now),
    outside: isOutside(candle, { interval, since }),
  };
}

export const fundingRateOf = ({ contract, fundingPpb, lastFunding }: ListedContract, at: number): FundingRate => ({
  symbol: contract.symbol,
  fundingRate: ppbRatio(fundingPpb),
  collectionInterval: contract.fundingIntervalMs / HOUR_MS,
  nextCollectionTime: nextFundingAt(contract, at),
  lastFundingRate: lastFunding === undefined ? null : ppbRatio(lastFunding.ratePpb),
});

export function indexSourcesOf(floor: Floor, { contract, priceState }: ListedContract): IndexSources {
  const { symbol, market, pricePrecision } = contract;
  const round = floor.priceRounds.round(market);
  const common = (sample: ExternalSample) => ({
    source: sample.source,
    price: printTicks(sample.price, pricePrecision),
    ageMs: sample.ageMs,
    isFresh: isFresh(sample),
  });
  return {
    symbol,
    time: round?.at ?? 0,
    isDegraded: priceState === 'DEGRADED',
    sources: [
      ...(round?.index ?? []).map((sample) => ({ ...common(sample), kind: 'SPOT' as const, weight: sample.weight })),
      ...(round?.external ?? []).map((sample) => ({ ...common(sample), kind: 'PERPETUAL' as const, weight: null })),
    ],
  };
}

export const futuresIndexPriceOf = ({ contract, index, pricesAt }: ListedContract): SymbolPrice => ({
  s: contract.symbol,
  t: pricesAt,
  p: priceIn(contract)(index),
});

export const markPriceOf = ({ contract, mark, pricesAt }: ListedContract): SymbolPrice => ({
  s: contract.symbol,
  t: pricesAt,
  p: priceIn(contract)(mark),
});

export function openInterestOf(floor: Floor, { contract, mark }: ListedContract, at: number): OpenInterest {
  const size = floor.positions.openInterest(contract.market);
  const value = mark === NO_TICKS || size === NO_LOTS ? undefined : contractNotional(mark, size, contract);
  const { decimals } = settleOf(floor, contract);
  return {
    symbol: contract.symbol,
    time: at,
    openInterest: printLots(size, contract.sizePrecision),
    openInterestValue: value === undefined ? (size === NO_LOTS ? '0' : null) : printAtoms(value, decimals),
    openInterestCap: printLots(contract.openInterestCap, contract.sizePrecision),
  };
}

/** The asset of one fund; undefined where all are wanted. */
function fundOf(floor: Floor, { symbol, coin }: { symbol?: string; coin?: string }): AssetId | undefined {
  if (symbol !== undefined && coin !== undefined) throw new ApiError('InvalidCombination', { field: 'coin' });
  if (symbol !== undefined) return contractNamed(floor, symbol).contract.settle;
  if (coin === undefined) return undefined;
  const found = floor.markets.assetByCode(coin)?.asset;
  if (found === undefined) throw new ApiError('UnknownAsset', { field: 'coin' });
  return found;
}

/** What contracts are settled in first, then the collateral that the fund bought. */
function fundsOf(floor: Floor, of: AssetId | undefined): RiskBalance['funds'] {
  const settled = new Set(floor.contracts.contracts().map(({ contract }) => contract.settle));
  return [...new Set([...settled, ...floor.insurance.assets()])]
    .filter((asset) => of === undefined || asset === of)
    .map((asset) => {
      const { code, decimals } = floor.asset(asset);
      return { coin: code, amount: printAtoms(floor.insurance.get(asset), decimals), isSettlement: settled.has(asset) };
    });
}

export const priceIn =
  ({ pricePrecision }: Contract) =>
  (value: Ticks | undefined): string | null =>
    value === undefined || value === NO_TICKS ? null : printTicks(value, pricePrecision);
