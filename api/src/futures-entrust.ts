/** Orders of perpetual contracts that wait for a price: plan (trigger) orders, and profit-stops (take-profit and stop-loss of a position). */
import { CLOSE_REASONS, STALL_REASONS } from '@orrery/protocol';
import { Type, type Static } from 'typebox';
import {
  BATCH_ORDERS_MAX,
  ClientOrderId,
  Cursor,
  Decimal,
  DecimalInput,
  Millis,
  MinSeq,
  OrderIdText,
  Page,
  Symbol,
  nullable,
  paged,
  pagedHistory,
  strict,
} from './fields.ts';
import {
  FUTURES_TRADE,
  FuturesSize,
  OrderSideName,
  PositionSideName,
  PositionTypeName,
  QuantityUnit,
  timeRange,
  TriggerPriceType,
} from './futures-fields.ts';
import { BatchItem, TimeInForceName } from './order.ts';
import { routes } from './route.ts';

/** STOP acts when the price moves against its side's wish (a buy at or above it), TAKE_PROFIT when it moves with it; _MARKET acts as a market order. */
export const ENTRUST_TYPES = ['TAKE_PROFIT', 'STOP', 'TAKE_PROFIT_MARKET', 'STOP_MARKET', 'TRAILING_STOP_MARKET'] as const;
export const EntrustType = Type.Enum([...ENTRUST_TYPES]);
export type EntrustType = Static<typeof EntrustType>;

export const ENTRUST_STATES = ['NOT_TRIGGERED', 'TRIGGERED', 'USER_REVOCATION', 'PLATFORM_REVOCATION', 'EXPIRED'] as const;
export const EntrustState = Type.Enum([...ENTRUST_STATES]);
export type EntrustState = Static<typeof EntrustState>;

const stallReason = nullable(Type.Enum([...STALL_REASONS]), {
  description: 'why it could not act, or only in part, though its trigger is reached: it is tried again; null otherwise',
});

export const CreatePlan = strict(
  {
    symbol: Symbol,
    orderSide: OrderSideName,
    entrustType: EntrustType,
    positionSide: Type.Optional(PositionSideName),
    timeInForce: Type.Optional(TimeInForceName),
    stopPrice: Type.Optional(DecimalInput),
    price: Type.Optional(DecimalInput),
    triggerPriceType: Type.Optional(TriggerPriceType),
    callbackRate: Type.Optional(DecimalInput),
    origQty: Type.Optional(DecimalInput),
    unit: Type.Optional(QuantityUnit),
    reduceOnly: Type.Optional(Type.Boolean()),
    closePosition: Type.Optional(Type.Boolean()),
    clientOrderId: Type.Optional(ClientOrderId),
  },
  'stopPrice: the trigger, above the present price of a buying STOP and a selling TAKE_PROFIT, below it of the others; a TRAILING_STOP_MARKET has none. price: the limit of STOP and TAKE_PROFIT. callbackRate: of a TRAILING_STOP_MARKET, how far the ' +
    'price must turn back from its best, as a ratio (0.01).',
);
export type CreatePlan = Static<typeof CreatePlan>;

export const Plan = Type.Object({
  entrustId: OrderIdText,
  clientOrderId: Type.String(),
  symbol: Symbol,
  orderSide: OrderSideName,
  positionSide: PositionSideName,
  entrustType: EntrustType,
  timeInForce: TimeInForceName,
  stopPrice: nullable(Type.String({ description: 'the trigger; null of a trailing stop' })),
  price: nullable(Decimal),
  triggerPriceType: TriggerPriceType,
  callbackRate: nullable(Decimal),
  origQty: nullable(Decimal),
  executedQty: Decimal,
  avgPrice: nullable(Decimal),
  reduceOnly: Type.Boolean(),
  closePosition: Type.Boolean(),
  state: EntrustState,
  stallReason,
  closeReason: nullable(Type.Enum([...CLOSE_REASONS])),
  createdTime: Millis,
  updatedTime: Millis,
});
export type Plan = Static<typeof Plan>;

export const CreateProfitStop = strict(
  {
    symbol: Symbol,
    positionSide: Type.Optional(PositionSideName),
    triggerProfitPrice: Type.Optional(DecimalInput),
    triggerStopPrice: Type.Optional(DecimalInput),
    triggerPriceType: Type.Optional(TriggerPriceType),
    origQty: Type.Optional(DecimalInput),
    unit: Type.Optional(QuantityUnit),
  },
  'one or both triggers; each becomes an order of its own, answered on its own, take-profit first. Without origQty they close the whole position.',
);
export type CreateProfitStop = Static<typeof CreateProfitStop>;

export const UpdateProfitStop = strict(
  {
    profitId: OrderIdText,
    triggerProfitPrice: Type.Optional(DecimalInput),
    triggerStopPrice: Type.Optional(DecimalInput),
    origQty: Type.Optional(DecimalInput),
    unit: Type.Optional(QuantityUnit),
  },
  'the trigger of its kind, its size, or both',
);
export type UpdateProfitStop = Static<typeof UpdateProfitStop>;

export const PROTECTION_SCOPE_NAMES = ['WHOLE', 'PART', 'FURTHER_PART'] as const;
export const SetProtection = strict(
  {
    symbol: Symbol,
    positionSide: Type.Optional(PositionSideName),
    scope: Type.Optional(Type.Enum([...PROTECTION_SCOPE_NAMES])),
    origQty: Type.Optional(DecimalInput),
    unit: Type.Optional(QuantityUnit),
    triggerProfitPrice: Type.Optional(DecimalInput),
    profitPrice: Type.Optional(DecimalInput),
    profitClientOrderId: Type.Optional(ClientOrderId),
    triggerStopPrice: Type.Optional(DecimalInput),
    stopPrice: Type.Optional(DecimalInput),
    stopClientOrderId: Type.Optional(ClientOrderId),
    triggerPriceType: Type.Optional(TriggerPriceType),
    key: Type.Optional(ClientOrderId),
  },
  'Both triggers, one or none: what stood for the same scope is replaced, and all of it holds or nothing changes. scope: WHOLE, the position as it is when one of them acts; PART, of size origQty; ' +
    'FURTHER_PART, beside the other parts, which are together no larger than the position. WHOLE without origQty, else PART. profitPrice and stopPrice: their limits; at the market without. key: the same key again changes nothing.',
);
export type SetProtection = Static<typeof SetProtection>;

/** The orders of the pair; null for none. */
export const Protection = Type.Object({ profitId: nullable(OrderIdText), stopId: nullable(OrderIdText) });
export type Protection = Static<typeof Protection>;

/** One take-profit or one stop-loss: its own trigger is given, the other is null. */
export const ProfitStopTerms = Type.Object({
  profitId: OrderIdText,
  clientOrderId: Type.String(),
  entrustType: EntrustType,
  price: nullable(Type.String({ description: 'its limit; null at the market' })),
  closePosition: Type.Boolean(),
  groupId: nullable(Type.String({ description: 'the same of both of a pair: what one has traded the other loses' })),
  parentId: nullable(Type.String({ description: 'the order that it was attached to' })),
  symbol: Symbol,
  orderSide: OrderSideName,
  positionSide: PositionSideName,
  triggerProfitPrice: nullable(Decimal),
  triggerStopPrice: nullable(Decimal),
  triggerPriceType: TriggerPriceType,
  origQty: nullable(Type.String({ description: 'null: the whole position' })),
  executedQty: Decimal,
  state: EntrustState,
  stallReason,
  closeReason: nullable(Type.Enum([...CLOSE_REASONS])),
  createdTime: Millis,
  updatedTime: Millis,
});
export type ProfitStopTerms = Static<typeof ProfitStopTerms>;

/** With what its position is now. */
export const ProfitStop = Type.Object({
  ...ProfitStopTerms.properties,
  positionType: PositionTypeName,
  positionSize: Type.String({ description: 'of its position now; below 0 of a short one' }),
  entryPrice: nullable(Type.String({ description: 'of its position now; null where there is none' })),
  isolatedMargin: Type.String({ description: 'of its position now' }),
});
export type ProfitStop = Static<typeof ProfitStop>;

const giving = { method: 'POST', access: 'trade', bodyFromQuery: true } as const;
const reading = { method: 'GET', access: 'read', rate: 'read' } as const;
const optionalSymbol = strict({ symbol: Type.Optional(Symbol) }, 'every contract when symbol is left out');
const list = {
  symbol: Type.Optional(Symbol),
  page: Type.Optional(Page),
  size: Type.Optional(FuturesSize),
  minSeq: Type.Optional(MinSeq),
};

export const futuresEntrustRoutes = routes({
  createPlan: {
    ...giving,
    path: `${FUTURES_TRADE}/entrust/create-plan`,
    rate: 'order',
    summary: 'Place a plan order: it waits for a price and then acts; answers its id.',
    body: CreatePlan,
    response: OrderIdText,
  },
  cancelPlan: {
    ...giving,
    path: `${FUTURES_TRADE}/entrust/cancel-plan`,
    rate: 'cancel',
    summary: 'Cancel one plan order.',
    body: strict({ entrustId: OrderIdText }),
    response: OrderIdText,
  },
  cancelAllPlans: {
    ...giving,
    path: `${FUTURES_TRADE}/entrust/cancel-all-plan`,
    rate: 'cancel',
    summary: 'Cancel every plan order, in one contract or in all.',
    body: optionalSymbol,
    response: Type.Array(OrderIdText),
  },
  plans: {
    ...reading,
    path: `${FUTURES_TRADE}/entrust/plan-list`,
    summary: 'Plan orders that wait, newest first.',
    query: strict(list),
    response: paged(Plan),
  },
  planHistory: {
    ...reading,
    path: `${FUTURES_TRADE}/entrust/plan-list-history`,
    readsHistory: true,
    summary: 'Plan orders that are over, newest first.',
    query: strict({ ...list, id: Type.Optional(Cursor), ...timeRange }),
    response: pagedHistory(Plan),
  },
  plan: {
    ...reading,
    path: `${FUTURES_TRADE}/entrust/plan-detail`,
    readsHistory: true,
    summary: 'One plan order of yours.',
    query: strict({ entrustId: OrderIdText, minSeq: Type.Optional(MinSeq) }),
    response: Plan,
  },
  createProfitStop: {
    ...giving,
    path: `${FUTURES_TRADE}/entrust/create-profit`,
    batch: true,
    rate: 'order',
    summary: 'Place a take-profit, a stop-loss or both on a position.',
    body: CreateProfitStop,
    response: Type.Array(BatchItem, { maxItems: BATCH_ORDERS_MAX }),
  },
  updateProfitStop: {
    ...giving,
    path: `${FUTURES_TRADE}/entrust/update-profit-stop`,
    rate: 'order',
    summary: 'Move a take-profit or stop-loss to another trigger or size; answers its id, which is new.',
    body: UpdateProfitStop,
    response: OrderIdText,
  },
  cancelProfitStop: {
    ...giving,
    path: `${FUTURES_TRADE}/entrust/cancel-profit-stop`,
    rate: 'cancel',
    summary: 'Cancel one take-profit or stop-loss.',
    body: strict({ profitId: OrderIdText }),
    response: OrderIdText,
  },
  cancelAllProfitStops: {
    ...giving,
    path: `${FUTURES_TRADE}/entrust/cancel-all-profit-stop`,
    rate: 'cancel',
    summary: 'Cancel every take-profit and stop-loss, in one contract or in all.',
    body: optionalSymbol,
    response: Type.Array(OrderIdText),
  },
  setProtection: {
    ...giving,
    path: `${FUTURES_TRADE}/entrust/set-protection`,
    rate: 'order',
    summary: 'Set the take-profit and stop-loss of a position in one command, in the place of those before.',
    body: SetProtection,
    response: Protection,
  },
  profitStops: {
    ...reading,
    path: `${FUTURES_TRADE}/entrust/profit-list`,
    summary: 'Take-profits and stop-losses that wait, newest first.',
    query: strict(list),
    response: paged(ProfitStop),
  },
  profitStopHistory: {
    ...reading,
    path: `${FUTURES_TRADE}/entrust/profit-list-history`,
    readsHistory: true,
    summary: 'Take-profits and stop-losses that are over, newest first.',
    query: strict({ ...list, id: Type.Optional(Cursor), ...timeRange }),
    response: pagedHistory(ProfitStopTerms),
  },
  profitStop: {
    ...reading,
    path: `${FUTURES_TRADE}/entrust/profit-detail`,
    readsHistory: true,
    summary: 'One take-profit or stop-loss of yours.',
    query: strict({ profitId: OrderIdText, minSeq: Type.Optional(MinSeq) }),
    response: ProfitStop,
  },
});
