import { localLeases } from '@orrery/foundation';
import type { LuckyBlock } from '@orrery/api';
import { type AccountId, type Address, accountId } from '@orrery/units';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Database } from '../../../../exchange/src/database.ts';
import { registerListing } from '../../../../exchange/src/listing.ts';
import { MemoryHeart } from '../../../../exchange/src/testing/memory-heart.ts';
import { temporaryDatabase } from '../../../../exchange/src/testing/temporary-database.ts';
import { type Campaign, type CampaignTables, migrations, openCampaign } from '../index.ts';
import { LuckyChain, noLuck, Trades } from '../testing/lucky-chain.ts';
import { noBoards } from '../testing/no-boards.ts';
import { owners } from '../testing/owners.ts';
import { MINIMUMS, paidIn } from '../testing/paid-in.ts';
import { noActivity } from '../testing/no-activity.ts';
import { WINNERS_PER_DAY } from './rule.ts';

const [MINUTE, HOUR] = [60_000, 3_600_000];
const DAY = 24 * HOUR;
/** A Monday. */
const MIDNIGHT = Date.UTC(2026, 10, 23);
const FLEET = Array.from({ length: 100 }, (_, n) => n + 1);
const [CAROL, DAVE] = [201, 202];

let db: Database<CampaignTables>;
let heart: MemoryHeart;
let clock: { now: number };
let chain: LuckyChain;
let trades: Trades;
let campaign: Campaign;
let links: { address: Address; counterparty: Address }[];
let traces: { account: AccountId; kind: 'NETWORK'; mark: string }[];
const accounts = new Map<number, AccountId>();

const addressOf = (n: number): Address => `0x${n.toString(16).padStart(40, '0')}` as Address;
const accountOf = (n: number): AccountId => accounts.get(n) ?? expect.fail(`nobody is ${n}`);
const purseOf = (n: number) => ({ address: addressOf(n), counterparty: addressOf(0xaaaa) });

beforeAll(async () => {
  db = await temporaryDatabase<CampaignTables>(migrations);
});
afterAll(() => db.close());
beforeEach(async () => {
  clock = { now: MIDNIGHT };
  chain = new LuckyChain();
  // Enough that no fleet of a test is improbable.
  chain.ordinaryBlocks = 10_000_000;
  trades = new Trades();
  links = [];
  traces = [];
  heart = new MemoryHeart(() => clock.now);
  await registerListing(heart);
  for (const table of [
    'campaign_award',
    'campaign_budget',
    'campaign_lucky_decision',
    'campaign_lucky_alarm',
    'campaign_invite',
    'campaign_period',
  ] as const)
    await db.sql.deleteFrom(table).execute();
  await db.sql.updateTable('campaign_lucky_cursor').set({ decided_id: 0, examined_id: 0, announced_at: 0 }).execute();
  for (const table of ['campaign_offset', 'campaign_flow_offset'] as const) await db.sql.updateTable(table).set({ seq: 0 }).execute();
  for (const n of [...FLEET, CAROL, DAVE]) {
    const { events } = await heart.submit({ type: 'OpenAccount', address: addressOf(n) });
    accounts.set(n, events.find((event) => event.type === 'AccountOpened')?.account ?? accountId(0));
  }
});
afterEach(() => campaign.stop());

async function open(pointsPerDay = 10_000_000): Promise<void> {
  campaign = await openCampaign({
    leases: localLeases(),
    heart,
    ...owners,
    db: db.sql,
    reads: db.sql,
    whitelist: { mode: 'open' },
    now: () => clock.now,
    onTrouble: () => undefined,
    faucet: { claimsPerDay: 1, amounts: [], transactionOf: () => Promise.resolve(undefined) },
    activity: noActivity,
    leaderboard: {
      ...noBoards,
      fundingMinimums: MINIMUMS,
      money: paidIn(
        () => links,
        (address) => accounts.get(Number.parseInt(address, 16)),
      ),
      traces: { all: () => Promise.resolve(traces) },
    },
    rewards: { pointsPerDay },
    lucky: { ...noLuck, finds: chain, trades },
  });
}

/** Everyone trades on the day and then sends what comes first in a lucky block, one after the other. */
function seal(people: readonly number[], from: number): void {
  people.forEach((n, index) => {
    trades.add({ account: accountOf(n), at: from, fee: 1n });
    chain.seal({ at: from + (index + 1) * MINUTE, first: { sender: addressOf(n) } });
  });
}

async function announceAt(now: number): Promise<void> {
  clock.now = now;
  // A run that the opening began may not have looked at this time yet.
  for (let run = 0; run < 2; run += 1) await campaign.operations.lucky.runDue();
}

/** Who was ever paid, from the ledger's own history. */
const paid = (): readonly number[] =>
  heart.history
    .flatMap(({ events }) => events)
    .flatMap((event) => (event.type === 'Awarded' ? [Number.parseInt(event.key.split(':')[2] ?? '', 16)] : []));

const decisions = async (): Promise<readonly LuckyBlock[]> =>
  (await campaign.operations.lucky.decisions({ page: 1, size: 200 })).list.toReversed();

test('[T10] F2: a fleet of a hundred addresses with one purse and one network gets one reward a day, and takes no reward from others', async () => {
  await open();
  links = FLEET.map(purseOf);
  traces = FLEET.map((n) => ({ account: accountOf(n), kind: 'NETWORK', mark: 'a cellar' }));
  seal([...FLEET, CAROL], MIDNIGHT);
  await announceAt(MIDNIGHT + 12 * HOUR);
  expect(paid()).toEqual([1, CAROL]);
  const [first, ...others] = await decisions();
  expect(first).toMatchObject({ decision: 'PAID', reason: '' });
  expect(new Set(others.slice(0, -1).map(({ decision, points, reason }) => `${decision} ${points}: ${reason}`))).toEqual(
    new Set(['REFUSED 0: another address of the same cluster was already rewarded on this day (UTC)']),
  );
  seal(FLEET.toReversed(), MIDNIGHT + DAY);
  await announceAt(MIDNIGHT + DAY + 12 * HOUR);
  expect(paid()).toEqual([1, CAROL, 100]);
});

test('[T10] F2: a fleet of twenty with nothing but one purse gets one reward; of a hot wallet with more customers each gets theirs, up to the number of a day', async () => {
  await open();
  const [fleet, customers] = [FLEET.slice(0, 20), FLEET.slice(20, 41)];
  links = [...fleet.map(purseOf), ...customers.map((n) => ({ address: addressOf(n), counterparty: addressOf(0xbbbb) }))];
  seal([...fleet, ...customers], MIDNIGHT);
  await announceAt(MIDNIGHT + 12 * HOUR);
  expect(paid()).toEqual([1, ...customers.slice(0, WINNERS_PER_DAY - 1)]);
  expect(await campaign.operations.board.commonFunders()).toEqual([{ address: addressOf(0xbbbb), accounts: 21 }]);
});

test('[T10] F2: a fleet that only its invite tree joins gets one reward, also when the announcement lies between its blocks', async () => {
  await open();
  const tree = FLEET.slice(0, 20);
  for (const n of tree.slice(1))
    await db.sql
      .insertInto('campaign_invite')
      .values({ invited: accountOf(n), inviter: accountOf(1), bound_at: MIDNIGHT })
      .execute();
  seal(tree.slice(0, 10), MIDNIGHT);
  seal(tree.slice(10), MIDNIGHT + 13 * HOUR);
  await announceAt(MIDNIGHT + 12 * HOUR);
  await announceAt(MIDNIGHT + DAY + 12 * HOUR);
  expect(paid()).toEqual([1]);
});

test('[T10] clusters are those that are found at the decision, and none that were kept', async () => {
  await open();
  seal([CAROL, DAVE], MIDNIGHT);
  clock.now = MIDNIGHT + 12 * HOUR - MINUTE;
  expect(await campaign.operations.board.clusters()).toEqual([]);
  links = [CAROL, DAVE].map(purseOf);
  await announceAt(MIDNIGHT + 12 * HOUR);
  expect(paid()).toEqual([CAROL]);
});

test('[T10] money joins a cluster also while no leaderboard campaign runs', async () => {
  await open();
  await campaign.operations.campaigns.stop('week-2026-11-23');
  seal([CAROL, DAVE], MIDNIGHT + HOUR);
  links = [CAROL, DAVE].map(purseOf);
  await announceAt(MIDNIGHT + 12 * HOUR);
  expect(paid()).toEqual([CAROL]);
});

test('D2, F2: a winner whose block the chain takes back before it is paid does not use up the day of the cluster', async () => {
  await open(1);
  links = [CAROL, DAVE].map(purseOf);
  seal([CAROL], MIDNIGHT);
  await announceAt(MIDNIGHT + 12 * HOUR);
  const [gone] = await decisions();
  expect(gone).toMatchObject({ decision: 'WAITING', reason: 'won; the points are on their way' });
  chain.takeBack(gone?.blockHash ?? '');
  seal([DAVE], MIDNIGHT + 13 * HOUR);
  await campaign.stop();
  clock.now = MIDNIGHT + DAY + 12 * HOUR;
  await open();
  await announceAt(clock.now);
  expect(paid()).toEqual([DAVE]);
});
