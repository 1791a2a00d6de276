/** Orders of the spot markets: place, amend, cancel, query. */
import { CLOSE_REASONS, STALL_REASONS } from '@orrery/protocol';
import { Type, type Static } from 'typebox';
import {
  BATCH_ORDERS_MAX,
  ClientOrderId,
  Coin,
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
import { routes } from './route.ts';

export const Direction = Type.Enum(['BUY', 'SELL']);
export const TradeType = Type.Enum([
  'LIMIT',
  'MARKET',
  'STOP_LIMIT',
  'STOP_MARKET',
  'TAKE_PROFIT_LIMIT',
  'TAKE_PROFIT_MARKET',
  'TRAILING_STOP_MARKET',
]);
export type TradeType = Static<typeof TradeType>;
export const TimeInForceName = Type.Enum(['GTC', 'IOC', 'FOK', 'GTX']);
export const SelfTradePreventionName = Type.Enum(['EXPIRE_TAKER', 'EXPIRE_MAKER', 'EXPIRE_BOTH', 'DECREMENT']);
/** 1 new, 2 partly filled, 3 filled, 4 cancelled, 5 waiting for its trigger price. */
export const OrderState = Type.Enum([1, 2, 3, 4, 5]);
export type OrderState = Static<typeof OrderState>;

export const MaxSize = Type.Optional(
  Type.Boolean({
    description:
      'true: the size, or the funds, is the most that is wanted. The order has the largest size up to it that money, margin and the limits of the market and of its position allow ' +
      'when it applies, and is refused only where that is below the least order. Not with an order of a contract that waits for a price',
  }),
);

export const CreateOrder = strict(
  {
    symbol: Symbol,
    direction: Direction,
    tradeType: TradeType,
    price: Type.Optional(DecimalInput),
    totalAmount: Type.Optional(DecimalInput),
    funds: Type.Optional(DecimalInput),
    stopPrice: Type.Optional(DecimalInput),
    callbackRate: Type.Optional(DecimalInput),
    activationPrice: Type.Optional(DecimalInput),
    triggerProfitPrice: Type.Optional(DecimalInput),
    profitPrice: Type.Optional(DecimalInput),
    triggerStopPrice: Type.Optional(DecimalInput),
    lossPrice: Type.Optional(DecimalInput),
    timeInForce: Type.Optional(TimeInForceName),
    clientOrderId: Type.Optional(ClientOrderId),
    max: MaxSize,
    slippage: Type.Optional(DecimalInput),
    selfTradePrevention: Type.Optional(SelfTradePreventionName),
  },
  'price: the limit, or the worst price of a market order. totalAmount: size in the base coin. funds: quote to spend, market buys only, instead of ' +
    'totalAmount. stopPrice: trigger by the last price: a STOP buys at or above it and sells at or below it, a TAKE_PROFIT the other way round. callbackRate: of a TRAILING_STOP_MARKET, how far ' +
    'the last price comes back from its best one (0.01; steps of 0.001, at most 0.2); activationPrice: it follows from the first price at or above it of a sell, at or below it of a buy, and at once without. ' +
    'triggerProfitPrice, triggerStopPrice: a take-profit and a stop that sell what a buy has brought, fees taken off, growing with each of its fills; profitPrice, lossPrice: their limits, ' +
    'at the market without. slippage: furthest from the best price of a market order, as a ratio (0.01). ' +
    'timeInForce: GTC by default, IOC for market orders.',
);
export type CreateOrder = Static<typeof CreateOrder>;

const PairLeg = strict({
  tradeType: Type.Enum(['LIMIT', 'STOP_LIMIT', 'STOP_MARKET', 'TAKE_PROFIT_LIMIT', 'TAKE_PROFIT_MARKET']),
  price: Type.Optional(DecimalInput),
  stopPrice: Type.Optional(DecimalInput),
  slippage: Type.Optional(DecimalInput),
  clientOrderId: Type.Optional(ClientOrderId),
});

export const CreatePair = strict(
  {
    symbol: Symbol,
    direction: Direction,
    totalAmount: DecimalInput,
    above: PairLeg,
    below: PairLeg,
    selfTradePrevention: Type.Optional(SelfTradePreventionName),
  },
  'Two orders of one size of which one acts, with one reservation. Of a SELL above is LIMIT or TAKE_PROFIT and below STOP; of a BUY above is STOP and below LIMIT or TAKE_PROFIT. A LIMIT is ' +
    'post-only. What a LIMIT fills the other loses; when one is triggered, filled or ended, the other ends. A refusal names its leg, as in above.price.',
);
export type CreatePair = Static<typeof CreatePair>;

export const CancelOrder = strict(
  {
    orderId: Type.Optional(OrderIdText),
    clientOrderId: Type.Optional(ClientOrderId),
  },
  'one of the two',
);
export type CancelOrder = Static<typeof CancelOrder>;

export const UpdateOrder = strict(
  {
    orderId: OrderIdText,
    clientOrderId: Type.Optional(ClientOrderId),
    price: Type.Optional(DecimalInput),
    totalAmount: Type.Optional(DecimalInput),
  },
  'price and totalAmount: of the whole order, what it has filled included; what is left out stays. One that is filled to it already ends (closeReason ' +
    'amendedToFilled). clientOrderId: your name for it from now on; with it the same call again changes nothing more.',
);
export type UpdateOrder = Static<typeof UpdateOrder>;

export const CancelAllOrders = strict({ symbol: Type.Optional(Symbol) }, 'every market when symbol is left out');
export type CancelAllOrders = Static<typeof CancelAllOrders>;

const jsonText = (description: string) => Type.String({ minLength: 2, maxLength: 65_536, description });

export const OrderList = Type.Array(CreateOrder, { minItems: 1, maxItems: BATCH_ORDERS_MAX });
export const OrderIdList = Type.Array(OrderIdText, { minItems: 1, maxItems: BATCH_ORDERS_MAX });

/** One command of the exchange: all items are done, or the call is refused and nothing changes. */
export const AllOrNothing = Type.Optional(
  Type.Boolean({
    description:
      'true: all items or none, in one step; a refusal names its item, as in orders.2.price. Of orders only the last may trade at once or trail: the others are post-only ' +
      '(GTX) or wait for a trigger price',
  }),
);

export const CreateOrders = strict(
  {
    orders: Type.Optional(OrderList),
    ordersJsonStr: Type.Optional(jsonText('the same array as JSON text')),
    allOrNothing: AllOrNothing,
  },
  'orders or ordersJsonStr',
);
export type CreateOrders = Static<typeof CreateOrders>;

export const CancelOrders = strict(
  {
    orderIds: Type.Optional(OrderIdList),
    orderIdsJson: Type.Optional(jsonText('the same array as JSON text')),
    allOrNothing: AllOrNothing,
  },
  'orderIds or orderIdsJson',
);
export type CancelOrders = Static<typeof CancelOrders>;

/** The answer to one item of a batch: code 0, or a refusal of this item alone. The batch itself has code 0 or `ITEMS_REFUSED`, and status 200. */
export const BatchItem = Type.Object({
  code: Type.Integer(),
  msg: Type.String(),
  data: nullable(OrderIdText),
});
export type BatchItem = Static<typeof BatchItem>;

export const Order = Type.Object({
  orderId: OrderIdText,
  clientOrderId: Type.String(),
  symbol: Symbol,
  orderSide: Direction,
  orderType: TradeType,
  timeInForce: TimeInForceName,
  price: nullable(Decimal),
  stopPrice: nullable(Decimal),
  origQty: nullable(Decimal),
  funds: nullable(Decimal),
  avgPrice: nullable(Decimal),
  executedQty: Decimal,
  dealQty: Decimal,
  executedValue: Type.String({ description: 'quote traded in all' }),
  state: OrderState,
  closeReason: nullable(Type.Enum([...CLOSE_REASONS])),
  callbackRate: nullable(Decimal, { description: 'of a trailing stop' }),
  activationPrice: nullable(Decimal, { description: 'from which a trailing stop follows the price; null: from the beginning' }),
  activated: nullable(Type.Boolean(), { description: 'whether a trailing stop follows the price already; null of every other order' }),
  groupId: nullable(Type.String({ description: 'the same of both of a pair: when one acts or ends, so does the other' })),
  parentId: nullable(Type.String({ description: 'the order whose purchase it sells' })),
  triggerProfitPrice: nullable(Decimal, { description: 'take-profit of what it buys' }),
  profitPrice: nullable(Decimal, { description: 'its limit' }),
  triggerStopPrice: nullable(Decimal, { description: 'stop of what it buys' }),
  lossPrice: nullable(Decimal, { description: 'its limit' }),
  stallReason: nullable(Type.Enum([...STALL_REASONS]), {
    description:
      'why it could not act, or only in part, though its trigger is reached: it is tried again with every outside price; null otherwise',
  }),
  createdTime: Millis,
  updatedTime: Millis,
});
export type Order = Static<typeof Order>;

export const Fill = Type.Object({
  orderId: OrderIdText,
  clientOrderId: Type.String(),
  execId: Type.String(),
  symbol: Symbol,
  quantity: Decimal,
  price: Decimal,
  value: Type.String({ description: 'quote traded' }),
  fee: Decimal,
  feeCoin: Coin,
  orderSide: Direction,
  takerMaker: Type.Enum(['TAKER', 'MAKER']),
  timestamp: Millis,
});
export type Fill = Static<typeof Fill>;

/** Any size up to the largest: the older client asks for what it likes. */
const Size = Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 10 }));
const range = { startTime: Type.Optional(Millis), endTime: Type.Optional(Millis) };

export const orderRoutes = routes({
  createOrder: {
    method: 'POST',
    path: '/spot/v1/u/trade/order/create',
    access: 'trade',
    rate: 'order',
    bodyFromQuery: true,
    summary: 'Place an order; answers its id once it is durable. The same clientOrderId again answers the same order.',
    body: CreateOrder,
    response: OrderIdText,
  },
  createPair: {
    method: 'POST',
    path: '/spot/v1/u/trade/order/oco',
    access: 'trade',
    rate: 'order',
    summary:
      'Place two orders of which one cancels the other, with one reservation: both, or neither. The same two clientOrderIds again answer the same orders.',
    body: CreatePair,
    response: Type.Object({ groupId: OrderIdText, above: OrderIdText, below: OrderIdText }),
  },
  cancelOrder: {
    method: 'POST',
    path: '/spot/v1/u/trade/order/cancel',
    access: 'trade',
    rate: 'cancel',
    bodyFromQuery: true,
    summary: 'Cancel one order by its id or by your own.',
    body: CancelOrder,
    response: OrderIdText,
  },
  createOrders: {
    method: 'POST',
    path: '/spot/v1/u/trade/order/batch/create',
    access: 'trade',
    batch: true,
    rate: 'order',
    bodyFromQuery: true,
    summary:
      'Place up to 100 orders; each is answered on its own, in the same order. The code of the answer is 0 only if that of every item is.',
    body: CreateOrders,
    response: Type.Array(BatchItem),
  },
  cancelOrders: {
    method: 'POST',
    path: '/spot/v1/u/trade/order/batch/cancel',
    access: 'trade',
    batch: true,
    rate: 'cancel',
    bodyFromQuery: true,
    summary:
      'Cancel up to 100 orders; each of orderIds is answered on its own, in the same order, and the code of the answer is 0 only if that of every item ' +
      'is. orderIdsJson is answered as in the older API: by the ids of the orders that were cancelled.',
    body: CancelOrders,
    response: Type.Union([Type.Array(BatchItem), Type.Array(OrderIdText)]),
  },
  cancelAllOrders: {
    method: 'POST',
    path: '/spot/v1/u/trade/order/cancel-all',
    access: 'trade',
    rate: 'cancel',
    bodyFromQuery: true,
    summary: 'Cancel every open order, of one market or of all.',
    body: CancelAllOrders,
    response: Type.Array(OrderIdText),
  },
  updateOrder: {
    method: 'POST',
    path: '/spot/v1/u/trade/order/update',
    access: 'trade',
    rate: 'order',
    bodyFromQuery: true,
    summary:
      'Give a resting limit order another price or size; answers its id, which stays. One of a pair is refused (OrderOfPair). A smaller size at the same price keeps its place in the queue, ' +
      'everything else goes behind it. A size is that of the whole order: the exchange takes off what is filled when the change applies.',
    body: UpdateOrder,
    response: OrderIdText,
  },
  maxSize: {
    method: 'GET',
    path: '/spot/v1/u/trade/order/max-size',
    access: 'read',
    rate: 'read',
    summary:
      'The most that one order may have now: of a buy what is free in quote, at the price at which it is held: its limit, of a stop without a limit its stopPrice ' +
      'and the band of the market above it, at the market the best ask 0.05 % higher. Of a sell what is free in base. Within the largest size and value of an order.',
    query: strict({
      symbol: Symbol,
      direction: Direction,
      price: Type.Optional(DecimalInput),
      stopPrice: Type.Optional(DecimalInput),
      minSeq: Type.Optional(MinSeq),
    }),
    response: Type.Object({
      symbol: Symbol,
      direction: Direction,
      maxAmount: Type.String({ description: 'in the base coin' }),
      price: nullable(Decimal, { description: 'by which it is valued; null where nothing says a price' }),
      free: Type.String({ description: 'of the coin that is paid' }),
    }),
  },
  openOrders: {
    method: 'GET',
    path: '/spot/v1/u/trade/order/list',
    access: 'read',
    rate: 'read',
    summary: 'Open orders, newest first.',
    query: strict({
      symbol: Type.Optional(Symbol),
      page: Type.Optional(Page),
      size: Size,
      state: Type.Optional(Type.Enum([1, 2, 5])),
      minSeq: Type.Optional(MinSeq),
    }),
    response: paged(Order),
  },
  orderHistory: {
    method: 'GET',
    path: '/spot/v1/u/trade/order/history',
    access: 'read',
    rate: 'read',
    readsHistory: true,
    summary: 'Orders that are over, newest first.',
    query: strict({
      symbol: Type.Optional(Symbol),
      ...range,
      page: Type.Optional(Page),
      id: Type.Optional(Cursor),
      size: Size,
      limit: Size,
      state: Type.Optional(Type.Enum([3, 4])),
      direction: Type.Optional(Direction),
      minSeq: Type.Optional(MinSeq),
    }),
    response: pagedHistory(Order),
  },
  order: {
    method: 'GET',
    path: '/spot/v1/u/trade/order/detail',
    access: 'read',
    rate: 'read',
    readsHistory: true,
    summary: 'One order of yours, open or over, by its id or by your own while it is open.',
    query: strict({ orderId: Type.Optional(OrderIdText), clientOrderId: Type.Optional(ClientOrderId), minSeq: Type.Optional(MinSeq) }),
    response: Order,
  },
  fills: {
    method: 'GET',
    path: '/spot/v1/u/trade/order/deal',
    access: 'read',
    rate: 'read',
    readsHistory: true,
    summary: 'Your fills, newest first.',
    query: strict({
      orderId: Type.Optional(OrderIdText),
      symbol: Type.Optional(Symbol),
      ...range,
      page: Type.Optional(Page),
      id: Type.Optional(Cursor),
      size: Size,
      minSeq: Type.Optional(MinSeq),
    }),
    response: pagedHistory(Fill),
  },
});
