/** What the stream says in numbers, in the words of the HTTP calls: a listener and a reader of a call see the same shapes. */
import {
  BALANCE_TYPES,
  ORDER_TYPES,
  type Balance,
  type Order,
  type StreamTicker,
  type Ticker,
  type UserBalance,
  type UserOrder,
} from '@orrery/api';

/** The name of a number of the stream. */
function nameOf<Name extends string>(codes: Readonly<Record<Name, number>>, code: number): Name {
  for (const name in codes) if (codes[name] === code) return name;
  throw new RangeError(`the stream has no ${code} among ${Object.keys(codes).join(', ')}`);
}

const orNull = (text: string): string | null => (text === '0' ? null : text);

export function balanceFrom(sent: UserBalance): Balance {
  const { estimatedCynAmount: _, ...balance } = sent;
  // A worth of 0 is known only of an empty amount: else there is no price to estimate by.
  const estimate = (amount: string, worth: string): string | null => (amount === '0' ? worth : orNull(worth));
  return {
    ...balance,
    balanceType: nameOf(BALANCE_TYPES, balance.balanceType),
    estimatedTotalAmount: estimate(balance.balance, balance.estimatedTotalAmount),
    estimatedAvailableAmount: estimate(balance.availableBalance, balance.estimatedAvailableAmount),
  };
}

export function orderFrom(sent: UserOrder): Order {
  const { balanceType: _, direction: __, createTime: ___, ...order } = sent;
  return {
    ...order,
    orderType: nameOf(ORDER_TYPES, order.orderType),
    price: orNull(order.price),
    stopPrice: orNull(order.stopPrice),
    origQty: orNull(order.origQty),
    funds: orNull(order.funds),
    avgPrice: orNull(order.avgPrice),
  };
}

export function tickerFrom(ticker: StreamTicker): Ticker {
  const { o, h, l, c, bp, ap, i } = ticker;
  return { ...ticker, o: orNull(o), h: orNull(h), l: orNull(l), c: orNull(c), bp: orNull(bp), ap: orNull(ap), i: orNull(i) };
}
