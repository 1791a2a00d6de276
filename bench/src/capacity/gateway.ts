/**
 * What a gateway has in memory of the heart: the replica of the engine, the views of the floor, and the readers of other services that stay open, each from a snapshot
 * and the commands after it.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { createEngine, decodeState } from '@orrery/engine';
import { DurableSeq } from '@orrery/exchange/durable-seq';
import { followMarkets } from '@orrery/exchange/follow-markets';
import { AccountDirectory } from '@orrery/foundation';
import { LiveFunds } from '@orrery/fund/live';
import { Floor } from '@orrery/gateway/floor';
import { type LeaderLink, nodeDisk, Replica } from '@orrery/sequencer';
import { atoms, lots, millis, seq, ticks } from '@orrery/units';
import { type Candle, CANDLES_KEPT } from '@orrery/views';
import type { Size } from '../engine/growth-flow.ts';
import { spentOn } from '../measure.ts';
import { ACCOUNT_COUNTS, FEW, MARKET_COUNTS, ORDER_COUNTS, ORDERS_ACCOUNTS } from './heart.ts';
import { snapshotBytes, withHistory, type WrittenHistory } from './history.ts';
import type { Kind, Readings } from './kind.ts';
import { grownSince, memoryNow, microsOf } from './memory.ts';

/** Commands after the snapshot: about as many as a busy exchange places between two. */
const AFTER_SNAPSHOT = 10_000;
const DIRECTORIES = 3;
const SETTLED_MS = 50;

const fail = (error: unknown): never => {
  throw error;
};

/** Nothing is sent: only what is followed is measured. */
const LINK: LeaderLink = {
  submit: () => Promise.reject(new Error('this gateway only follows')),
  end: () => Promise.reject(new Error('this gateway only follows')),
  nowMs: () => undefined,
  clockAheadMs: () => 0,
  unready: () => undefined,
};

/** The minutes of a market, as many as are kept of one. */
function* minutesKept(): Generator<Candle> {
  for (let minute = 0; minute < CANDLES_KEPT; minute += 1) {
    const price = ticks(1_000_000 + (minute % 1_000));
    const openTime = millis(1_780_000_000_000 + minute * 60_000);
    yield { openTime, open: price, high: price, low: price, close: price, volume: lots(1_000), quoteVolume: atoms(10n ** 9n) };
  }
}

interface OpenGateway {
  readonly replica: Replica;
  readonly floor: Floor;
}

/** @param minutes whether markets have a past */
async function openFloor(replica: Replica, minutes: boolean): Promise<Floor> {
  return Floor.open({
    heart: replica,
    marketHistory: {
      minutes: () => Promise.resolve(minutes ? minutesKept() : []),
      contractMinutes: () => Promise.resolve({ common: [], trades: [], mark: [], index: [] }),
      trades: () => Promise.resolve([]),
    },
    pastReaches: () => Promise.resolve(),
    onFailure: fail,
  });
}

const openReplica = (directory: string, end: DurableSeq): Promise<Replica> =>
  Replica.open({ directory, disk: nodeDisk, engines: { createEngine, decodeState }, end, link: LINK, onFatal: fail, log: () => undefined });

function endAt(last: number): DurableSeq {
  const end = new DurableSeq();
  end.report(seq(last));
  return end;
}

/** The readers of the other services, which stay open as long as the process. */
function openReaders(replica: Replica): readonly unknown[] {
  const directories = Array.from({ length: DIRECTORIES }, () => new AccountDirectory(replica));
  for (const directory of directories) directory.start();
  const funds = new LiveFunds(replica);
  funds.start(fail);
  return [...directories, funds, followMarkets(replica, fail)];
}

const OPEN: unknown[] = [];

async function opened({ directory, lastSeq }: WrittenHistory): Promise<Readings> {
  const before = memoryNow();
  const startedAt = performance.now();
  let replica: Replica | undefined;
  const ofReplica = await spentOn(async () => {
    replica = await openReplica(directory, endAt(lastSeq));
  });
  if (replica === undefined) throw new Error('no replica');
  const heart = replica;
  const replicaMs = performance.now() - startedAt;
  const replicaMemory = grownSince(before);
  const viewsAt = performance.now();
  const ofViews = await spentOn(async () => {
    const floor = await openFloor(heart, true);
    OPEN.push({ replica: heart, floor } satisfies OpenGateway, openReaders(heart));
    // The readers begin to follow.
    await pause(SETTLED_MS);
  });
  const readyMs = replicaMs + performance.now() - viewsAt;
  const memory = grownSince(before);
  return {
    ...memory,
    replicaHeapBytes: replicaMemory.heapBytes,
    viewsHeapBytes: memory.heapBytes - replicaMemory.heapBytes,
    processorMicros: microsOf(ofReplica) + microsOf(ofViews),
    replicaMicros: microsOf(ofReplica),
    wallMicros: readyMs * 1_000,
    snapshotBytes: snapshotBytes(directory),
  };
}

const gatewayWith = (size: Size): Promise<Readings> => withHistory(size, AFTER_SNAPSHOT, opened);

/** What it costs a gateway to follow commands of others. */
const followed = (count: number): Promise<Readings> =>
  withHistory({ resting: 1_000, accounts: 1_000, markets: 1 }, count, async ({ directory, snapshotSeq, lastSeq }) => {
    const end = endAt(snapshotSeq);
    const replica = await openReplica(directory, end);
    const floor = await openFloor(replica, false);
    OPEN.push(openReaders(replica));
    await pause(SETTLED_MS);
    const spent = await spentOn(async () => {
      end.report(seq(lastSeq));
      await floor.reached(lastSeq, 600_000);
    });
    return { processorMicros: microsOf(spent) };
  });

export const GATEWAY_KINDS: readonly Kind[] = [
  {
    name: 'gateway-account',
    per: 'account',
    about: 'an account with money in two assets, in a gateway that starts from a snapshot',
    counts: ACCOUNT_COUNTS,
    measure: (accounts) => gatewayWith({ ...FEW, accounts }),
  },
  {
    name: 'gateway-order',
    per: 'resting order',
    about: 'a resting order in a gateway that starts from a snapshot',
    counts: ORDER_COUNTS,
    measure: (resting) => gatewayWith({ ...FEW, resting, accounts: ORDERS_ACCOUNTS }),
  },
  {
    name: 'gateway-market',
    per: 'market',
    about: 'a spot market with 45,000 minutes in a gateway',
    counts: MARKET_COUNTS,
    measure: (markets) => gatewayWith({ ...FEW, markets }),
  },
  {
    name: 'gateway-flow',
    per: 'command',
    about: 'an order or cancel of others, followed by a gateway',
    counts: [4_000, 40_000, 400_000],
    measure: followed,
  },
];
