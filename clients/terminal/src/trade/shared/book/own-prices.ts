/** In which rows of the book the account's own orders stand, at the step the book is merged by. */
import type { Order } from '@orrery/api';
import { parseTicks } from '@orrery/units';
import type { TradedMarket } from '../../../feed/market.ts';

export interface OwnPrices {
  readonly bid: ReadonlySet<number>;
  readonly ask: ReadonlySet<number>;
}

export function ownPrices(orders: readonly Order[], market: TradedMarket, step: number): OwnPrices {
  const bid = new Set<number>();
  const ask = new Set<number>();
  for (const order of orders) {
    // A stop that waits for its trigger does not stand in the book.
    if (order.symbol !== market.symbol || order.state === 5 || order.price === null) continue;
    const ticks = parseTicks(order.price, market.pricePrecision);
    if (ticks === undefined) continue;
    if (order.orderSide === 'BUY') bid.add(Math.floor(ticks / step) * step);
    else ask.add(Math.ceil(ticks / step) * step);
  }
  return { bid, ask };
}
