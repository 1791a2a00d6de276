/** Market data of perpetual contracts. Single letters are the wire names of the older API. */
import { Type, type Static } from 'typebox';
import { Coin, Cursor, Decimal, DecimalInput, Interval, Millis, SignedDecimal, Symbol, nullable, strict } from './fields.ts';
import { FuturesSize, marketPaths } from './futures-fields.ts';
import { DEALS_MAX, DEPTH_LEVELS_MAX, KLINES_MAX, Level } from './quotation.ts';
import { routes } from './route.ts';

export const FUTURES_DEPTH_LEVELS_DEFAULT = 50;

/** Of a contract: the last 24 hours. Prices are null before the first trade. */
export const FuturesTicker = Type.Object({
  s: Symbol,
  t: Millis,
  o: nullable(Decimal),
  h: nullable(Decimal),
  l: nullable(Decimal),
  c: nullable(Type.String({ description: 'last price' })),
  a: Type.String({ description: 'size traded in 24 h' }),
  v: Type.String({ description: 'value traded in 24 h, in the settlement coin' }),
  r: Type.String({ description: 'change of 24 h as a ratio, four decimals' }),
});
export type FuturesTicker = Static<typeof FuturesTicker>;

/** The ticker together with index, mark and the best prices. */
export const AggregateTicker = Type.Object({
  ...FuturesTicker.properties,
  i: nullable(Type.String({ description: 'index price' })),
  m: nullable(Type.String({ description: 'mark price' })),
  bp: nullable(Type.String({ description: 'best bid' })),
  ap: nullable(Type.String({ description: 'best ask' })),
});
export type AggregateTicker = Static<typeof AggregateTicker>;

/** Levels best first. */
export const FuturesDepth = Type.Object({
  s: Symbol,
  t: Millis,
  u: Type.Integer({ description: 'number of the last level change that is in it' }),
  seq: Type.Integer({ description: 'number of the last command that is in it' }),
  c: Type.Optional(Type.Integer({ description: 'checksum as of spot depths, when it is not merged and has 25 levels or more' })),
  b: Type.Array(Level, { description: 'bids' }),
  a: Type.Array(Level, { description: 'asks' }),
});
export type FuturesDepth = Static<typeof FuturesDepth>;

export const FuturesDeal = Type.Object({
  id: Type.String(),
  s: Symbol,
  t: Millis,
  p: Decimal,
  a: Decimal,
  m: Type.Enum(['BID', 'ASK'], { description: 'the side that took' }),
});
export type FuturesDeal = Static<typeof FuturesDeal>;

export const KLINE_SOURCES = ['LAST', 'MARK', 'INDEX'] as const;
export const KlineSource = Type.Enum([...KLINE_SOURCES], { description: 'of which price; LAST unless given' });
export type KlineSource = Static<typeof KlineSource>;

export const FuturesKline = Type.Object({
  s: Symbol,
  i: Interval,
  t: Type.Integer({ description: 'when the candle opened' }),
  o: Decimal,
  h: Decimal,
  l: Decimal,
  c: Decimal,
  a: Type.String({ description: 'size; 0 of marks and indices' }),
  v: Type.String({ description: 'value in the settlement coin; 0 of marks and indices' }),
  closed: Type.Boolean({ description: 'whether its interval is over; until then it changes. The stream sends each once more when it is' }),
  outside: Type.Boolean({ description: 'of prices of other exchanges, from before the first trade here' }),
});
export type FuturesKline = Static<typeof FuturesKline>;

export const SymbolPrice = Type.Object({ s: Symbol, t: Millis, p: nullable(Decimal) });
export type SymbolPrice = Static<typeof SymbolPrice>;

export const FundingRate = Type.Object({
  symbol: Symbol,
  fundingRate: Type.String({ description: 'of this interval as it is predicted now, as a ratio; above 0 longs pay shorts' }),
  collectionInterval: Type.Integer({ description: 'hours' }),
  nextCollectionTime: Millis,
  lastFundingRate: nullable(Type.String({ description: 'of the newest settlement; null before the first' })),
});
export type FundingRate = Static<typeof FundingRate>;

export const FundingRateRecord = Type.Object({
  id: Type.String(),
  symbol: Symbol,
  fundingRate: SignedDecimal,
  price: Type.String({ description: 'index price by which it was paid' }),
  collectionInterval: Type.Integer({ description: 'hours' }),
  createdTime: Millis,
});
export type FundingRateRecord = Static<typeof FundingRateRecord>;

/** Newest first; `next` is the cursor of the page after it, null on the last one. */
export const cursored = <Item extends Parameters<typeof Type.Array>[0]>(item: Item) =>
  Type.Object({ hasPrev: Type.Boolean(), hasNext: Type.Boolean(), next: nullable(Type.String()), items: Type.Array(item) });

export const OpenInterest = Type.Object({
  symbol: Symbol,
  time: Millis,
  openInterest: Type.String({ description: 'size of all long positions' }),
  openInterestValue: nullable(Type.String({ description: 'at the mark price, in the settlement coin' })),
  openInterestCap: Decimal,
});
export type OpenInterest = Static<typeof OpenInterest>;

/** By what the fund changed: a loss or what a liquidation left over, funding that nobody else could pay, a loss of an ordinary trade, what was put in. */
export const InsuranceCause = Type.Enum(['LIQUIDATION', 'FUNDING', 'TRADE', 'BUDGET']);
export type InsuranceCause = Static<typeof InsuranceCause>;

export const InsuranceChange = Type.Object({
  id: Type.String(),
  coin: Coin,
  amount: Type.String({ description: 'in the fund after it' }),
  change: Type.String({ description: 'below 0: taken from the fund' }),
  cause: InsuranceCause,
  createdTime: Millis,
});
export type InsuranceChange = Static<typeof InsuranceChange>;

/** Newest change first; `funds` is the present, whatever page is asked for. */
export const RiskBalance = Type.Object({
  funds: Type.Array(
    Type.Object({
      coin: Coin,
      amount: Decimal,
      isSettlement: Type.Boolean({ description: 'whether contracts are settled in it; else it is collateral that the fund bought' }),
    }),
  ),
  ...cursored(InsuranceChange).properties,
});
export type RiskBalance = Static<typeof RiskBalance>;

/** An outside price in the last round of a contract. */
export const IndexSource = Type.Object({
  source: Type.String({ description: 'names the venue' }),
  kind: Type.Enum(['SPOT', 'PERPETUAL'], { description: 'SPOT makes the index, PERPETUAL takes part in the mark' }),
  price: Decimal,
  weight: nullable(Type.Integer({ description: 'in the index; null of PERPETUAL' })),
  ageMs: Type.Integer({ minimum: 0, description: 'milliseconds since it was heard, at `time`' }),
  isFresh: Type.Boolean({ description: 'whether it is young enough to count' }),
});
export type IndexSource = Static<typeof IndexSource>;

export const IndexSources = Type.Object({
  symbol: Symbol,
  time: Type.Integer({ minimum: 0, description: 'of the round, unix milliseconds; 0 before the first since the program was started' }),
  isDegraded: Type.Boolean({ description: 'too few sources agree: orders only reduce' }),
  sources: Type.Array(IndexSource),
});
export type IndexSources = Static<typeof IndexSources>;

const symbolOnly = strict({ symbol: Symbol });

const publicCall = { method: 'GET', access: 'public', rate: 'public' } as const;

export const futuresQuotationRoutes = routes({
  futuresTicker: {
    ...publicCall,
    ...marketPaths('q/ticker'),
    summary: 'The last 24 hours of one contract.',
    query: symbolOnly,
    response: FuturesTicker,
  },
  futuresTickers: {
    ...publicCall,
    ...marketPaths('q/tickers'),
    summary: 'The last 24 hours of every contract.',
    response: Type.Array(FuturesTicker),
  },
  aggregateTicker: {
    ...publicCall,
    ...marketPaths('q/agg-ticker'),
    summary: 'The last 24 hours of one contract, with index, mark and best prices.',
    query: symbolOnly,
    response: AggregateTicker,
  },
  aggregateTickers: {
    ...publicCall,
    ...marketPaths('q/agg-tickers'),
    summary: 'The last 24 hours of every contract, with index, mark and best prices.',
    response: Type.Array(AggregateTicker),
  },
  futuresDepth: {
    ...publicCall,
    ...marketPaths('q/depth'),
    summary: "The order book by price level; `merge` is one of the contract's depthMergeSteps.",
    query: strict({
      symbol: Symbol,
      level: Type.Optional(Type.Integer({ minimum: 1, maximum: DEPTH_LEVELS_MAX, default: FUTURES_DEPTH_LEVELS_DEFAULT })),
      merge: Type.Optional(DecimalInput),
    }),
    response: FuturesDepth,
  },
  futuresDeals: {
    ...publicCall,
    ...marketPaths('q/deal'),
    summary: 'The latest trades, newest first.',
    query: strict({ symbol: Symbol, num: Type.Optional(Type.Integer({ minimum: 1, maximum: DEALS_MAX, default: 50 })) }),
    response: Type.Array(FuturesDeal),
  },
  futuresKlines: {
    ...publicCall,
    ...marketPaths('q/kline'),
    summary: 'Candles of trades, marks or indices, newest first; times include both ends.',
    query: strict({
      symbol: Symbol,
      interval: Interval,
      source: Type.Optional(KlineSource),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: KLINES_MAX, default: 500 })),
      startTime: Type.Optional(Millis),
      endTime: Type.Optional(Millis),
    }),
    response: Type.Array(FuturesKline),
  },
  fundingRate: {
    ...publicCall,
    ...marketPaths('q/funding-rate'),
    summary: 'The funding rate of one contract as it is predicted now.',
    query: symbolOnly,
    response: FundingRate,
  },
  fundingRateRecord: {
    ...publicCall,
    ...marketPaths('q/funding-rate-record'),
    readsHistory: true,
    summary: 'The funding rates that were settled, newest first.',
    query: strict({ symbol: Symbol, id: Type.Optional(Cursor), limit: Type.Optional(FuturesSize) }),
    response: cursored(FundingRateRecord),
  },
  futuresIndexPrices: {
    ...publicCall,
    ...marketPaths('q/index-price'),
    summary: 'The index price of every contract.',
    response: Type.Array(SymbolPrice),
  },
  futuresIndexPrice: {
    ...publicCall,
    ...marketPaths('q/symbol-index-price'),
    summary: 'The index price of one contract.',
    query: symbolOnly,
    response: SymbolPrice,
  },
  markPrices: {
    ...publicCall,
    ...marketPaths('q/mark-price'),
    summary: 'The mark price of every contract.',
    response: Type.Array(SymbolPrice),
  },
  markPrice: {
    ...publicCall,
    ...marketPaths('q/symbol-mark-price'),
    summary: 'The mark price of one contract.',
    query: symbolOnly,
    response: SymbolPrice,
  },
  indexSources: {
    ...publicCall,
    ...marketPaths('q/index-sources'),
    summary: 'The outside prices that index and mark of one contract were made of in the last round, with their ages.',
    query: symbolOnly,
    response: IndexSources,
  },
  riskBalance: {
    ...publicCall,
    ...marketPaths('contract/risk-balance'),
    readsHistory: true,
    summary:
      'The insurance fund: what it has of each coin, and its changes, newest first; of one coin, or of the coin that a contract is settled in.',
    query: strict({
      symbol: Type.Optional(Symbol),
      coin: Type.Optional(Coin),
      id: Type.Optional(Cursor),
      limit: Type.Optional(FuturesSize),
    }),
    response: RiskBalance,
  },
  openInterest: {
    ...publicCall,
    ...marketPaths('contract/open-interest'),
    summary: 'How much of one contract is held open.',
    query: symbolOnly,
    response: OpenInterest,
  },
});
