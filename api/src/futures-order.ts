/** Orders of perpetual contracts: place, cancel, close, query. */
import { CLOSE_REASONS, TWAP_ENDS } from '@orrery/protocol';
import { Type, type Static } from 'typebox';
import {
  BATCH_ORDERS_MAX,
  ClientOrderId,
  Coin,
  Decimal,
  DecimalInput,
  Millis,
  MinSeq,
  OrderIdText,
  Page,
  SignedDecimal,
  Symbol,
  nullable,
  paged,
  pagedHistory,
  strict,
} from './fields.ts';
import {
  historyPage,
  ContractType,
  FUTURES_TRADE,
  FuturesSize,
  OrderSideName,
  PositionSideName,
  QuantityUnit,
  TriggerPriceType,
  UnderlyingType,
} from './futures-fields.ts';
import { AllOrNothing, BatchItem, MaxSize, SelfTradePreventionName, TimeInForceName } from './order.ts';
import { ClosingItem } from './closing-item.ts';
import { EntrustType } from './futures-entrust.ts';
import { routes } from './route.ts';

export const FuturesOrderType = Type.Enum(['LIMIT', 'MARKET']);
export type FuturesOrderType = Static<typeof FuturesOrderType>;

const attached = {
  triggerProfitPrice: Type.Optional(DecimalInput),
  triggerStopPrice: Type.Optional(DecimalInput),
  triggerPriceType: Type.Optional(TriggerPriceType),
};

export const CreateFuturesOrder = strict(
  {
    symbol: Symbol,
    orderSide: OrderSideName,
    orderType: FuturesOrderType,
    positionSide: Type.Optional(PositionSideName),
    timeInForce: Type.Optional(TimeInForceName),
    price: Type.Optional(DecimalInput),
    origQty: Type.Optional(DecimalInput),
    unit: Type.Optional(QuantityUnit),
    clientOrderId: Type.Optional(ClientOrderId),
    reduceOnly: Type.Optional(Type.Boolean()),
    closePosition: Type.Optional(Type.Boolean()),
    max: MaxSize,
    slippage: Type.Optional(DecimalInput),
    selfTradePrevention: Type.Optional(SelfTradePreventionName),
    ...attached,
  },
  'price: the limit, or the worst price of a market order. origQty: the size in `unit`; left out with closePosition, which closes the whole position as it is when the ' +
    'order applies, up to what one order may have. positionSide: BOTH ' +
    'in one-way mode, LONG or SHORT in hedge mode. triggerProfitPrice, triggerStopPrice: take-profit and stop-loss of what this order opens; they act as market ' +
    'orders, and the one that acts cancels the other. slippage: furthest from the best price of a market order, as a ratio (0.01).',
);
export type CreateFuturesOrder = Static<typeof CreateFuturesOrder>;

export const CreateFuturesOrders = strict({
  orders: Type.Array(CreateFuturesOrder, { minItems: 1, maxItems: BATCH_ORDERS_MAX }),
  allOrNothing: AllOrNothing,
});
export type CreateFuturesOrders = Static<typeof CreateFuturesOrders>;

export const CancelFuturesOrder = strict(
  { orderId: Type.Optional(OrderIdText), clientOrderId: Type.Optional(ClientOrderId) },
  'one of the two',
);
export type CancelFuturesOrder = Static<typeof CancelFuturesOrder>;

export const UpdateFuturesOrder = strict(
  {
    orderId: OrderIdText,
    clientOrderId: Type.Optional(ClientOrderId),
    price: Type.Optional(DecimalInput),
    origQty: Type.Optional(DecimalInput),
    unit: Type.Optional(QuantityUnit),
  },
  'price and origQty: of the whole order, what it has filled included; what is left out stays. One that is filled to it already ends (closeReason ' +
    'amendedToFilled). clientOrderId: your name for it from now on; with it the same call again changes nothing more.',
);
export type UpdateFuturesOrder = Static<typeof UpdateFuturesOrder>;

export const CLOSE_ALL_MODES = ['MARKET', 'LIMIT_AT_MID'] as const;
export const CloseAllPositions = strict(
  {
    contractType: ContractType,
    mode: Type.Optional(Type.Enum([...CLOSE_ALL_MODES])),
    underlyingType: Type.Optional(UnderlyingType),
    key: Type.Optional(ClientOrderId),
  },
  'mode: MARKET unless given; LIMIT_AT_MID places reduce-only limits between best bid and best ask. underlyingType: both kinds unless given. key: the same key again ' +
    'changes nothing.',
);
export type CloseAllPositions = Static<typeof CloseAllPositions>;

export const ReversePosition = strict(
  { symbol: Symbol, from: Type.Enum(['LONG', 'SHORT']), clientOrderId: Type.Optional(ClientOrderId) },
  'from: the direction of the position as you know it. When there is no such position any more nothing is done, so that a call made twice never reverses back. ' +
    'The size is that of the position when the order applies, twice. The order is refused whole where margin for what it would open is missing. clientOrderId: the same call ' +
    'again answers the same order.',
);
export type ReversePosition = Static<typeof ReversePosition>;

export const FUTURES_ORDER_STATES = ['NEW', 'PARTIALLY_FILLED', 'FILLED', 'CANCELED'] as const;
export const FuturesOrderState = Type.Enum([...FUTURES_ORDER_STATES]);
export type FuturesOrderState = Static<typeof FuturesOrderState>;

/** What placed an order: its account, a plan order, a take-profit or stop-loss, a TWAP, closing everything, or a liquidation. */
export const SOURCE_TYPES = ['DEFAULT', 'ENTRUST', 'PROFIT', 'TWAP', 'CLOSE_ALL', 'LIQUIDATION'] as const;
export const SourceType = Type.Enum([...SOURCE_TYPES]);
export type SourceType = Static<typeof SourceType>;

export const FuturesOrder = Type.Object({
  orderId: OrderIdText,
  clientOrderId: Type.String(),
  symbol: Symbol,
  contractType: ContractType,
  orderType: FuturesOrderType,
  orderSide: OrderSideName,
  positionSide: PositionSideName,
  timeInForce: TimeInForceName,
  price: nullable(Decimal),
  origQty: nullable(Type.String({ description: 'size; null of what closes a whole position and has not acted yet' })),
  avgPrice: nullable(Decimal),
  executedQty: Decimal,
  executedValue: Type.String({ description: 'value traded in all, in the settlement coin' }),
  marginFrozen: Type.String({ description: 'margin that it needs by itself, in the settlement coin; 0 once it is over' }),
  closeProfit: nullable(
    Type.String({
      description:
        'realised by its fills until now, in the settlement coin; null in the stream, and of an open order while history is late',
    }),
  ),
  reduceOnly: Type.Boolean(),
  closePosition: Type.Boolean(),
  triggerProfitPrice: nullable(Type.String({ description: 'take-profit of what it opens' })),
  triggerStopPrice: nullable(Type.String({ description: 'stop-loss of what it opens' })),
  sourceType: SourceType,
  entrustType: nullable(EntrustType, { description: 'of an order that has waited for a price' }),
  stopPrice: nullable(Decimal, { description: 'the trigger of an order that has waited for a price' }),
  sourceId: nullable(Type.String({ description: 'of the plan, TWAP or order that it came of' })),
  forceClose: Type.Boolean({ description: 'whether a liquidation placed it' }),
  state: FuturesOrderState,
  closeReason: nullable(Type.Enum([...CLOSE_REASONS])),
  createdTime: Millis,
  updatedTime: Millis,
});
export type FuturesOrder = Static<typeof FuturesOrder>;

/** `fee` below 0 is a rebate; `closeProfit` is realised by the part that closed, 0 of what opened. */
export const FuturesFill = Type.Object({
  orderId: OrderIdText,
  clientOrderId: Type.String(),
  execId: Type.String(),
  symbol: Symbol,
  orderSide: OrderSideName,
  positionSide: PositionSideName,
  quantity: Decimal,
  price: Decimal,
  value: Type.String({ description: 'in the settlement coin' }),
  fee: SignedDecimal,
  feeCoin: Coin,
  closeProfit: SignedDecimal,
  takerMaker: Type.Enum(['TAKER', 'MAKER']),
  timestamp: Millis,
});
export type FuturesFill = Static<typeof FuturesFill>;

export const ScheduleCancel = strict(
  { time: Type.Optional(Millis) },
  'time: at least 5 s ahead; at it every open order is cancelled. Without it the schedule is cleared.',
);
export type ScheduleCancel = Static<typeof ScheduleCancel>;

export const CreateTwap = strict(
  {
    symbol: Symbol,
    orderSide: OrderSideName,
    positionSide: Type.Optional(PositionSideName),
    origQty: DecimalInput,
    unit: Type.Optional(QuantityUnit),
    minutes: Type.Integer({ minimum: 1, maximum: 1_440 }),
    reduceOnly: Type.Optional(Type.Boolean()),
    clientOrderId: Type.Optional(ClientOrderId),
  },
  'the size in equal market orders over this number of minutes. clientOrderId: the same again answers the same TWAP.',
);
export type CreateTwap = Static<typeof CreateTwap>;

export const CancelTwap = strict({ twapId: OrderIdText });

export const Twap = Type.Object({
  twapId: OrderIdText,
  clientOrderId: Type.String(),
  symbol: Symbol,
  orderSide: OrderSideName,
  positionSide: PositionSideName,
  origQty: Decimal,
  minutes: Type.Integer(),
  reduceOnly: Type.Boolean(),
  executedQty: Decimal,
  createdTime: Millis,
});
export type Twap = Static<typeof Twap>;

/** One that is over: what was filled of what was asked for, and why it ended. */
export const EndedTwap = Type.Object({ ...Twap.properties, closeReason: Type.Enum([...TWAP_ENDS]), closedTime: Millis });
export type EndedTwap = Static<typeof EndedTwap>;

const giving = { method: 'POST', access: 'trade', bodyFromQuery: true } as const;
const reading = { method: 'GET', access: 'read', rate: 'read' } as const;

export const futuresOrderRoutes = routes({
  createFuturesOrder: {
    ...giving,
    path: `${FUTURES_TRADE}/order/create`,
    rate: 'order',
    summary: 'Place an order in a contract; answers its id once it is durable. The same clientOrderId again answers the same order.',
    body: CreateFuturesOrder,
    response: OrderIdText,
  },
  createFuturesOrders: {
    method: 'POST',
    access: 'trade',
    path: `${FUTURES_TRADE}/order/create-batch`,
    batch: true,
    rate: 'order',
    summary:
      'Place up to 100 orders in contracts; each is answered on its own, in the same order. The code of the answer is 0 only if that of every item is.',
    body: CreateFuturesOrders,
    response: Type.Array(BatchItem),
  },
  updateFuturesOrder: {
    ...giving,
    path: `${FUTURES_TRADE}/order/update`,
    rate: 'order',
    summary:
      'Give a resting limit order another price or size; answers its id, which stays. A smaller size at the same price keeps its place in the queue, ' +
      'everything else goes behind it. A size is that of the whole order: the exchange takes off what is filled when the change applies. An attached ' +
      'take-profit or stop-loss must be on its side of the new price.',
    body: UpdateFuturesOrder,
    response: OrderIdText,
  },
  cancelFuturesOrder: {
    ...giving,
    path: `${FUTURES_TRADE}/order/cancel`,
    rate: 'cancel',
    summary: 'Cancel one order by its id or by your own.',
    body: CancelFuturesOrder,
    response: OrderIdText,
  },
  cancelAllFuturesOrders: {
    ...giving,
    path: `${FUTURES_TRADE}/order/cancel-all`,
    rate: 'cancel',
    summary: 'Cancel every open order in one contract or in all, plan orders and TP/SL apart.',
    body: strict({ symbol: Type.Optional(Symbol) }, 'every contract when symbol is left out'),
    response: Type.Array(OrderIdText),
  },
  futuresMaxSize: {
    method: 'GET',
    path: `${FUTURES_TRADE}/order/max-size`,
    access: 'read',
    rate: 'read',
    summary:
      'The most that one order may have now: what closes a position of yours, and what your available balance opens. Opening: availableBalance / ' +
      '(1 / leverage + taker fee + loss at once against the mark) at the price, rounded down. The mark, and a price at the market, are taken 0.05 % ' +
      'worse than they are, so that the answer can be sent at once.',
    query: strict({
      symbol: Symbol,
      orderSide: OrderSideName,
      positionSide: Type.Optional(PositionSideName),
      price: Type.Optional(DecimalInput),
      reduceOnly: Type.Optional(Type.Enum(['true', 'false'])),
      minSeq: Type.Optional(MinSeq),
    }),
    response: Type.Object({
      symbol: Symbol,
      orderSide: OrderSideName,
      maxQty: Type.String({ description: 'as the contract counts sizes; within the largest order of the contract' }),
      closeQty: Type.String({ description: 'of it what closes a position' }),
      price: nullable(Decimal, { description: 'by which it is valued; null where nothing says a price' }),
      leverage: Type.Integer(),
      availableBalance: Decimal,
    }),
  },
  closeAllPositions: {
    ...giving,
    path: `${FUTURES_TRADE}/order/position/close-all`,
    aliases: ['/futures/fapi/user/v1/position/close-all'],
    rate: 'order',
    summary:
      'Close all positions as far as the book allows: at the market, or by limits at mid. Each is answered on its own, and the code is 0 only when nothing is left. ' +
      'Their take-profits and stop-losses stand until they are closed.',
    batch: true,
    body: CloseAllPositions,
    response: Type.Array(ClosingItem),
  },
  reversePosition: {
    ...giving,
    path: `${FUTURES_TRADE}/order/position/reverse`,
    rate: 'order',
    summary: 'Close a position of one-way mode and open the same in the other direction, by one market order.',
    body: ReversePosition,
    response: Type.Object({
      orderId: OrderIdText,
      positionQty: nullable(Type.String({ description: 'what the position was; null of a call that was made before' })),
      origQty: nullable(Type.String({ description: 'the same twice; null of a call that was made before' })),
    }),
  },
  scheduleCancel: {
    ...giving,
    path: `${FUTURES_TRADE}/order/schedule-cancel`,
    rate: 'order',
    summary: 'Arm, extend or clear the cancelling of all your open orders at a time ahead.',
    body: ScheduleCancel,
    response: Type.Object({ time: nullable(Millis) }),
  },
  createTwap: {
    ...giving,
    path: `${FUTURES_TRADE}/order/twap`,
    rate: 'order',
    summary: 'Trade a size in equal market orders over a time; answers its id.',
    body: CreateTwap,
    response: OrderIdText,
  },
  cancelTwap: {
    ...giving,
    path: `${FUTURES_TRADE}/order/twap/cancel`,
    rate: 'cancel',
    summary: 'End a TWAP: what it has traded stays.',
    body: CancelTwap,
    response: OrderIdText,
  },
  twaps: {
    ...reading,
    path: `${FUTURES_TRADE}/order/twap/list`,
    summary: 'Your TWAPs that are running.',
    query: strict({ minSeq: Type.Optional(MinSeq) }),
    response: Type.Array(Twap),
  },
  twapHistory: {
    ...reading,
    path: `${FUTURES_TRADE}/order/twap/history`,
    readsHistory: true,
    summary: 'Your TWAPs that are over, newest first, with what was filled of each and why it ended.',
    query: strict({
      symbol: Type.Optional(Symbol),
      ...historyPage,
    }),
    response: pagedHistory(EndedTwap),
  },
  futuresOrder: {
    ...reading,
    path: `${FUTURES_TRADE}/order/detail`,
    readsHistory: true,
    summary: 'One order of yours in a contract, open or over, by its id or by your own while it is open.',
    query: strict({ orderId: Type.Optional(OrderIdText), clientOrderId: Type.Optional(ClientOrderId), minSeq: Type.Optional(MinSeq) }),
    response: FuturesOrder,
  },
  futuresOrders: {
    ...reading,
    path: `${FUTURES_TRADE}/order/list`,
    summary: 'Open orders in contracts, newest first; plan orders and TP/SL are in lists of their own.',
    query: strict({
      symbol: Type.Optional(Symbol),
      page: Type.Optional(Page),
      size: Type.Optional(FuturesSize),
      minSeq: Type.Optional(MinSeq),
    }),
    response: paged(FuturesOrder),
  },
  futuresOrderHistory: {
    ...reading,
    path: `${FUTURES_TRADE}/order/list-history`,
    readsHistory: true,
    summary: 'Orders in contracts that are over, newest first.',
    query: strict({
      symbol: Type.Optional(Symbol),
      orderSide: Type.Optional(OrderSideName),
      forceClose: Type.Optional(Type.Enum(['true', 'false'])),
      ...historyPage,
    }),
    response: pagedHistory(FuturesOrder),
  },
  futuresFills: {
    ...reading,
    path: `${FUTURES_TRADE}/order/trade-list`,
    readsHistory: true,
    summary: 'Your fills in contracts, newest first.',
    query: strict({
      orderId: Type.Optional(OrderIdText),
      symbol: Type.Optional(Symbol),
      ...historyPage,
    }),
    response: pagedHistory(FuturesFill),
  },
});
