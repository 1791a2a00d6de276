/** The depth chart's arithmetic: cumulative size over price, cut to the same distance from the middle on both sides. */
import { addLots, lots, NO_LOTS, tickBelow, ticks } from '@orrery/units';
import type { Lots, Ticks } from '@orrery/units';

export interface DepthPoint {
  readonly price: Ticks;
  /** From the best price to here. */
  readonly total: Lots;
}

export interface DepthCurve {
  /** Best price first. */
  readonly bids: readonly DepthPoint[];
  readonly asks: readonly DepthPoint[];
  /** Places on the picture, in ticks: the middle of two prices can lie between two ticks. */
  readonly middle: number;
  readonly from: number;
  readonly to: number;
  /** From the middle to either end, rounded down. */
  readonly reach: Ticks;
  readonly highest: Lots;
}

/** Pairs of price and size, best first. */
function cumulate(levels: ArrayLike<number>): DepthPoint[] {
  const points: DepthPoint[] = [];
  let total = NO_LOTS;
  for (let at = 0; at + 1 < levels.length; at += 2) {
    total = addLots(total, lots(levels[at + 1] ?? 0));
    points.push({ price: ticks(levels[at] ?? 0), total });
  }
  return points;
}

/** `undefined` when a side is empty: without a middle there is no picture. */
export function depthCurve(bidLevels: ArrayLike<number>, askLevels: ArrayLike<number>): DepthCurve | undefined {
  const allBids = cumulate(bidLevels);
  const allAsks = cumulate(askLevels);
  const bestBid = allBids[0];
  const bestAsk = allAsks[0];
  const lastBid = allBids.at(-1);
  const lastAsk = allAsks.at(-1);
  if (bestBid === undefined || bestAsk === undefined || lastBid === undefined || lastAsk === undefined) return undefined;
  const middle = (bestBid.price + bestAsk.price) / 2;
  const reach = Math.max(1, Math.min(middle - lastBid.price, lastAsk.price - middle));
  const bids = allBids.filter((point) => point.price >= middle - reach);
  const asks = allAsks.filter((point) => point.price <= middle + reach);
  const highest = lots(Math.max(bids.at(-1)?.total ?? 0, asks.at(-1)?.total ?? 0));
  return { bids, asks, middle, from: middle - reach, to: middle + reach, reach: tickBelow(reach), highest };
}

/** What stands between the middle and a price. */
export function depthAt(curve: DepthCurve, price: number): { readonly side: 'buy' | 'sell'; readonly point: DepthPoint | undefined } {
  if (price <= curve.middle) return { side: 'buy', point: curve.bids.findLast((point) => point.price >= price) };
  return { side: 'sell', point: curve.asks.findLast((point) => point.price <= price) };
}
