/** Which perpetual contracts are listed, and by which rules they trade. */
import { Type, type Static } from 'typebox';
import { Coin, Decimal, Millis, Symbol, nullable, strict } from './fields.ts';
import { ContractType, marketPaths, PositionTypeName, UnderlyingType } from './futures-fields.ts';
import { routes } from './route.ts';

export const FuturesSymbol = Type.Object({
  id: Type.Integer(),
  symbol: Symbol,
  name: Type.String({ description: 'as shown to people, such as BTC/USDC' }),
  contractType: ContractType,
  underlyingType: UnderlyingType,
  state: Type.Enum(['TRADING', 'HALT', 'CANCEL_ONLY']),
  tradeSwitch: Type.Boolean({ description: 'true when the state is TRADING' }),
  isDegraded: Type.Boolean({ description: 'its outside prices are missing or too old: only orders that reduce a position are taken' }),
  contractSize: Type.String({ description: 'of one sheet: units of the base coin, of COIN_BASED contracts units of the quote' }),
  baseCoin: Coin,
  quoteCoin: Coin,
  settleCoin: Coin,
  settleCoinPrecision: Type.Integer(),
  baseCoinPrecision: Type.Integer({ description: 'decimals of sizes, by its older name' }),
  quoteCoinPrecision: Type.Integer({ description: 'decimals of prices, by its older name' }),
  quantityPrecision: Type.Integer(),
  pricePrecision: Type.Integer(),
  tickSize: Decimal,
  stepSize: Type.String({ description: 'of sizes: units of the base coin, of COIN_BASED contracts units of the quote' }),
  minStepPrice: Type.String({ description: 'the tick size, by its older name' }),
  minPrice: Decimal,
  maxPrice: Decimal,
  minQty: Decimal,
  maxQty: Decimal,
  minNotional: Decimal,
  maxNotional: Decimal,
  multiplierDown: Decimal,
  multiplierUp: Decimal,
  marketTakeBound: Decimal,
  makerFee: Type.String({ description: 'of tier 0, as a ratio' }),
  takerFee: Type.String({ description: 'of tier 0, as a ratio' }),
  liquidationFee: Type.Literal('0', { description: 'a liquidation takes no fee of its own' }),
  initLeverage: Type.Integer(),
  maxLeverage: Type.Integer(),
  initPositionType: PositionTypeName,
  supportPositionType: Type.String({ examples: ['CROSSED,ISOLATED'] }),
  supportOrderType: Type.String({ examples: ['LIMIT,MARKET'] }),
  supportTimeInForce: Type.String({ examples: ['GTC,FOK,IOC,GTX'] }),
  supportEntrustType: Type.String({ examples: ['TAKE_PROFIT,STOP,TAKE_PROFIT_MARKET,STOP_MARKET,TRAILING_STOP_MARKET'] }),
  maxOpenOrders: Type.Integer({ description: 'of one account in this contract, plan orders and TP/SL included' }),
  maxEntrusts: Type.Integer({ description: 'the same number, by its older name for plan orders' }),
  openInterestCap: Decimal,
  fundingInterval: Type.Integer({ description: 'hours between two settlements of funding' }),
  interestRate: Type.String({ description: 'of eight hours, as a ratio' }),
  maxFundingRate: Type.String({ description: 'of one interval, as a ratio; the least is its negative' }),
  impactNotional: Type.String({ description: 'value by which the premium is measured in the book' }),
  depthPrecisionMerge: Type.Integer(),
  depthMergeSteps: Type.Array(Decimal, { description: 'steps by which a depth can be merged, finest first' }),
  onboardDate: Millis,
  sequence: Type.Integer({ description: 'rank in lists' }),
});
export type FuturesSymbol = Static<typeof FuturesSymbol>;

/** What a wallet of futures takes: `ratio` of its value counts as margin. */
export const FuturesCoin = Type.Object({
  id: Type.Integer(),
  coin: Coin,
  name: Type.String(),
  precision: Type.Integer(),
  underlyingType: UnderlyingType,
  ratio: Type.String({ description: 'share of its value that counts as margin of U_BASED contracts; 1 of what they are settled in' }),
  cap: nullable(Type.String({ description: 'the most of it that counts, checked when it is transferred in; null without a cap' })),
});
export type FuturesCoin = Static<typeof FuturesCoin>;

export const LeverageBracket = Type.Object({
  bracket: Type.Integer({ description: 'from 1' }),
  minNominalValue: Decimal,
  maxNominalValue: Type.String({ description: 'no position grows beyond the last one' }),
  maintMarginRate: Type.String({ description: 'as a ratio: half of one by the most leverage' }),
  startMarginRate: Type.String({ description: 'as a ratio: one by the most leverage' }),
  maintDeduction: Type.String({ description: 'taken off the maintenance margin, so that it has no jumps' }),
  maxLeverage: Type.Integer(),
  minLeverage: Type.Integer(),
});
export type LeverageBracket = Static<typeof LeverageBracket>;

export const LeverageBrackets = Type.Object({ symbolId: Type.Integer(), symbol: Symbol, brackets: Type.Array(LeverageBracket) });
export type LeverageBrackets = Static<typeof LeverageBrackets>;

const symbolOnly = strict({ symbol: Symbol });

export const futuresSymbolRoutes = routes({
  futuresSymbols: {
    method: 'GET',
    ...marketPaths('symbol/list'),
    access: 'public',
    rate: 'public',
    summary: 'The perpetual contracts and their rules.',
    response: Type.Array(FuturesSymbol),
  },
  futuresSymbol: {
    method: 'GET',
    ...marketPaths('symbol/detail'),
    access: 'public',
    rate: 'public',
    summary: 'One perpetual contract and its rules.',
    query: symbolOnly,
    response: FuturesSymbol,
  },
  futuresCoins: {
    method: 'GET',
    ...marketPaths('symbol/coins'),
    access: 'public',
    rate: 'public',
    summary: 'The coins that futures are margined in.',
    response: Type.Array(FuturesCoin),
  },
  leverageBrackets: {
    method: 'GET',
    ...marketPaths('leverage/bracket/list'),
    access: 'public',
    rate: 'public',
    summary: 'The margin tiers of every contract.',
    response: Type.Array(LeverageBrackets),
  },
  leverageBracket: {
    method: 'GET',
    ...marketPaths('leverage/bracket/detail'),
    access: 'public',
    rate: 'public',
    summary: 'The margin tiers of one contract.',
    query: symbolOnly,
    response: LeverageBrackets,
  },
});
