/** In which rows of the book the account's own orders stand, at the step the book is merged by. */
import { parseTicks } from '@orrery/units';
import type { Ticks } from '@orrery/units';
import type { OwnOrder } from '../../../platform/data/streams/use-account.ts';
import { rowPrice } from '../../../platform/feed/ladder.ts';
import type { TradedMarket } from '../../../market/market.ts';
import { wireOf } from '../../../platform/feed/perpetual.ts';

export interface OwnPrices {
  readonly bid: ReadonlySet<Ticks>;
  readonly ask: ReadonlySet<Ticks>;
}

/** @param orders of the kind of the market, by the exchange's names */
export function ownPrices(orders: readonly OwnOrder[], market: TradedMarket, step: number): OwnPrices {
  const bid = new Set<Ticks>();
  const ask = new Set<Ticks>();
  const symbol = wireOf(market.symbol);
  for (const order of orders) {
    // A stop that waits for its trigger does not stand in the book.
    if (order.symbol !== symbol || order.state === 5 || order.price === null) continue;
    const ticks = parseTicks(order.price, market.pricePrecision);
    if (ticks === undefined) continue;
    if (order.orderSide === 'BUY') bid.add(rowPrice(ticks, step, 'bid'));
    else ask.add(rowPrice(ticks, step, 'ask'));
  }
  return { bid, ask };
}
