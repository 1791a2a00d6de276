/** How far from the market an order may stand or trade. All prices in ticks, all rates in parts per million. */
import { assert, NO_TICKS, ticks, type Ppm, type Ticks } from '@orrery/units';
import type { BookTerms, Order, Side } from '@orrery/protocol';

const MILLION = 1_000_000;

/**
 * The worst price that is at most `rate` worse than `from` for this side; rounded towards `from`, at least 1 tick.
 * Prices of markets and books are below 2^30 and no rate is above a whole: numbers hold the product exactly.
 */
export function worseBy(from: Ticks, rate: Ppm, side: Side): Ticks {
  const scaled = from * (side === 'buy' ? MILLION + rate : MILLION - rate);
  assert(Number.isSafeInteger(scaled), 'a price times a rate is exact');
  const beyond = scaled % MILLION;
  const floor = (scaled - beyond) / MILLION;
  return ticks(Math.max(1, side === 'buy' || beyond === 0 ? floor : floor + 1));
}

export function isWorse(price: Ticks, than: Ticks, side: Side): boolean {
  return side === 'buy' ? price > than : price < than;
}

/** The price, or the end of the range around `from` that it is beyond. */
export function withinRate(price: Ticks, from: Ticks, rate: Ppm): Ticks {
  const lowest = worseBy(from, rate, 'sell');
  const highest = worseBy(from, rate, 'buy');
  return price < lowest ? lowest : price > highest ? highest : price;
}

/** The nearer to the market of two worst prices; 0 stands for "no bound". */
export function tighterBound(left: Ticks, right: Ticks, side: Side): Ticks {
  if (left === NO_TICKS) return right;
  if (right === NO_TICKS) return left;
  return isWorse(left, right, side) ? right : left;
}

/** True when a limit price is too aggressive for the band. Only the aggressive side is bounded; no reference, no band. */
export function limitOutOfBand(price: Ticks, side: Side, reference: Ticks, market: BookTerms): boolean {
  return reference !== NO_TICKS && isWorse(price, worseBy(reference, market.limitBandPpm, side), side);
}

/** The furthest a market order may trade because of the market's band; 0 for no bound. */
export function marketBandBound(side: Side, reference: Ticks, market: BookTerms): Ticks {
  return reference === NO_TICKS ? NO_TICKS : worseBy(reference, market.marketBandPpm, side);
}

/**
 * The worst price of a stop market order: its own, else its trigger price and the market band. It is known before the order
 * triggers, so that a buy can hold what it may cost.
 */
export function stopMarketBound(order: Pick<Order, 'side' | 'price' | 'triggerPrice'>, market: BookTerms): Ticks {
  return order.price === NO_TICKS ? worseBy(order.triggerPrice, market.marketBandPpm, order.side) : order.price;
}

/**
 * The order's own worst price: the limit, a market order's worst price, or the stop rule above; 0 for none. A stop of a contract holds nothing while it
 * waits, and acts like a market order; one that has trailed trades no further than it has reserved for.
 */
function ownBound(order: Order, market: BookTerms): Ticks {
  if (order.spot !== undefined && order.spot.trailingPpm > 0) return order.spot.reservePrice;
  return order.orderType === 'stopMarket' && order.contract === undefined ? stopMarketBound(order, market) : order.price;
}

/** The worst price at which an order may trade now that the best price against it is `best`; 0 for no bound. */
export function worstPrice(order: Order, best: Ticks, reference: Ticks, market: BookTerms): Ticks {
  const own = ownBound(order, market);
  if (order.orderType === 'limit' || order.orderType === 'stopLimit') return own;
  const slippage = best === NO_TICKS ? NO_TICKS : worseBy(best, order.slippagePpm, order.side);
  const band = marketBandBound(order.side, reference, market);
  return tighterBound(tighterBound(own, slippage, order.side), band, order.side);
}
