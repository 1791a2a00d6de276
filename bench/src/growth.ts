/**
 * Whether an order costs the same however large the exchange is: from 1,000 to 1,000,000 resting orders, from 1,000 to 1,000,000 accounts,
 * from 5 to 500 markets, one of them growing at a time; and what one resting order and one account take of memory.
 */
import { Feed, pack } from './engine/order-stream.ts';
import { GrowthFlow, type Size } from './engine/growth-flow.ts';
import { heapBytes, median, rounded, spent, whole } from './measure.ts';
import type { Findings, Part } from './part.ts';

/** What stays as it is while something else grows. */
const NORMAL: Size = { resting: 10_000, accounts: 10_000, markets: 1 };
/** Orders of one timed pass. */
const ORDERS = 40_000;
/** The first warms up and does not count. */
const PASSES = 9;

export const growthPart: Part = {
  name: 'growth',
  about: 'the cost of an order while orders, accounts and markets grow',
  nodeOptions: ['--max-old-space-size=8192'],
  measure,
};

interface Point {
  readonly nsPerOrder: number;
  readonly bytes: number;
}

function measure(): Findings {
  // The compiler sees every kind of command before the first point.
  pointsOf([{ resting: 1_000, accounts: 1_000, markets: 5 }]);
  const resting = pointsOf([1_000, 10_000, 100_000, 1_000_000].map((count) => ({ ...NORMAL, resting: count })));
  const accounts = pointsOf([1_000, 10_000, 100_000, 1_000_000].map((count) => ({ ...NORMAL, accounts: count })));
  // Every account has money of every asset: fewer accounts, so that this does not grow too.
  const markets = pointsOf([5, 50, 500].map((count) => ({ ...NORMAL, accounts: 1_000, markets: count })));
  const bytesPerRestingOrder = slope(resting) / (1_000_000 - 1_000);
  const bytesPerAccount = slope(accounts) / (1_000_000 - 1_000);
  const figures = (points: readonly Point[]): object => ({
    nsPerOrder: points.map(({ nsPerOrder }) => Math.round(nsPerOrder)),
    largestOverSmallest: rounded(overSmallest(points), 2),
  });
  const row = (what: string, points: readonly Point[]): string =>
    `${what.padEnd(48)} ${points.map(({ nsPerOrder }) => whole(nsPerOrder)).join(', ')} ns an order: ${overSmallest(points).toFixed(2)} x`;
  return {
    figures: {
      growth: {
        resting: figures(resting),
        accounts: figures(accounts),
        markets: figures(markets),
        bytesPerRestingOrder: Math.round(bytesPerRestingOrder),
        bytesPerAccount: Math.round(bytesPerAccount),
      },
    },
    lines: [
      row('1 k, 10 k, 100 k, 1 M resting orders', resting),
      row('1 k, 10 k, 100 k, 1 M accounts', accounts),
      row('5, 50, 500 markets', markets),
      `memory: ${whole(bytesPerRestingOrder)} bytes a resting order, ${whole(bytesPerAccount)} bytes an account`,
    ],
  };
}

const slope = (points: readonly Point[]): number => (points.at(-1)?.bytes ?? 0) - (points[0]?.bytes ?? 0);
const overSmallest = (points: readonly Point[]): number => (points.at(-1)?.nsPerOrder ?? 0) / (points[0]?.nsPerOrder ?? 1);

/** Exchanges of several sizes take their passes in turn, so that a slow minute of the machine is a slow minute of all of them. */
function pointsOf(sizes: readonly Size[]): Point[] {
  const exchanges = sizes.map(opened);
  for (let pass = 0; pass <= PASSES; pass += 1) {
    for (const { flow, feed, costs } of exchanges) {
      const orders = pack(flow.orders(ORDERS));
      const { processorSeconds } = spent(() => feed.take(orders));
      costs.push((processorSeconds * 1_000_000_000) / orders.count);
    }
  }
  return exchanges.map(({ feed, bytes, costs }) => {
    if (feed.rejected > 0) throw new Error(`${feed.rejected} orders were rejected`);
    return { nsPerOrder: median(costs.slice(1)), bytes };
  });
}

interface Exchange {
  readonly flow: GrowthFlow;
  readonly feed: Feed;
  /** What it takes of memory. */
  readonly bytes: number;
  /** Nanoseconds an order, by pass. */
  readonly costs: number[];
}

function opened(size: Size): Exchange {
  const flow = new GrowthFlow(size);
  const before = heapBytes();
  const feed = new Feed({ prelude: flow.prelude() });
  return { flow, feed, bytes: heapBytes() - before, costs: [] };
}
