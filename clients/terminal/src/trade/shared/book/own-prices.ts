/** In which rows of the book the account's own orders stand, at the step the book is merged by. */
import type { Order } from '@orrery/api';
import { parseTicks } from '@orrery/units';
import type { Ticks } from '@orrery/units';
import { rowPrice } from '../../../feed/ladder.ts';
import type { TradedMarket } from '../../../feed/market.ts';

export interface OwnPrices {
  readonly bid: ReadonlySet<Ticks>;
  readonly ask: ReadonlySet<Ticks>;
}

export function ownPrices(orders: readonly Order[], market: TradedMarket, step: number): OwnPrices {
  const bid = new Set<Ticks>();
  const ask = new Set<Ticks>();
  for (const order of orders) {
    // A stop that waits for its trigger does not stand in the book.
    if (order.symbol !== market.symbol || order.state === 5 || order.price === null) continue;
    const ticks = parseTicks(order.price, market.pricePrecision);
    if (ticks === undefined) continue;
    if (order.orderSide === 'BUY') bid.add(rowPrice(ticks, step, 'bid'));
    else ask.add(rowPrice(ticks, step, 'ask'));
  }
  return { bid, ask };
}
