import { accountId, marketId } from '@orrery/units';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addressOf, ALICE, boardGround, BOB, CAROL, DAY, HOUSE } from '../testing/board-ground.ts';
import { blockAt, dayOfBlock, Flows } from './flows.ts';
import { standings } from './scores.ts';

interface Emitted {
  readonly at: number;
  readonly taker: number;
  readonly maker: number;
  readonly volume: number;
}

const STARTS_AT = Date.UTC(2026, 10, 18, 10, 30);
/** 1 and 2 are of one hand, and 3 and 4 and 5; 6 is the house. */
const CLUSTER_OF = [0, 1, 1, 3, 3, 3, 6];
const clusterOf = (account: number): number => CLUSTER_OF[account] ?? account;

/** The rule a second time, from the trades one by one: no flows, no blocks, days by their names. */
function naive(emitted: readonly Emitted[], cap: number): ReadonlyMap<number, number> {
  const counting = emitted.filter(({ taker, maker }) => clusterOf(taker) !== clusterOf(maker));
  const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
  const values = new Map<number, number>();
  for (const account of [1, 2, 3, 4, 5, 6])
    for (const day of new Set(counting.map(({ at }) => dayOf(at)))) {
      const volumeOf = (isOne: (one: number) => boolean): number =>
        counting
          .filter(({ at }) => dayOf(at) === day)
          .reduce((sum, { taker, maker, volume }) => sum + [taker, maker].filter(isOne).length * volume, 0);
      const own = volumeOf((one) => one === account);
      const all = volumeOf((one) => clusterOf(one) === clusterOf(account));
      values.set(account, (values.get(account) ?? 0) + (all > cap ? Math.floor((own * cap) / all) : own));
    }
  return new Map([...values].filter(([, value]) => value > 0));
}

const emitted: fc.Arbitrary<Emitted> = fc
  .record({
    at: fc.integer({ min: 0, max: 60 }).map((hours) => STARTS_AT + hours * 3_600_000),
    taker: fc.integer({ min: 1, max: 6 }),
    maker: fc.integer({ min: 1, max: 6 }),
    volume: fc.nat(1_000),
  })
  .filter(({ taker, maker }) => taker !== maker);

function counted(trades: readonly Emitted[], cap: bigint | undefined): ReadonlyMap<number, number> {
  const flows = new Flows();
  for (const [index, { at, taker, maker, volume }] of trades.entries()) {
    const leg = { volume: BigInt(volume), cash: 0n, base: 0n, gift: 0n };
    flows.add({
      market: marketId(1),
      block: blockAt(at, STARTS_AT),
      taker: accountId(taker),
      maker: accountId(maker),
      trades: 1,
      quick: 0,
      lots: 1n,
      netLots: 1n,
      takerLeg: leg,
      makerLeg: leg,
      lastSeq: index,
    });
  }
  const ranked = standings('VOLUME', {
    flows: flows.all(),
    marks: new Map(),
    marketOf: () => undefined,
    clusterOf: (account) => accountId(clusterOf(account)),
    dayOf: (block) => dayOfBlock(block, STARTS_AT),
    volumeCapPerDay: cap,
    isRanked: () => true,
    isHouse: () => false,
    counterpartyFrom: 0n,
  });
  return new Map(ranked.map(({ account, value }) => [account, Number(value)]));
}

describe('[T12] F4: of one cluster and UTC day no more volume counts than the cap', () => {
  test('as a naive count of the same trades says, whenever the campaign begins', () => {
    fc.assert(
      fc.property(fc.array(emitted, { maxLength: 30 }), fc.integer({ min: 1, max: 3_000 }), (trades, cap) => {
        expect(counted(trades, BigInt(cap))).toEqual(naive(trades, cap));
      }),
      { numRuns: 300 },
    );
  });

  test('without a cap everything counts', () =>
    expect(counted([{ at: STARTS_AT, taker: 1, maker: 6, volume: 5_000_000 }], undefined).get(1)).toBe(5_000_000));
});

describe('[T12] F4: a campaign has its cap', () => {
  const ground = boardGround();
  const { trade, ranking, campaigns, reopen } = ground;

  test('applies from its creation, is published, and restarts each UTC day', async () => {
    // Of the campaigns that are made from now on: the one of this week is there already, with 1,000,000.
    ground.volumeCap = 4_000n;
    await ground.db.sql.deleteFrom('campaign_period').execute();
    await reopen();
    expect((await campaigns()).map(({ volumeCapPerDay }) => volumeCapPerDay)).toEqual(['4000', '4000']);
    await trade(ALICE, HOUSE, { hundredths: 10 });
    await trade(BOB, HOUSE, { hundredths: 4 });
    await trade(CAROL, HOUSE, { hundredths: 6 });
    expect(await ranking()).toEqual(['2: 4000 → 500', '4: 3000 → 100', '3: 2000 → 100']);
    ground.links = [BOB, CAROL].map((n) => ({ address: addressOf(n), counterparty: addressOf(0xaa) }));
    expect(await ranking()).toEqual(['2: 4000 → 500', '4: 2400 → 100', '3: 1600 → 100']);
    ground.clock.now += DAY;
    await trade(BOB, HOUSE, { hundredths: 4 });
    expect(await ranking()).toEqual(['2: 4000 → 500', '3: 3600 → 100', '4: 2400 → 100']);
  });

  test('one that was made before there were caps has none', async () => {
    await ground.db.sql.updateTable('campaign_period').set({ volume_cap: null }).execute();
    await reopen();
    expect((await campaigns()).map(({ volumeCapPerDay }) => volumeCapPerDay)).toEqual([null, null]);
    await trade(ALICE, HOUSE, { hundredths: 10 });
    expect(await ranking()).toEqual(['2: 5000 → 500']);
  });
});
