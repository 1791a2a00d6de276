/** Facts in the words and decimals of the public contract. */
import {
  BALANCE_TYPES,
  ORDER_TYPES,
  orderText,
  type Balance,
  type Deal,
  type Fill,
  type Kline,
  type Listing,
  type StreamTicker,
  type Ticker,
  type UserBalance,
  type UserOrder,
  type UserTrade,
} from '@orrery/api';
import type { Asset, Market, Side, Trade } from '@orrery/protocol';
import { addAtoms, millis, printAtoms, printLots, printTicks, type AccountId, type Atoms, type Millis, type Ticks } from '@orrery/units';
import { openTimeOf, type Candle, type Interval, type OrderState, type TapeTrade, type WalletBalance } from '@orrery/views';

const DIRECTION_CODES = { buy: 1, sell: 2 } as const satisfies Record<Side, UserOrder['direction']>;

export function userOrderOf(state: OrderState, listing: Listing): UserOrder {
  const order = orderText(state, listing);
  return {
    ...order,
    balanceType: BALANCE_TYPES.spot,
    orderType: ORDER_TYPES[order.orderType],
    direction: DIRECTION_CODES[state.order.side],
    price: order.price ?? '0',
    stopPrice: order.stopPrice ?? '0',
    origQty: order.origQty ?? '0',
    funds: order.funds ?? '0',
    avgPrice: order.avgPrice ?? '0',
    createTime: order.createdTime,
  };
}

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
    marginUnfrozen: '0',
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

/** Whether the interval of a candle is over. */
export const isClosed = ({ openTime }: Candle, interval: Interval, now: number): boolean => openTimeOf(interval, millis(now)) > openTime;

/** By which it is known whether a candle is over, and whether all of it is from before there were trades here. */
export interface KlineTerms {
  readonly interval: Interval;
  readonly now: number;
  /** The minute of the first trade here; `undefined` before it. */
  readonly since: Millis | undefined;
}

/** Whether the prices of a candle are those of other exchanges. */
export const isOutside = ({ openTime }: Candle, { interval, since }: Pick<KlineTerms, 'interval' | 'since'>): boolean =>
  since === undefined || openTime < openTimeOf(interval, since);

export function klineOf(candle: Candle, terms: KlineTerms, { market, quote }: Listing): Kline {
  const { interval, now } = terms;
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
    closed: isClosed(candle, interval, now),
    outside: isOutside(candle, terms),
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

export function userBalanceOf(balance: Balance): UserBalance {
  return {
    ...balance,
    balanceType: BALANCE_TYPES[balance.balanceType],
    estimatedTotalAmount: balance.estimatedTotalAmount ?? '0',
    estimatedAvailableAmount: balance.estimatedAvailableAmount ?? '0',
    estimatedCynAmount: '0',
  };
}

export function streamTickerOf(ticker: Ticker): StreamTicker {
  const { o, h, l, c, bp, ap, i } = ticker;
  return { ...ticker, o: o ?? '0', h: h ?? '0', l: l ?? '0', c: c ?? '0', bp: bp ?? '0', ap: ap ?? '0', i: i ?? '0' };
}
