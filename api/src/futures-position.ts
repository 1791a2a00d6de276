/** Positions in perpetual contracts: what they are, their leverage, mode and margin, and what became of them. */
import { Type, type Static } from 'typebox';
import {
  ClientOrderId,
  Coin,
  Decimal,
  DecimalInput,
  Millis,
  MinSeq,
  SignedDecimal,
  Symbol,
  nullable,
  pagedHistory,
  strict,
} from './fields.ts';
import {
  historyPage,
  ContractType,
  FUTURES_USER,
  PositionModeName,
  PositionSideName,
  PositionTypeName,
  UnderlyingType,
} from './futures-fields.ts';
import { routes } from './route.ts';

export const LEVERAGE_MAX = 1_000;
/** Lights of the indicator, none to all. */
export const ADL_LIGHTS = 5;

/** Prices and ratios are null where no mark price is known, or where they have no value: an empty position has no entry. */
export const Position = Type.Object({
  symbol: Symbol,
  contractType: ContractType,
  underlyingType: UnderlyingType,
  positionSide: PositionSideName,
  positionType: PositionTypeName,
  leverage: Type.Integer(),
  autoMargin: Type.Boolean(),
  positionSize: Type.String({ description: 'below 0 of a short one; in base coin, of COIN_BASED contracts in quote' }),
  closeOrderSize: Type.String({ description: 'of open orders that would reduce it' }),
  availableCloseSize: Type.String({ description: 'what no open order that would reduce it covers' }),
  openOrderSize: Type.String({ description: 'of open orders that would add to it' }),
  settleCoin: Coin,
  entryPrice: nullable(Decimal),
  breakEvenPrice: nullable(
    Type.String({ description: 'at which closing it as a taker leaves neither profit nor loss, fees and funding counted' }),
  ),
  markPrice: nullable(Decimal),
  liquidationPrice: nullable(
    Type.String({
      description:
        'nearest mark price in its losing direction at which it is liquidated, while other contracts and coins stay; its other leg and collateral in its own coin move along. Null where no price liquidates it',
    }),
  ),
  notional: nullable(Type.String({ description: 'at the mark price' })),
  isolatedMargin: Decimal,
  openOrderMarginFrozen: Type.String({ description: 'margin of open orders, of isolated positions' }),
  initialMargin: nullable(Decimal),
  maintenanceMargin: nullable(Decimal),
  marginRatio: nullable(
    Type.String({ description: 'maintenance margin divided by equity, of the account where it is crossed; liquidated at 1' }),
  ),
  unrealizedProfit: nullable(SignedDecimal),
  roe: nullable(Type.String({ description: 'unrealised profit divided by initial margin, as a ratio' })),
  realizedProfit: SignedDecimal,
  cumTradingFee: SignedDecimal,
  cumFunding: SignedDecimal,
  adlRank: Type.Integer({
    minimum: 0,
    maximum: ADL_LIGHTS,
    description: 'lights of the indicator: 5 is deleveraged first, 0 is no position',
  }),
  createdTime: nullable(Millis),
});
export type Position = Static<typeof Position>;

export const AdlRank = Type.Object({
  symbol: Symbol,
  longQuantile: Type.Integer({ minimum: 0, maximum: ADL_LIGHTS }),
  shortQuantile: Type.Integer({ minimum: 0, maximum: ADL_LIGHTS }),
});
export type AdlRank = Static<typeof AdlRank>;

/** A position that was closed. */
export const ClosedPosition = Type.Object({
  positionId: Type.String(),
  symbol: Symbol,
  positionSide: PositionSideName,
  positionType: PositionTypeName,
  leverage: Type.Integer(),
  side: Type.Enum(['LONG', 'SHORT']),
  maxSize: Decimal,
  entryPrice: Decimal,
  avgClosePrice: Decimal,
  realizedProfit: SignedDecimal,
  cumTradingFee: SignedDecimal,
  cumFunding: SignedDecimal,
  settleCoin: Coin,
  cause: Type.Enum(['TRADE', 'LIQUIDATION', 'TAKE_OVER', 'ADL', 'CLOSE_ALL']),
  createdTime: Millis,
  closedTime: Millis,
});
export type ClosedPosition = Static<typeof ClosedPosition>;

/** One step of a liquidation, with the figures of its rule. */
export const Liquidation = Type.Object({
  id: Type.String(),
  liquidationId: Type.String(),
  symbol: Symbol,
  positionSide: PositionSideName,
  stage: Type.Enum(['ORDER_BOOK', 'TAKE_OVER', 'ADL']),
  markPrice: Decimal,
  equity: SignedDecimal,
  maintenanceMargin: Decimal,
  size: Decimal,
  price: nullable(Decimal),
  fromMargin: Decimal,
  fromLiquidator: Decimal,
  fromInsurance: Decimal,
  uncovered: Decimal,
  settleCoin: Coin,
  createdTime: Millis,
});
export type Liquidation = Static<typeof Liquidation>;

export const AdjustLeverage = strict({
  symbol: Symbol,
  positionSide: Type.Optional(PositionSideName),
  leverage: Type.Integer({ minimum: 1, maximum: LEVERAGE_MAX }),
});
export const ChangeType = strict({ symbol: Symbol, positionSide: Type.Optional(PositionSideName), positionType: PositionTypeName });
export const ChangeMode = strict(
  { underlyingType: Type.Optional(UnderlyingType), positionMode: PositionModeName },
  'underlyingType: U_BASED unless given',
);
export const AdjustPositionMargin = strict(
  {
    symbol: Symbol,
    positionSide: Type.Optional(PositionSideName),
    margin: DecimalInput,
    type: Type.Enum(['ADD', 'SUB']),
    key: Type.Optional(ClientOrderId),
  },
  'key: the same key again changes nothing',
);
export const SetAutoMargin = strict({ symbol: Symbol, positionSide: Type.Optional(PositionSideName), autoMargin: Type.Boolean() });

const giving = { method: 'POST', access: 'trade', rate: 'order', bodyFromQuery: true } as const;
const reading = { method: 'GET', access: 'read', rate: 'read' } as const;

export const futuresPositionRoutes = routes({
  positions: {
    ...reading,
    path: `${FUTURES_USER}/position/list`,
    summary: 'Your positions; with symbol those of that contract, empty ones too, with their leverage and type.',
    query: strict({ symbol: Type.Optional(Symbol), minSeq: Type.Optional(MinSeq) }),
    response: Type.Array(Position),
  },
  adlRanks: {
    ...reading,
    path: `${FUTURES_USER}/position/adl`,
    summary: 'How near your positions are to being deleveraged.',
    query: strict({ minSeq: Type.Optional(MinSeq) }),
    response: Type.Array(AdlRank),
  },
  positionHistory: {
    ...reading,
    path: `${FUTURES_USER}/position/history`,
    readsHistory: true,
    summary: 'Your positions that were closed, newest first.',
    query: strict({
      symbol: Type.Optional(Symbol),
      ...historyPage,
    }),
    response: pagedHistory(ClosedPosition),
  },
  liquidations: {
    ...reading,
    path: `${FUTURES_USER}/position/liquidations`,
    readsHistory: true,
    summary: 'The steps by which positions of yours were liquidated, newest first.',
    query: strict({
      symbol: Type.Optional(Symbol),
      ...historyPage,
    }),
    response: pagedHistory(Liquidation),
  },
  adjustLeverage: {
    ...giving,
    path: `${FUTURES_USER}/position/adjust-leverage`,
    summary: 'Set the leverage of a contract: a whole number up to the most of its tier.',
    body: AdjustLeverage,
    response: Type.Boolean(),
  },
  changePositionType: {
    ...giving,
    path: `${FUTURES_USER}/position/change-type`,
    summary: 'Set crossed or isolated margin of a contract, while there is neither position nor order in it.',
    body: ChangeType,
    response: Type.Boolean(),
  },
  changePositionMode: {
    ...giving,
    path: `${FUTURES_USER}/position/change-mode`,
    summary: 'Set one-way or hedge mode of an account kind, while there is neither position nor order in it.',
    body: ChangeMode,
    response: Type.Boolean(),
  },
  adjustPositionMargin: {
    ...giving,
    path: `${FUTURES_USER}/position/margin`,
    summary: 'Add margin to an isolated position, or take back what it does not need.',
    body: AdjustPositionMargin,
    response: Type.Boolean(),
  },
  setAutoMargin: {
    ...giving,
    path: `${FUTURES_USER}/position/auto-margin`,
    summary: 'Let an isolated position take margin from the wallet by itself before it is liquidated.',
    body: SetAutoMargin,
    response: Type.Boolean(),
  },
});
