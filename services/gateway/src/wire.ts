/** Facts in the words and decimals of the public contract. */
import type { Balance, Deal, Fill, Kline, Order, OrderState as StateCode, UserOrder, UserTrade } from '@orrery/api';
import type { Asset, Market, OrderType, Side, Trade } from '@orrery/protocol';
import {
  addAtoms,
  divFloor,
  NO_ATOMS,
  NO_LOTS,
  NO_TICKS,
  printAtoms,
  printDecimal,
  printLots,
  printTicks,
  type AccountId,
  type Atoms,
  type Lots,
  type Ticks,
} from '@orrery/units';
import type { Candle, Interval, OrderState, TapeTrade, WalletBalance } from '@orrery/views';

export interface Listing {
  readonly market: Market;
  readonly base: Asset;
  readonly quote: Asset;
}

export const TRADE_TYPES = {
  limit: 'LIMIT',
  market: 'MARKET',
  stopLimit: 'STOP_LIMIT',
  stopMarket: 'STOP_MARKET',
} as const satisfies Record<OrderType, Order['orderType']>;
const DIRECTIONS = { buy: 'BUY', sell: 'SELL' } as const satisfies Record<Side, Order['orderSide']>;
const DIRECTION_CODES = { buy: 1, sell: 2 } as const satisfies Record<Side, UserOrder['direction']>;

export function orderOf(state: OrderState, { market, quote }: Listing): Order {
  const { order, filled, filledNotional } = state;
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
    state: stateCodeOf(state),
    closeReason: state.closeReason ?? null,
    createdTime: order.createdAt,
    updatedTime: state.updatedAt,
  };
}

function stateCodeOf({ status, closeReason, filled }: OrderState): StateCode {
  if (status === 'closed') return closeReason === 'filled' ? 3 : 4;
  if (status === 'armed') return 5;
  return filled > 0 ? 2 : 1;
}

/** Decimals of an average beyond those of a price. */
const AVERAGE_DIGITS = 2;

/** What was paid for one unit of the base coin on average, rounded down; null before the first fill. */
function averagePrice(fills: { filled: Lots; filledNotional: Atoms; market: Market; quote: Asset }): string | null {
  const { filled, filledNotional, market, quote } = fills;
  if (filled === 0) return null;
  const decimals = market.pricePrecision + AVERAGE_DIGITS;
  const dividend = filledNotional * 10n ** BigInt(market.sizePrecision + decimals);
  return printDecimal(divFloor(dividend, BigInt(filled) * 10n ** BigInt(quote.decimals)), decimals);
}

export const userOrderOf = (state: OrderState, listing: Listing): UserOrder => ({
  ...orderOf(state, listing),
  balanceType: 'spot',
  direction: DIRECTION_CODES[state.order.side],
  createTime: state.order.createdAt,
});

/** One side's part of a trade. */
export interface TradeSide {
  readonly trade: Trade;
  readonly account: AccountId;
  readonly role: 'TAKER' | 'MAKER';
  readonly clientOrderId: string;
  readonly at: number;
}

export function userTradeOf({ trade, role, clientOrderId, at }: TradeSide, { market, base, quote }: Listing): UserTrade {
  const isTaker = role === 'TAKER';
  const side: Side = isTaker ? trade.takerSide : opposite(trade.takerSide);
  const fee = feeOf({ trade, role, side, base, quote });
  return {
    orderId: String(isTaker ? trade.takerOrderId : trade.makerOrderId),
    clientOrderId,
    execId: String(trade.tradeId),
    symbol: market.symbol,
    direction: DIRECTION_CODES[side],
    price: printTicks(trade.price, market.pricePrecision),
    quantity: printLots(trade.size, market.sizePrecision),
    value: printAtoms(trade.notional, quote.decimals),
    ...fee,
    takerMaker: role,
    marginUnfrozen: null,
    timestamp: at,
  };
}

/** Each pays in what it receives: the buyer in base, the seller in quote. */
function feeOf(fill: { trade: Trade; role: 'TAKER' | 'MAKER'; side: Side; base: Asset; quote: Asset }): Pick<Fill, 'fee' | 'feeCoin'> {
  const received = fill.side === 'buy' ? fill.base : fill.quote;
  const fee = fill.role === 'TAKER' ? fill.trade.takerFee : fill.trade.makerFee;
  return { fee: printAtoms(fee, received.decimals), feeCoin: received.code };
}

const opposite = (side: Side): Side => (side === 'buy' ? 'sell' : 'buy');

export const dealOf = (trade: TapeTrade, market: Market): Deal => ({
  id: String(trade.tradeId),
  s: market.symbol,
  t: trade.at,
  p: printTicks(trade.price, market.pricePrecision),
  a: printLots(trade.size, market.sizePrecision),
  m: trade.takerSide === 'buy' ? 1 : 2,
});

export function klineOf(candle: Candle, interval: Interval, { market, quote }: Listing): Kline {
  const price = (ticks: Ticks): string => printTicks(ticks, market.pricePrecision);
  return {
    s: market.symbol,
    i: interval,
    t: candle.openTime,
    o: price(candle.open),
    h: price(candle.high),
    l: price(candle.low),
    c: price(candle.close),
    a: printLots(candle.volume, market.sizePrecision),
    v: printAtoms(candle.quoteVolume, quote.decimals),
  };
}

/** Value of some atoms in USDC, or undefined when no price of them is known. */
export type Estimate = (amount: Atoms, asset: Asset) => string | undefined;

export function balanceOf({ wallet, free, held }: WalletBalance, asset: Asset, estimate: Estimate): Balance {
  const total = addAtoms(free, held);
  return {
    coin: asset.code,
    balanceType: wallet,
    balance: printAtoms(total, asset.decimals),
    freeze: printAtoms(held, asset.decimals),
    availableBalance: printAtoms(free, asset.decimals),
    estimatedTotalAmount: estimate(total, asset) ?? null,
    estimatedAvailableAmount: estimate(free, asset) ?? null,
    estimatedCoinType: 'USDC',
  };
}
