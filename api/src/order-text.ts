/** An order in the words and decimals of the public contract: the same for open orders read from memory and for closed ones read from SQL. */
import type { Asset, CloseReason, Market, Order as AcceptedOrder, OrderType, Side, SpotOrderTerms, StallReason } from '@orrery/protocol';
import {
  divFloor,
  NO_ATOMS,
  NO_LOTS,
  NO_TICKS,
  printAtoms,
  printDecimal,
  printLots,
  printTicks,
  ticks,
  type Atoms,
  type Lots,
  type Millis,
  type Ticks,
} from '@orrery/units';
import type { Order, OrderState, TradeType } from './order.ts';

/** A market together with its assets: what is needed to print its numbers. */
export interface Listing {
  readonly market: Market;
  readonly base: Asset;
  readonly quote: Asset;
}

/** How far an order has come. */
export interface OrderProgress {
  readonly order: AcceptedOrder;
  readonly status: 'open' | 'armed' | 'closed';
  readonly filled: Lots;
  /** Quote atoms. */
  readonly filledNotional: Atoms;
  readonly updatedAt: Millis;
  readonly closeReason: CloseReason | undefined;
  /** Why it could not act though its trigger price is reached. */
  readonly stalled: StallReason | undefined;
}

export const TRADE_TYPES = {
  limit: 'LIMIT',
  market: 'MARKET',
  stopLimit: 'STOP_LIMIT',
  stopMarket: 'STOP_MARKET',
} as const satisfies Record<OrderType, TradeType>;

const TAKE_PROFIT_TYPES = { ...TRADE_TYPES, stopLimit: 'TAKE_PROFIT_LIMIT', stopMarket: 'TAKE_PROFIT_MARKET' } as const;

export function tradeTypeOf({ orderType, spot }: Pick<AcceptedOrder, 'orderType' | 'spot'>): TradeType {
  if (spot === undefined) return TRADE_TYPES[orderType];
  if (spot.trailingPpm > 0) return 'TRAILING_STOP_MARKET';
  return spot.source === 'takeProfit' ? TAKE_PROFIT_TYPES[orderType] : TRADE_TYPES[orderType];
}

export const DIRECTIONS = { buy: 'BUY', sell: 'SELL' } as const satisfies Record<Side, Order['orderSide']>;

export function orderText(progress: OrderProgress, { market, quote }: Listing): Order {
  const { order, filled, filledNotional } = progress;
  const executed = printLots(filled, market.sizePrecision);
  return {
    orderId: String(order.orderId),
    clientOrderId: order.clientOrderId,
    symbol: market.symbol,
    orderSide: DIRECTIONS[order.side],
    orderType: tradeTypeOf(order),
    timeInForce: order.timeInForce,
    price: order.price === NO_TICKS ? null : printTicks(order.price, market.pricePrecision),
    stopPrice: order.triggerPrice === NO_TICKS ? null : printTicks(order.triggerPrice, market.pricePrecision),
    origQty: order.size === NO_LOTS ? null : printLots(order.size, market.sizePrecision),
    funds: order.funds === NO_ATOMS ? null : printAtoms(order.funds, quote.decimals),
    avgPrice: averagePrice({ filled, filledNotional, market, quote }),
    executedQty: executed,
    dealQty: executed,
    executedValue: printAtoms(filledNotional, quote.decimals),
    state: stateOf(progress),
    closeReason: progress.closeReason ?? null,
    ...(order.spot === undefined ? NO_TERMS : termsText(order.spot, market)),
    stallReason: progress.stalled ?? null,
    createdTime: order.createdAt,
    updatedTime: progress.updatedAt,
  };
}

type Terms = Pick<
  Order,
  | 'callbackRate'
  | 'activationPrice'
  | 'activated'
  | 'groupId'
  | 'parentId'
  | 'triggerProfitPrice'
  | 'profitPrice'
  | 'triggerStopPrice'
  | 'lossPrice'
>;

/** Of an order without terms of its own. */
export const NO_TERMS: Terms = {
  callbackRate: null,
  activationPrice: null,
  activated: null,
  groupId: null,
  parentId: null,
  triggerProfitPrice: null,
  profitPrice: null,
  triggerStopPrice: null,
  lossPrice: null,
};

const RATIO_DECIMALS = 6;

function termsText(spot: SpotOrderTerms, { pricePrecision }: Market): Terms {
  const price = (value: Ticks): string | null => (value === NO_TICKS ? null : printTicks(value, pricePrecision));
  const trails = spot.trailingPpm > 0;
  return {
    callbackRate: trails ? printTicks(ticks(spot.trailingPpm), RATIO_DECIMALS) : null,
    activationPrice: price(spot.activationPrice),
    activated: trails ? spot.triggerDirection === 'none' : null,
    groupId: spot.group === 0 ? null : String(spot.group),
    parentId: spot.parent === 0 ? null : String(spot.parent),
    triggerProfitPrice: price(spot.takeProfit.triggerPrice),
    profitPrice: price(spot.takeProfit.price),
    triggerStopPrice: price(spot.stopLoss.triggerPrice),
    lossPrice: price(spot.stopLoss.price),
  };
}

function stateOf({ status, closeReason, filled }: OrderProgress): OrderState {
  if (status === 'closed') return closeReason === 'filled' ? 3 : 4;
  if (status === 'armed') return 5;
  return filled > NO_LOTS ? 2 : 1;
}

/** Decimals of an average beyond those of a price. */
const AVERAGE_DIGITS = 2;

/** What was paid for one unit of the base coin on average, rounded down; null before the first fill. */
function averagePrice(fills: { filled: Lots; filledNotional: Atoms; market: Market; quote: Asset }): string | null {
  const { filled, filledNotional, market, quote } = fills;
  if (filled === NO_LOTS) return null;
  const decimals = market.pricePrecision + AVERAGE_DIGITS;
  const dividend = filledNotional * 10n ** BigInt(market.sizePrecision + decimals);
  return printDecimal(divFloor(dividend, BigInt(filled) * 10n ** BigInt(quote.decimals)), decimals);
}
