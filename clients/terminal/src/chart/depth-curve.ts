/** The depth chart's arithmetic: cumulative size over price, cut to the same distance from the middle on both sides. */
export interface DepthPoint {
  /** In ticks. */
  readonly price: number;
  /** Lots from the best price to here. */
  readonly total: number;
}

export interface DepthCurve {
  /** Best price first. */
  readonly bids: readonly DepthPoint[];
  readonly asks: readonly DepthPoint[];
  readonly middle: number;
  readonly from: number;
  readonly to: number;
  readonly highest: number;
}

/** Pairs of price and size, best first. */
function cumulate(levels: ArrayLike<number>): DepthPoint[] {
  const points: DepthPoint[] = [];
  let total = 0;
  for (let at = 0; at + 1 < levels.length; at += 2) {
    total += levels[at + 1] ?? 0;
    points.push({ price: levels[at] ?? 0, total });
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
  const highest = Math.max(bids.at(-1)?.total ?? 0, asks.at(-1)?.total ?? 0);
  return { bids, asks, middle, from: middle - reach, to: middle + reach, highest };
}

/** What stands between the middle and a price. */
export function depthAt(curve: DepthCurve, price: number): { readonly side: 'buy' | 'sell'; readonly point: DepthPoint | undefined } {
  if (price <= curve.middle) return { side: 'buy', point: curve.bids.findLast((point) => point.price >= price) };
  return { side: 'sell', point: curve.asks.findLast((point) => point.price <= price) };
}
