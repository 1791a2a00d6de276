/** Facts in the words and decimals of the public contract. */
import { orderText, type Balance, type Deal, type Fill, type Kline, type Listing, type UserOrder, type UserTrade } from '@orrery/api';
import type { Asset, Market, Side, Trade } from '@orrery/protocol';
import { addAtoms, printAtoms, printLots, printTicks, type AccountId, type Atoms, type Ticks } from '@orrery/units';
import type { Candle, Interval, OrderState, TapeTrade, WalletBalance } from '@orrery/views';

const DIRECTION_CODES = { buy: 1, sell: 2 } as const satisfies Record<Side, UserOrder['direction']>;

export const userOrderOf = (state: OrderState, listing: Listing): UserOrder => ({
  ...orderText(state, listing),
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
