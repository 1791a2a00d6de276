/** An order in the words and decimals of the public contract: the same for open orders read from memory and for closed ones read from SQL. */
import type { Asset, CloseReason, Market, Order as AcceptedOrder, OrderType, Side } from '@orrery/protocol';
import {
  divFloor,
  NO_ATOMS,
  NO_LOTS,
  NO_TICKS,
  printAtoms,
  printDecimal,
  printLots,
  printTicks,
  type Atoms,
  type Lots,
  type Millis,
} from '@orrery/units';
import type { Order, OrderState } from './order.ts';

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
}

export const TRADE_TYPES = {
  limit: 'LIMIT',
  market: 'MARKET',
  stopLimit: 'STOP_LIMIT',
  stopMarket: 'STOP_MARKET',
} as const satisfies Record<OrderType, Order['orderType']>;

export const DIRECTIONS = { buy: 'BUY', sell: 'SELL' } as const satisfies Record<Side, Order['orderSide']>;

export function orderText(progress: OrderProgress, { market, quote }: Listing): Order {
  const { order, filled, filledNotional } = progress;
  const executed = printLots(filled, market.sizePrecision);
  return {
    orderId: String(order.orderId),
    clientOrderId: order.clientOrderId,
    symbol: market.symbol,
    orderSide: DIRECTIONS[order.side],
    orderType: TRADE_TYPES[order.orderType],
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
    createdTime: order.createdAt,
    updatedTime: progress.updatedAt,
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
