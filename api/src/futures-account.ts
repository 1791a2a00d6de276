/** Futures accounts: figures of margin, balances, bills, funding payments, fee tier, favourites, listen keys. */
import { Type, type Static } from 'typebox';
import { Coin, Cursor, Decimal, Millis, MinSeq, SignedDecimal, Symbol, nullable, strict } from './fields.ts';
import { FUTURES_USER, FuturesSize, PositionModeName, PositionSideName, timeRange, UnderlyingType } from './futures-fields.ts';
import { cursored } from './futures-quotation.ts';
import { routes } from './route.ts';

/** One account kind, in its settlement coin: USDC of U_BASED; of COIN_BASED one for each coin. Null where a price is not known. */
export const CollateralValue = Type.Object({
  coin: Coin,
  amount: Type.String({ description: 'that is free' }),
  price: nullable(Type.String({ description: 'of one coin, in the settlement coin; null while it is not known' })),
  ratio: Type.String({ description: 'share of its value that counts' }),
  value: Type.String({ description: 'what it counts for, in the settlement coin' }),
});
export type CollateralValue = Static<typeof CollateralValue>;

export const MarginAccount = Type.Object({
  underlyingType: UnderlyingType,
  settleCoin: Coin,
  positionMode: PositionModeName,
  walletBalance: Type.String({ description: 'free and held together, of the settlement coin' }),
  collateralValue: nullable(Type.String({ description: 'of the free settlement coin and of other collateral by price and ratio' })),
  collaterals: Type.Array(CollateralValue, { description: 'other coins that the account has as collateral' }),
  unrealizedProfit: nullable(SignedDecimal),
  crossedUnrealizedProfit: nullable(SignedDecimal),
  equity: nullable(SignedDecimal),
  initialMargin: nullable(Type.String({ description: 'of crossed positions and orders' })),
  openOrderMarginFrozen: nullable(Type.String({ description: 'the part of it that orders need' })),
  maintenanceMargin: nullable(Decimal),
  isolatedMargin: Decimal,
  availableBalance: nullable(Type.String({ description: 'for new positions' })),
  transferableBalance: nullable(Type.String({ description: 'of the settlement coin: unrealised profit never leaves' })),
  marginRatio: nullable(Type.String({ description: 'maintenance margin divided by equity; liquidated at 1' })),
});
export type MarginAccount = Static<typeof MarginAccount>;

export const FuturesAccountInfo = Type.Object({
  accountId: Type.String(),
  userId: Type.String(),
  feeTier: Type.Integer(),
  allowTrade: Type.Boolean(),
  scheduledCancelTime: nullable(Millis),
  accounts: Type.Array(MarginAccount),
});
export type FuturesAccountInfo = Static<typeof FuturesAccountInfo>;

export const FuturesBalance = Type.Object({
  coin: Coin,
  underlyingType: UnderlyingType,
  walletBalance: Type.String({ description: 'free and held together' }),
  openOrderMarginFrozen: Decimal,
  isolatedMargin: Decimal,
  crossedMargin: Type.String({ description: 'what crossed positions need of it: 0 of collateral that nothing is settled in' }),
  availableBalance: Type.String({ description: 'of the settlement coin what new positions may use, of other collateral all that is free' }),
  transferableBalance: Decimal,
  collateralRatio: Type.String({ description: 'share of its value that counts as margin' }),
  estimatedValue: nullable(Type.String({ description: 'worth of it all in USDC' })),
  bonus: Type.Literal('0', { description: 'of the older API: nothing is given out in futures wallets' }),
  coupon: Type.Literal('0', { description: 'of the older API: nothing is given out in futures wallets' }),
});
export type FuturesBalance = Static<typeof FuturesBalance>;

/** The cause of a change of a futures wallet. QIANG_PING_MANAGER is what a liquidation took. */
export const FUTURES_BILL_TYPES = [
  'EXCHANGE',
  'CLOSE_POSITION',
  'TAKE_OVER',
  'QIANG_PING_MANAGER',
  'FUND',
  'FEE',
  'ADL',
  'COLLATERAL',
  'PRACTICE',
] as const;
export const FuturesBillType = Type.Enum([...FUTURES_BILL_TYPES]);
export type FuturesBillType = Static<typeof FuturesBillType>;

export const FuturesBill = Type.Object({
  id: Type.String(),
  coin: Coin,
  underlyingType: UnderlyingType,
  symbol: nullable(Symbol),
  type: FuturesBillType,
  amount: Decimal,
  side: Type.Enum(['ADD', 'SUB']),
  afterAmount: Type.String({ description: 'free and held together, after it' }),
  reference: Type.String({ description: 'id of the trade, transfer or liquidation, or the end of the funding interval' }),
  createdTime: Millis,
});
export type FuturesBill = Static<typeof FuturesBill>;

export const FundingPayment = Type.Object({
  id: Type.String(),
  symbol: Symbol,
  positionSide: PositionSideName,
  coin: Coin,
  amount: Type.String({ description: 'received; below 0 paid' }),
  createdTime: Millis,
});
export type FundingPayment = Static<typeof FundingPayment>;

export const StepRateTier = Type.Object({
  tier: Type.Integer(),
  minVolume: Type.String({ description: 'of 14 days, in USDC, that must be exceeded' }),
  makerFee: SignedDecimal,
  takerFee: Decimal,
});

export const StepRate = Type.Object({
  tier: Type.Integer(),
  rebateTier: Type.Integer(),
  makerFee: Type.String({ description: 'as a ratio; below 0 a rebate' }),
  takerFee: Decimal,
  volume: Type.String({ description: 'weighted volume of 14 full days in USDC: futures and twice spot' }),
  tiers: Type.Array(StepRateTier),
});
export type StepRate = Static<typeof StepRate>;

/** Listen keys open private streams: `futures` that of contracts, `spot` and `always-spot` that of spot. */
export const LISTEN_KEY_KINDS = ['futures', 'spot', 'always-spot'] as const;
export const ListenKeyKind = Type.Enum([...LISTEN_KEY_KINDS]);
export type ListenKeyKind = Static<typeof ListenKeyKind>;
/** A listen key is good for this long after it was last asked for. */
export const LISTEN_KEY_LIFE_MS = 3_600_000;

const reading = { method: 'GET', access: 'read', rate: 'read' } as const;
const symbolBody = strict({ symbol: Symbol });

export const futuresAccountRoutes = routes({
  futuresAccount: {
    ...reading,
    path: `${FUTURES_USER}/account/info`,
    summary: 'Your futures accounts: equity, margin and what is available.',
    query: strict({ minSeq: Type.Optional(MinSeq) }),
    response: FuturesAccountInfo,
  },
  futuresBalances: {
    ...reading,
    path: `${FUTURES_USER}/balance/list`,
    summary: 'The wallets of futures, coin by coin.',
    query: strict({ minSeq: Type.Optional(MinSeq) }),
    response: Type.Array(FuturesBalance),
  },
  futuresBalance: {
    ...reading,
    path: `${FUTURES_USER}/balance/detail`,
    summary: 'One coin of the wallets of futures.',
    query: strict({ coin: Coin, underlyingType: Type.Optional(UnderlyingType), minSeq: Type.Optional(MinSeq) }),
    response: FuturesBalance,
  },
  futuresBills: {
    ...reading,
    path: `${FUTURES_USER}/balance/bills`,
    readsHistory: true,
    summary: 'The changes of the wallets of futures, newest first.',
    query: strict({
      symbol: Type.Optional(Symbol),
      coin: Type.Optional(Coin),
      type: Type.Optional(FuturesBillType),
      ...timeRange,
      id: Type.Optional(Cursor),
      limit: Type.Optional(FuturesSize),
      minSeq: Type.Optional(MinSeq),
    }),
    response: cursored(FuturesBill),
  },
  fundingPayments: {
    ...reading,
    path: `${FUTURES_USER}/balance/funding-rate-list`,
    readsHistory: true,
    summary: 'The funding that you paid and received, newest first.',
    query: strict({
      symbol: Type.Optional(Symbol),
      ...timeRange,
      id: Type.Optional(Cursor),
      limit: Type.Optional(FuturesSize),
      minSeq: Type.Optional(MinSeq),
    }),
    response: cursored(FundingPayment),
  },
  stepRate: {
    ...reading,
    path: `${FUTURES_USER}/step-rate`,
    readsHistory: true,
    summary: 'Your fee tier, the volume that it comes from, and all tiers.',
    response: StepRate,
  },
});

export const futuresCollectionRoutes = routes({
  futuresCollections: {
    method: 'GET',
    path: `${FUTURES_USER}/collection/list`,
    aliases: [`${FUTURES_USER}/user/collection/list`],
    access: 'session',
    rate: 'read',
    summary: 'Your favourite contracts, in the order in which they were added.',
    response: Type.Array(Symbol),
  },
  addFuturesCollection: {
    method: 'POST',
    path: `${FUTURES_USER}/collection/add`,
    aliases: [`${FUTURES_USER}/user/collection/add`],
    access: 'session',
    rate: 'manage',
    summary: 'Make a contract a favourite; answers all of them.',
    body: symbolBody,
    response: Type.Array(Symbol),
  },
  cancelFuturesCollection: {
    method: 'POST',
    path: `${FUTURES_USER}/collection/cancel`,
    aliases: [`${FUTURES_USER}/user/collection/cancel`],
    access: 'session',
    rate: 'manage',
    summary: 'Take a contract from the favourites; answers the rest.',
    body: symbolBody,
    response: Type.Array(Symbol),
  },
});

export const listenKeyRoutes = routes({
  listenKey: {
    ...reading,
    path: `${FUTURES_USER}/user/listen-key`,
    aliases: [`${FUTURES_USER}/listen-key`],
    summary: 'A key for your private stream, good for 60 minutes after it was last asked for; asking again answers the same key.',
    query: strict({ type: Type.Optional(ListenKeyKind) }),
    response: Type.String(),
  },
});
