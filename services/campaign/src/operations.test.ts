import { localLeases } from '@orrery/foundation';
import { AsyncLocalStorage } from 'node:async_hooks';
import { type AccountId, type Address } from '@orrery/units';
import type { KyselyPlugin } from 'kysely';
import { BalancesView, load } from '@orrery/views';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../../exchange/src/database.ts';
import { assetByCode, registerListing } from '../../../exchange/src/listing.ts';
import { MemoryHeart } from '../../../exchange/src/testing/memory-heart.ts';
import { temporaryDatabase } from '../../../exchange/src/testing/temporary-database.ts';
import { type Campaign, type CampaignTables, migrations, openCampaign } from './index.ts';
import { noBoards } from './testing/no-boards.ts';
import { owners } from './testing/owners.ts';
import { noLuck } from './testing/lucky-chain.ts';

const DAY = 86_400_000;
const NOON = Date.UTC(2026, 10, 25, 12);
const ALICE = `0x${'1'.repeat(40)}` as Address;
const NOBODY = `0x${'2'.repeat(40)}` as Address;
const TABLES = ['campaign_claim', 'campaign_budget', 'campaign_budget_terms', 'campaign_award', 'campaign_task'] as const;

/** What calls of a test read by the connections for signing in and for changes; what timers read at the same time is not theirs. */
const mainQueries = new AsyncLocalStorage<string[]>();
const onMainPool: KyselyPlugin = {
  transformQuery({ node }) {
    if (node.kind === 'SelectQueryNode') mainQueries.getStore()?.push(JSON.stringify(node));
    return node;
  },
  transformResult: ({ result }) => Promise.resolve(result),
};

let db: Database<CampaignTables>;
let heart: MemoryHeart;
let clock: { now: number };
let campaign: Campaign;
let alice: AccountId;

beforeAll(async () => {
  db = await temporaryDatabase<CampaignTables>(migrations);
});
afterAll(() => db.close());
beforeEach(async () => {
  await empty();
  clock = { now: NOON };
  heart = new MemoryHeart(() => clock.now);
  await registerListing(heart);
  const { events } = await heart.submit({ type: 'OpenAccount', address: ALICE });
  for (const event of events) if (event.type === 'AccountOpened') alice = event.account;
  await open();
});
afterEach(() => campaign.stop());

async function empty(): Promise<void> {
  for (const table of TABLES) await db.sql.deleteFrom(table).execute();
  await db.sql.updateTable('campaign_offset').set({ seq: 0 }).execute();
}

async function open(): Promise<void> {
  campaign = await openCampaign({
    leases: localLeases(),
    heart,
    ...owners,
    db: db.sql.withPlugin(onMainPool),
    reads: db.sql,
    whitelist: { mode: 'open' },
    now: () => clock.now,
    onTrouble: (error) => {
      throw error;
    },
    faucet: { claimsPerDay: 10, amounts: [], transactionOf: () => Promise.resolve(undefined) },
    rewards: { pointsPerDay: 1_000 },
    lucky: noLuck,
    leaderboard: noBoards,
    activity: {
      activity: () => Promise.resolve({ orders: 0, volume: 0n, firstDepositAt: NOON, firstTransferAt: undefined, firstClaimAt: undefined }),
      dayActivity: () => Promise.resolve([]),
      hasTraded: () => Promise.resolve(false),
      countTraders: () => Promise.resolve(0),
    },
  });
}

const ofAlice = (body: object = {}) =>
  ({ principal: { account: alice, address: ALICE }, query: {}, body: { walletAddress: ALICE, ...body } }) as never;
const history = async () => (await campaign.handlers.task.completedTasks(ofAlice({ pageSize: 100 }))).list;
const pointsReported = async () => (await campaign.handlers.task.taskCount(ofAlice())).points;

function pointsHeld(): number {
  const balances = new BalancesView();
  const view = heart.open();
  load(view, balances);
  view.close();
  return Number(balances.get({ account: alice, wallet: 'funding', asset: assetByCode('POINTS').asset }).free);
}

const funded = () =>
  heart.history.flatMap(({ events }) => events.flatMap((event) => (event.type === 'BudgetFunded' ? [`${event.key} ${event.amount}`] : [])));

const given = { id: 'bug-17', address: ALICE, points: 300, reason: 'A bug report was accepted' };

test('lists that are paged through take no connection from those who sign in, and are counted up to a bound', async () => {
  await campaign.operations.awards.giveManual(given);
  const queries: string[] = [];
  await mainQueries.run(queries, async () => {
    expect(await history()).toHaveLength(1);
    expect(await campaign.operations.whitelist.waiting({ page: 1, size: 10 })).toEqual({ list: [], total: 0 });
    expect(await campaign.operations.appeals.list({ page: 1, size: 10 })).toEqual({ list: [], total: 0 });
  });
  expect(queries).toEqual([]);
});

describe('awards by hand', () => {
  test('F3: an order that comes again gives nothing more; the person reads the reason; it can be taken back', async () => {
    const { awards } = campaign.operations;
    await Promise.all(Array.from({ length: 10 }, () => awards.giveManual(given)));
    expect(await history()).toEqual([{ completedAt: NOON / 1_000, taskName: '{"en":"A bug report was accepted"}', reward: 300 }]);
    expect([await pointsReported(), pointsHeld()]).toEqual([300, 300]);
    await awards.reverse({ key: 'manual:bug-17', reason: 'it was a copy' });
    await awards.reverse({ key: 'manual:bug-17', reason: 'it was a copy' });
    expect((await history()).map(({ reward, taskName }) => [reward, taskName])).toEqual([
      [-300, '{"en":"Taken back: A bug report was accepted (it was a copy)"}'],
      [300, '{"en":"A bug report was accepted"}'],
    ]);
    expect([await pointsReported(), pointsHeld()]).toEqual([0, 0]);
  });

  test.each([
    ['id', { ...given, id: 'a b' }],
    ['points', { ...given, points: 0 }],
    ['points', { ...given, points: 77_778 }],
    ['points', { ...given, points: 1.5 }],
    ['reason', { ...given, reason: ' ' }],
    ['reason', { ...given, reason: 'x'.repeat(201) }],
    ['address', { ...given, address: NOBODY }],
  ])('F3: a bad %s is refused by its name, and nothing is given', async (field, order) => {
    await expect(campaign.operations.awards.giveManual(order)).rejects.toMatchObject({ data: { field } });
    expect([await history(), pointsHeld()]).toEqual([[], 0]);
  });
});

describe('budgets', () => {
  test('M10: what operators say counts from the next UTC day, over restarts', async () => {
    const { budgets } = campaign.operations;
    expect(await budgets.list()).toEqual({ pointsPerDay: 1_000, faucetClaimsPerDay: 10 });
    await budgets.change({ pointsPerDay: 5_000, faucetClaimsPerDay: 25 });
    await campaign.runDue();
    expect(funded()).toEqual(['faucet:2026-11-25 10', 'rewards:2026-11-25 1000']);
    await campaign.stop();
    await open();
    clock.now += DAY;
    await campaign.runDue();
    expect(funded().slice(2)).toEqual(['faucet:2026-11-26 15', 'rewards:2026-11-26 4000']);
    expect(await campaign.operations.budgets.list()).toEqual({ pointsPerDay: 5_000, faucetClaimsPerDay: 25 });
  });

  test.each([
    ['pointsPerDay', { pointsPerDay: -1, faucetClaimsPerDay: 1 }],
    ['pointsPerDay', { pointsPerDay: 900_000_001, faucetClaimsPerDay: 1 }],
    ['faucetClaimsPerDay', { pointsPerDay: 1, faucetClaimsPerDay: 0.5 }],
  ])('M10: a bad %s is refused by its name', async (field, terms) => {
    await expect(campaign.operations.budgets.change(terms)).rejects.toMatchObject({ data: { field } });
    expect(await campaign.operations.budgets.list()).toEqual({ pointsPerDay: 1_000, faucetClaimsPerDay: 10 });
  });
});

describe('the task catalogue', () => {
  const change = { taskCode: 'NEWCOMER_DEPOSIT', active: true, reward: 700, startsAt: null, endsAt: NOON + DAY };

  test('[T4] reward, times and activity are changed', async () => {
    const { tasks } = campaign.operations;
    await tasks.change(change);
    expect((await tasks.list()).find(({ taskCode }) => taskCode === 'NEWCOMER_DEPOSIT')).toEqual({ ...change, name: 'First deposit' });
    expect(await campaign.handlers.task.claimTask(ofAlice({ taskCode: 'NEWCOMER_DEPOSIT' }))).toMatchObject({ reward: 700 });
    await tasks.change({ ...change, active: false });
    expect((await campaign.handlers.task.taskCatalogue({} as never)).some(({ taskCode }) => taskCode === 'NEWCOMER_DEPOSIT')).toBe(false);
  });

  test.each([
    ['taskCode', { ...change, taskCode: 'NO_SUCH_TASK' }],
    ['reward', { ...change, reward: 77_778 }],
    ['reward', { ...change, reward: -1 }],
    ['startsAt', { ...change, startsAt: -1 }],
    ['endsAt', { ...change, startsAt: NOON, endsAt: NOON }],
  ])('[T4] a bad %s is refused by its name', async (field, bad) => {
    const before = await campaign.operations.tasks.list();
    await expect(campaign.operations.tasks.change(bad)).rejects.toMatchObject({ data: { field } });
    expect(await campaign.operations.tasks.list()).toEqual(before);
  });
});

test('F3: points are read again from history when the database is empty: the total is the sum, and no budget is filled twice', async () => {
  const { awards } = campaign.operations;
  await campaign.handlers.task.claimTask(ofAlice({ taskCode: 'NEWCOMER_DEPOSIT' }));
  await awards.giveManual({ ...given, points: 100 });
  await awards.giveManual({ ...given, id: 'bug-18', points: 50 });
  await awards.reverse({ key: 'manual:bug-18', reason: 'a copy' });
  const before = funded();
  await campaign.stop();
  await empty();
  await open();
  expect([await pointsReported(), pointsHeld(), funded()]).toEqual([600, 600, before]);
  expect((await history()).map(({ reward, taskName }) => `${reward} ${taskName}`).sort()).toEqual([
    '-50 {"en":"Taken back: Given by the operators"}',
    '100 {"en":"Given by the operators"}',
    '50 {"en":"Given by the operators"}',
    '500 {"en":"First deposit"}',
  ]);
  expect(await campaign.handlers.task.awardNews(ofAlice())).toEqual([]);
  await campaign.handlers.task.claimTask(ofAlice({ taskCode: 'NEWCOMER_DEPOSIT' }));
  expect(await pointsReported()).toBe(600);
  clock.now += DAY;
  await campaign.runDue();
  expect(funded().at(-1)).toBe('rewards:2026-11-26 600');
});
