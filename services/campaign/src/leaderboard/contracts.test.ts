import type { AccountDirectory } from '@orrery/foundation';
import type { Applied, Event, Heart, PositionReduced, Trade } from '@orrery/protocol';
import { accountId, assetId, atoms, lots, marketId, millis, orderId, seq, ticks, tradeId } from '@orrery/units';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Database } from '../../../../exchange/src/database.ts';
import { temporaryDatabase } from '../../../../exchange/src/testing/temporary-database.ts';
import { type CampaignTables, migrations } from '../tables/tables.ts';
import { LINEAR } from '../testing/passing-week.ts';
import { FlowFollower } from './follower.ts';
import type { Periods } from './periods.ts';
import { profits } from './profits.ts';

const [ALICE, BOB, LIQUIDATOR] = [accountId(1), accountId(2), accountId(3)];
const [PERPETUAL, PRACTISED] = [marketId(11), marketId(21)];
const PRACTICE = assetId(9);
const NOW = 1_795_000_000_000;
const PERIOD = { campaignId: 'a-week', startsAt: NOW, isDecided: false };

/** Alice buys of bob. */
const trade = (market: typeof PERPETUAL, price: number, size: number): Trade => ({
  type: 'Trade',
  tradeId: tradeId(1),
  market,
  price: ticks(price),
  size: lots(size),
  notional: atoms(BigInt(price * size)),
  takerSide: 'buy',
  takerOrderId: orderId(1),
  takerAccount: ALICE,
  takerFee: atoms(1n),
  makerOrderId: orderId(2),
  makerAccount: BOB,
  makerFee: atoms(1n),
  makerRemaining: lots(0),
});

const reduced = (
  cause: PositionReduced['cause'],
  { account, isLong, price, size }: Pick<PositionReduced, 'account' | 'isLong'> & { price: number; size: number },
) =>
  ({
    type: 'PositionReduced',
    account,
    market: PERPETUAL,
    positionSide: 'both',
    isLong,
    size: lots(size),
    price: ticks(price),
    notional: atoms(BigInt(price * size)),
    releasedCost: atoms(0n),
    profit: atoms(0n),
    fee: atoms(0n),
    cause,
  }) satisfies PositionReduced;

let db: Database<CampaignTables>;
beforeAll(async () => {
  db = await temporaryDatabase<CampaignTables>(migrations);
});
afterAll(() => db.close());
beforeEach(async () => {
  await db.sql.deleteFrom('campaign_flow').execute();
  await db.sql.updateTable('campaign_flow_offset').set({ seq: 0 }).execute();
});

/** What alice and bob have at a mark of 1,000, after these facts of one command. */
async function profitsAfter(events: readonly Event[]): Promise<readonly string[]> {
  const applied: Applied = { seq: seq(1), at: millis(NOW), command: { type: 'RunTimers' }, events };
  const heart = {
    open: () => ({ seq: seq(0), facts: [{ type: 'LiquidatorSet', account: LIQUIDATOR }], close: () => undefined }),
    subscribe: async function* () {
      yield await Promise.resolve([applied]);
    },
    status: () => ({ seq: seq(1) }),
  } as unknown as Heart;
  const contracts = new Map([
    [PERPETUAL, LINEAR],
    [PRACTISED, { ...LINEAR, settle: PRACTICE }],
  ]);
  const members = {
    market: () => undefined,
    contract: (market: typeof PERPETUAL) => contracts.get(market),
    asset: (code: string) => (code === 'PRACTICE' ? { asset: PRACTICE } : { decimals: 6 }),
  } as unknown as AccountDirectory;
  const periods = { all: () => [PERIOD], runningAt: () => [PERIOD] } as unknown as Periods;
  const troubles: unknown[] = [];
  const follower = new FlowFollower({ heart, db: db.sql, members, periods, onTrouble: (error) => troubles.push(error) });
  await follower.start();
  await follower.reached(seq(1));
  await follower.stop();
  expect(troubles).toEqual([]);
  const { flows } = follower.course(PERIOD.campaignId);
  const marks = new Map([PERPETUAL, PRACTISED].map((market) => [market, ticks(1_000)]));
  const ground = {
    marks,
    marketOf: () => ({ tickLotAtoms: atoms(1n), lotAtoms: atoms(1n) }),
    clusterOf: (account: typeof ALICE) => account,
  };
  return profits({ ...ground, flows: flows.all(), isHouse: (account) => account === LIQUIDATOR, counterpartyFrom: 0n })
    .filter(({ account }) => account !== LIQUIDATOR)
    .map(({ account, value, counterparties }) => `${account}: ${value}, ${counterparties}`)
    .sort();
}

test('[T12] trades in contracts count as if their lots were bought and sold', async () =>
  expect(await profitsAfter([trade(PERPETUAL, 900, 10)])).toEqual(['1: 999, 1', '2: -1001, 1']));

test('[T12] what was taken over is held no longer, whatever the price does later', async () => {
  const lost = reduced('takeover', { account: ALICE, isLong: true, price: 800, size: 10 });
  expect(await profitsAfter([trade(PERPETUAL, 900, 10), lost])).toEqual(['1: -1001, 1', '2: -1001, 1']);
});

test('[T12] what was deleveraged left at its price, on both sides', async () => {
  const closed = [
    reduced('adl', { account: ALICE, isLong: true, price: 800, size: 10 }),
    reduced('adl', { account: BOB, isLong: false, price: 800, size: 10 }),
  ];
  expect(await profitsAfter([trade(PERPETUAL, 900, 10), ...closed])).toEqual(['1: -1001, 1', '2: 999, 1']);
});

test('[T12] a trade reduces a position by its own flow', async () => {
  const byTrade = reduced('trade', { account: BOB, isLong: false, price: 900, size: 10 });
  expect(await profitsAfter([trade(PERPETUAL, 900, 10), byTrade])).toEqual(['1: 999, 1', '2: -1001, 1']);
});

test('[T12] practice contracts count for nothing', async () => expect(await profitsAfter([trade(PRACTISED, 900, 10)])).toEqual([]));
