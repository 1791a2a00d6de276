/** What is listed: markets and coins. */
import { Type, type Static } from 'typebox';
import { Coin, Decimal, Symbol, strict } from './fields.ts';
import { routes } from './route.ts';

/** The fields of the older API, its names kept: `sellCoin` is the base, `buyCoin` the quote. */
export const SymbolInfo = Type.Object({
  id: Type.Integer(),
  symbol: Symbol,
  name: Type.String({ description: 'as shown to people, such as SOSO/USDC' }),
  state: Type.Enum(['TRADING', 'HALT', 'CANCEL_ONLY']),
  tradeSwitch: Type.Boolean({ description: 'true when the state is TRADING' }),
  buyCoin: Coin,
  sellCoin: Coin,
  buyCoinPrecision: Type.Integer(),
  buyCoinDisplayPrecision: Type.Integer(),
  sellCoinPrecision: Type.Integer(),
  sellCoinDisplayPrecision: Type.Integer(),
  quantityPrecision: Type.Integer(),
  pricePrecision: Type.Integer(),
  tickSize: Decimal,
  stepSize: Decimal,
  supportOrderType: Type.String({
    examples: ['LIMIT,MARKET,STOP_LIMIT,STOP_MARKET,TAKE_PROFIT_LIMIT,TAKE_PROFIT_MARKET,TRAILING_STOP_MARKET'],
  }),
  supportTimeInForce: Type.String({ examples: ['GTC,FOK,IOC,GTX'] }),
  minPrice: Decimal,
  maxPrice: Decimal,
  minQty: Decimal,
  maxQty: Decimal,
  minNotional: Decimal,
  maxNotional: Decimal,
  multiplierDown: Decimal,
  multiplierUp: Decimal,
  marketTakeBound: Decimal,
  makerFee: Decimal,
  takerFee: Decimal,
  maxOpenOrders: Type.Integer(),
  depthPrecisionMerge: Type.Integer({ description: 'decimals of the finest step by which a depth can be merged' }),
  depthMergeSteps: Type.Array(Decimal, { description: 'steps by which a depth can be merged, finest first' }),
  onboardDate: Type.Integer({ description: 'when the market was listed, unix milliseconds' }),
  sequence: Type.Integer({ description: 'rank in lists' }),
  lever: Type.Null({ description: 'of futures' }),
  riskRate: Type.Null({ description: 'of futures' }),
  setType: Type.Integer({ description: 'of the older API: always 0' }),
  uids: Type.Array(Type.Integer(), { description: 'of the older API: a market is for everybody' }),
  hot: Type.Boolean({ description: 'the first market of the list' }),
});
export type SymbolInfo = Static<typeof SymbolInfo>;

export const CoinInfo = Type.Object({
  id: Type.Integer(),
  coin: Coin,
  name: Type.String({ description: 'as shown to people, such as SOSO' }),
  precision: Type.Integer(),
  displayPrecision: Type.Integer(),
});
export type CoinInfo = Static<typeof CoinInfo>;

export const symbolRoutes = routes({
  symbols: {
    method: 'GET',
    path: '/pro/p/symbol/list',
    aliases: ['/spot/v1/p/symbol/list'],
    access: 'public',
    rate: 'public',
    summary: 'The markets with their rules and their state.',
    query: strict({ symbol: Type.Optional(Symbol) }),
    response: Type.Array(SymbolInfo),
  },
  coins: {
    method: 'GET',
    path: '/pro/p/symbol/coins',
    aliases: ['/spot/v1/p/symbol/coins'],
    access: 'public',
    rate: 'public',
    summary: 'The coins and their precisions.',
    response: Type.Array(CoinInfo),
  },
});
