/** The engine as the heart has it, with accounts, resting orders or markets. */
import { GrowthFlow, type Size } from '../engine/growth-flow.ts';
import { Feed, pack } from '../engine/order-stream.ts';
import { spent } from '../measure.ts';
import type { Kind, Readings } from './kind.ts';
import { grownSince, memoryNow, microsOf } from './memory.ts';

/** What stays as it is while something else grows. */
export const FEW: Size = { resting: 10, accounts: 10, markets: 1 };
/** An account has a thousand open orders of a market at most: enough accounts for a million. */
export const ORDERS_ACCOUNTS = 2_000;
export const ACCOUNT_COUNTS = [1_000, 10_000, 100_000, 1_000_000];
export const ORDER_COUNTS = [1_000, 10_000, 100_000, 1_000_000];
/** Ids of assets end at 255, and two markets share a base: 500 markets are the most. */
export const MARKET_COUNTS = [1, 10, 100, 500];

const heartWith = (size: Size): Readings => {
  const flow = new GrowthFlow(size);
  const before = memoryNow();
  let feed: Feed | undefined;
  const opened = spent(() => {
    feed = new Feed({ prelude: flow.prelude() });
  });
  const memory = grownSince(before);
  let stateBytes = 0;
  const encoded = spent(() => {
    stateBytes = feed?.engine.encodeState().length ?? 0;
  });
  return { ...memory, openMicros: microsOf(opened), stateBytes, encodeMicros: microsOf(encoded) };
};

/** Orders through the engine: four commands, of which one rests, one cancels and two trade. */
function ordersThrough(count: number): Readings {
  const flow = new GrowthFlow({ resting: 1_000, accounts: 1_000, markets: 1 });
  const feed = new Feed({ prelude: flow.prelude() });
  const packed = pack(flow.orders(count));
  return { processorMicros: microsOf(spent(() => feed.take(packed))), journalBytes: packed.bytes.length };
}

export const HEART_KINDS: readonly Kind[] = [
  {
    name: 'heart-account',
    per: 'account',
    about: 'an account with money in two assets, in the engine',
    counts: ACCOUNT_COUNTS,
    measure: (accounts) => heartWith({ ...FEW, accounts }),
  },
  {
    name: 'heart-order',
    per: 'resting order',
    about: 'a resting order in the engine',
    counts: ORDER_COUNTS,
    measure: (resting) => heartWith({ ...FEW, resting, accounts: ORDERS_ACCOUNTS }),
  },
  {
    name: 'heart-market',
    per: 'market',
    about: 'a spot market in the engine, and a balance of its coin for each of ten accounts',
    counts: MARKET_COUNTS,
    measure: (markets) => heartWith({ ...FEW, markets }),
  },
  {
    name: 'heart-flow',
    per: 'command',
    about: 'an order or cancel through the engine: decode, apply, encode its events',
    counts: [4_000, 40_000, 400_000, 4_000_000],
    measure: ordersThrough,
  },
];
