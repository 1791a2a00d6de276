import { localLeases } from '@orrery/foundation';
import type { Principal, TaskItem } from '@orrery/api';
import { type AccountId, type Address, millis } from '@orrery/units';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../../../exchange/src/database.ts';
import { registerListing } from '../../../../exchange/src/listing.ts';
import { MemoryHeart } from '../../../../exchange/src/testing/memory-heart.ts';
import { temporaryDatabase } from '../../../../exchange/src/testing/temporary-database.ts';
import { type Campaign, type CampaignTables, migrations, openCampaign } from '../index.ts';
import { noLuck } from '../testing/lucky-chain.ts';
import { noBoards } from '../testing/no-boards.ts';
import { NO_CONTRACTS } from '../testing/no-activity.ts';
import { owners } from '../testing/owners.ts';
import { MINIMUMS, paidIn } from '../testing/paid-in.ts';
import type { DayActivity, Activity } from './activity.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const USDC = 1_000_000n;
/** A Wednesday. */
const NOON = Date.UTC(2026, 10, 25, 12);

let db: Database<CampaignTables>;
let heart: MemoryHeart;
let clock: { now: number };
let campaign: Campaign;
let activity: Activity;
/** What was done on which UTC day, by its 00:00. */
let days: Map<number, Partial<Omit<DayActivity, 'account' | 'dayAt'>> & Pick<DayActivity, 'orders' | 'trades' | 'volume'>>;
/** What others did. */
let othersDays: DayActivity[];
let links: { address: Address; counterparty: Address }[];
/** Who traded with whom, by account. */
let traded: Map<number, number[]>;
/** Trades for a fee, with whom and how much. */
let trades: { accounts: readonly [AccountId, AccountId]; dayAt: number; volume: bigint }[];
let people: AccountId[];

beforeAll(async () => {
  db = await temporaryDatabase<CampaignTables>(migrations);
});
afterAll(() => db.close());
beforeEach(async () => {
  const tables = [
    'campaign_whitelist',
    'campaign_expansion',
    'campaign_claim',
    'campaign_budget',
    'campaign_award',
    'campaign_task',
    'campaign_invite',
    'campaign_invite_code',
    'campaign_withheld',
    'campaign_apart',
  ] as const;
  for (const table of tables) await db.sql.deleteFrom(table).execute();
  await db.sql.updateTable('campaign_offset').set({ seq: 0 }).execute();
  clock = { now: NOON };
  activity = { orders: 0, volume: 0n, firstDepositAt: undefined, firstTransferAt: undefined, firstClaimAt: undefined };
  days = new Map();
  othersDays = [];
  links = [];
  traded = new Map();
  trades = [];
  heart = new MemoryHeart(() => clock.now);
  await registerListing(heart);
  people = [];
  for (let n = 1; n <= 4; n++) {
    const { events } = await heart.submit({ type: 'OpenAccount', address: addressOf(n) });
    for (const event of events) if (event.type === 'AccountOpened') people.push(event.account);
  }
  await open();
});
afterEach(() => campaign.stop());

async function open(pointsPerDay = 100_000): Promise<void> {
  campaign = await openCampaign({
    leases: localLeases(),
    heart,
    ...owners,
    db: db.sql,
    reads: db.sql,
    whitelist: { mode: 'open' },
    now: () => clock.now,
    onTrouble: (error) => {
      throw error;
    },
    faucet: { claimsPerDay: 10, amounts: [], transactionOf: () => Promise.resolve(undefined) },
    rewards: { pointsPerDay },
    lucky: noLuck,
    leaderboard: {
      ...noBoards,
      fundingMinimums: MINIMUMS,
      money: paidIn(
        () => links,
        (address) => people[Number.parseInt(address, 16) - 1],
      ),
    },
    activity: {
      activity: () => Promise.resolve(activity),
      dayActivity: ({ accounts, from, until }) => {
        const own = [...days].map(([dayAt, activity]) => ({ account: people[0] as AccountId, dayAt, ...NO_CONTRACTS, ...activity }));
        return Promise.resolve(
          [...own, ...othersDays, ...tradesBeside(accounts)].filter(
            ({ account, dayAt }) => accounts.includes(account) && dayAt > from - DAY && dayAt <= until,
          ),
        );
      },
      hasTraded: (account) => Promise.resolve(traded.has(account)),
      countTraders: ({ accounts, except }) =>
        Promise.resolve(
          accounts.filter((account) => traded.get(account)?.some((other) => !except.includes(other as AccountId)) === true).length,
        ),
    },
  });
}

/** Of each account the trades with somebody who is none of `accounts`. */
const tradesBeside = (accounts: readonly AccountId[]): DayActivity[] =>
  trades
    .filter(({ accounts: [one, other] }) => !accounts.includes(one) || !accounts.includes(other))
    .flatMap(({ accounts: both, dayAt, volume }) =>
      both.map((account) => ({ account, dayAt, orders: 0, trades: 1, volume, ...NO_CONTRACTS })),
    );

const addressOf = (n: number): Address => `0x${n.toString(16).padStart(40, '0')}` as Address;

const principalOf = (n: number): Principal => ({
  account: people[n - 1] as AccountId,
  address: addressOf(n),
  via: 'session',
  credential: 's',
  permission: 'TRADE',
  tier: 'standard',
  endsAt: millis(0),
});

/** A handler's call by person `n`, about the first one's things. */
const by = (n: number, body: object = {}) =>
  call({ principal: principalOf(n), body: { walletAddress: addressOf(1), ...body }, caller: { origin: 'http://here' } });
const call = (parts: object) => ({ query: {}, ...parts }) as never;

async function refusalOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'none',
    (error: unknown) => (error instanceof Error && 'data' in error ? (error.data as { reason: string }).reason : String(error)),
  );
}

const list = (): Promise<TaskItem[]> => campaign.handlers.task.taskList(by(1)) as Promise<TaskItem[]>;
const claim = async (taskCode: string): Promise<string> =>
  refusalOf(Promise.resolve(campaign.handlers.task.claimTask(by(1, { taskCode }))));
const taskOf = async (code: string): Promise<TaskItem | undefined> => (await list()).find(({ taskCode }) => taskCode === code);
const statusOf = async (code: string): Promise<number | undefined> => (await taskOf(code))?.status;

describe('tasks', () => {
  test('[T4] are computed from the history of the account, with their reward and progress', async () => {
    activity = { ...activity, orders: 12, volume: 12_345_600_000n, firstDepositAt: NOON };
    days.set(NOON - 12 * HOUR, { orders: 12, trades: 3, volume: 12_345_600_000n });
    const items = await list();
    expect(
      items.map(({ taskCode, progress, goal, unit, status, reward }) => [taskCode, `${progress}/${goal} ${unit}`, status, reward]),
    ).toEqual([
      ['ACTIVITY_LUCKY_BLOCK', '0/1 TIMES', 0, 77_777],
      ['ACTIVITY_LEADERBOARD_CAMPAIGN', '0/1 TIMES', 0, 0],
      ['NEWCOMER_FAUCET', '0/1 TIMES', 0, 500],
      ['NEWCOMER_DEPOSIT', '1/1 TIMES', 1, 500],
      ['NEWCOMER_TRANSFER', '0/1 TIMES', 0, 300],
      ['NEWCOMER_ORDER', '12/1 ORDERS', 1, 500],
      ['NEWCOMER_TRADE', '3/1 TIMES', 1, 1_000],
      ['DAILY_TRADE', '3/1 TIMES', 1, 200],
      ['WEEKLY_VOLUME_50K', '12345.6/50000 USDC', 0, 1_000],
      ['ORDERS_10', '12/10 ORDERS', 1, 500],
      ['ORDERS_100', '12/100 ORDERS', 0, 2_000],
      ['VOLUME_10K', '12345.6/10000 USDC', 1, 1_000],
      ['VOLUME_100K', '12345.6/100000 USDC', 0, 3_000],
      ['VOLUME_1M', '12345.6/1000000 USDC', 0, 10_000],
      ['FUTURES_ORDER', '0/1 ORDERS', 0, 500],
      ['FUTURES_TRADE', '0/1 TIMES', 0, 1_000],
      ['FUTURES_DAILY_TRADE', '0/1 TIMES', 0, 200],
      ['FUTURES_VOLUME_100K', '0/100000 USDC', 0, 1_000],
      ['FUTURES_VOLUME_1M', '0/1000000 USDC', 0, 3_000],
      ['INVITE_1', '0/1 TIMES', 0, 1_000],
      ['INVITE_5', '0/5 TIMES', 0, 5_000],
    ]);
    const { task } = campaign.handlers;
    expect(await task.taskStatus(by(1))).toEqual(items.map(({ taskCode, status }) => ({ taskCode, status })));
    expect(await task.taskCount(by(1))).toEqual({ points: 0, completed: 6, orders: 12, volume: '12345.6' });
    const offers = await task.taskCatalogue(call({}));
    expect(items).toEqual(offers.map((offer, index) => ({ ...offer, status: items[index]?.status, progress: items[index]?.progress })));
    expect(offers.every((offer) => !('status' in offer))).toBe(true);
    expect(JSON.parse(offers[3]?.taskName ?? '')).toEqual({ en: 'First deposit' });
  });

  test('[T4] the reward of a task that is done is given once, stands in the history and is news until it is seen', async () => {
    expect(await claim('NEWCOMER_DEPOSIT')).toBe('NotQualified');
    expect(await claim('NO_SUCH_TASK')).toBe('UnknownThing');
    activity = { ...activity, firstDepositAt: NOON };
    expect(await Promise.all(Array.from({ length: 50 }, () => claim('NEWCOMER_DEPOSIT')))).toEqual(
      Array.from({ length: 50 }, () => 'none'),
    );
    expect(await statusOf('NEWCOMER_DEPOSIT')).toBe(2);
    const { task } = campaign.handlers;
    expect(await task.claimTask(by(1, { taskCode: 'NEWCOMER_DEPOSIT' }))).toEqual({ taskCode: 'NEWCOMER_DEPOSIT', reward: 500 });
    expect((await task.taskCount(by(1))).points).toBe(500);
    expect(await task.completedTasks(by(1))).toEqual({
      list: [{ completedAt: NOON / 1_000, taskName: '{"en":"First deposit"}', reward: 500 }],
      total: 1,
    });
    expect(await task.completedTasks(by(1, { page: 2, pageSize: 10 }))).toEqual({ list: [], total: 1 });
    const awardId = `task:NEWCOMER_DEPOSIT:ONCE:${addressOf(1)}`;
    expect(await task.awardNews(by(1))).toEqual([{ awardId, kind: 'TASK', points: 500, title: '{"en":"First deposit"}', at: NOON }]);
    expect(await task.awardSeen(by(1, { awardId }))).toBe(true);
    expect(await task.awardNews(by(1))).toEqual([]);
  });

  test('[T4] a task of the day counts from 00:00 UTC and brings its reward each day; one of the week from Monday', async () => {
    days.set(NOON - 12 * HOUR, { orders: 1, trades: 1, volume: 30_000n * USDC });
    expect([await claim('DAILY_TRADE'), await claim('DAILY_TRADE'), await statusOf('DAILY_TRADE')]).toEqual(['none', 'none', 2]);
    clock.now = NOON + 12 * HOUR - 1;
    expect(await statusOf('DAILY_TRADE')).toBe(2);
    clock.now += 1;
    expect([await statusOf('DAILY_TRADE'), await claim('DAILY_TRADE')]).toEqual([0, 'NotQualified']);
    days.set(clock.now, { orders: 1, trades: 1, volume: 20_000n * USDC });
    expect(await claim('DAILY_TRADE')).toBe('none');
    expect((await campaign.handlers.task.taskCount(by(1))).points).toBe(400);

    expect(await taskOf('WEEKLY_VOLUME_50K')).toMatchObject({ status: 1, progress: '50000' });
    expect(await claim('WEEKLY_VOLUME_50K')).toBe('none');
    const monday = Date.UTC(2026, 10, 30);
    clock.now = monday - 1;
    expect(await statusOf('WEEKLY_VOLUME_50K')).toBe(2);
    clock.now = monday;
    expect(await taskOf('WEEKLY_VOLUME_50K')).toMatchObject({ status: 0, progress: '0' });
  });

  test('F4: of one UTC day 50 orders and 100,000 USDC count, of all accounts of one cluster together', async () => {
    const [, bob, carol] = people as [AccountId, AccountId, AccountId];
    const today = NOON - 12 * HOUR;
    days.set(today - DAY, { orders: 120, trades: 1, volume: 300_000n * USDC });
    days.set(today, { orders: 30, trades: 1, volume: 60_000n * USDC });
    expect([(await taskOf('ORDERS_100'))?.progress, (await taskOf('VOLUME_1M'))?.progress]).toEqual(['80', '160000']);
    expect(await taskOf('ORDERS_100')).toMatchObject({ dayCap: '50' });
    othersDays = [
      { account: bob, dayAt: today, orders: 90, trades: 0, volume: 120_000n * USDC, ...NO_CONTRACTS },
      { account: carol, dayAt: today, orders: 1_000, trades: 0, volume: 0n, ...NO_CONTRACTS },
    ];
    expect((await taskOf('ORDERS_100'))?.progress).toBe('80');
    links = [1, 2].map((n) => ({ address: addressOf(n), counterparty: addressOf(0xaa) }));
    clock.now += 11 * 60_000;
    // A quarter of the orders, a third of the volume.
    expect([(await taskOf('ORDERS_100'))?.progress, (await taskOf('VOLUME_1M'))?.progress]).toEqual(['62', '133333.333333']);
  });

  test('[F7] tasks of contracts are of the same catalogue, and count by the same rules: by the day, and up to the cap of a cluster', async () => {
    const [, bob] = people as [AccountId, AccountId];
    const today = NOON - 12 * HOUR;
    const spotOnly = { orders: 5, trades: 5, volume: 9_000_000n * USDC };
    days.set(today - DAY, spotOnly);
    expect(await Promise.all(['FUTURES_ORDER', 'FUTURES_TRADE', 'FUTURES_DAILY_TRADE'].map(statusOf))).toEqual([0, 0, 0]);
    expect((await taskOf('FUTURES_VOLUME_1M'))?.progress).toBe('0');
    days.set(today - DAY, { ...spotOnly, contractOrders: 1, contractTrades: 2, contractVolume: 600_000n * USDC });
    expect(await Promise.all(['FUTURES_ORDER', 'FUTURES_TRADE', 'FUTURES_DAILY_TRADE'].map(statusOf))).toEqual([1, 1, 0]);
    expect(await taskOf('FUTURES_VOLUME_1M')).toMatchObject({ progress: '500000', dayCap: '500000', goal: '1000000' });
    days.set(today, { orders: 0, trades: 0, volume: 0n, contractOrders: 0, contractTrades: 1, contractVolume: 300_000n * USDC });
    expect(await statusOf('FUTURES_DAILY_TRADE')).toBe(1);
    expect(await claim('FUTURES_DAILY_TRADE')).toBe('none');
    expect(await statusOf('FUTURES_DAILY_TRADE')).toBe(2);
    // Of one cluster: of 300,000 and 700,000 a half counts each.
    othersDays = [
      {
        account: bob,
        dayAt: today,
        orders: 0,
        trades: 0,
        volume: 0n,
        contractOrders: 0,
        contractTrades: 1,
        contractVolume: 700_000n * USDC,
      },
    ];
    links = [1, 2].map((n) => ({ address: addressOf(n), counterparty: addressOf(0xaa) }));
    clock.now += 11 * 60_000;
    expect((await taskOf('FUTURES_VOLUME_1M'))?.progress).toBe('650000');
  });

  test('[F7] activities, lottery and rewards answer to clients of futures with the data of the campaign', async () => {
    const { futuresActivities, futuresLottery, futuresRewards } = campaign.handlers.futuresCampaign;
    const activities = await futuresActivities(call({}));
    expect(activities.map(({ activityCode, activityType, reward }) => [activityCode, activityType, reward]).slice(0, 3)).toEqual([
      ['ACTIVITY_LUCKY_BLOCK', 'LOTTERY', 77_777],
      ['FUTURES_ORDER', 'TASK', 500],
      ['FUTURES_TRADE', 'TASK', 1_000],
    ]);
    const { leaderboardCampaigns } = campaign.handlers.leaderboard;
    const open = (await leaderboardCampaigns(call({}))).filter(({ state }) => state === 'RUNNING' || state === 'UPCOMING');
    expect(activities.filter(({ activityType }) => activityType === 'LEADERBOARD').map(({ activityCode }) => activityCode)).toEqual(
      open.map(({ campaignId }) => campaignId),
    );
    expect(open.length).toBeGreaterThan(0);
    expect(activities.some(({ activityCode }) => activityCode === 'NEWCOMER_ORDER')).toBe(false);
    days.set(NOON - 12 * HOUR, { orders: 0, trades: 0, volume: 0n, contractOrders: 1 });
    expect(await claim('FUTURES_ORDER')).toBe('none');
    const mine = call({ principal: principalOf(1) });
    expect(await futuresRewards(mine)).toEqual({
      list: [{ completedAt: NOON / 1_000, taskName: '{"en":"First futures order"}', reward: 500 }],
      total: 1,
    });
    expect(await futuresRewards(call({ principal: principalOf(2) }))).toEqual({ list: [], total: 0 });
    expect(await futuresLottery(mine)).toEqual({ list: [], total: 0 });
  });

  test('points for trading with oneself: what a cluster trades inside itself counts for no task, what it trades with strangers counts', async () => {
    const [alice, bob, carol] = people as [AccountId, AccountId, AccountId];
    const today = NOON - 12 * HOUR;
    const codes = ['NEWCOMER_TRADE', 'DAILY_TRADE', 'WEEKLY_VOLUME_50K', 'VOLUME_10K', 'INVITE_1'];
    const claims = async (n: number) => {
      const claimBy = (taskCode: string) =>
        campaign.handlers.task.claimTask(call({ principal: principalOf(n), body: { walletAddress: addressOf(n), taskCode }, caller: {} }));
      return Promise.all(codes.map((code) => refusalOf(Promise.resolve(claimBy(code)))));
    };
    links = [1, 2].map((n) => ({ address: addressOf(n), counterparty: addressOf(0xaa) }));
    const { inviteCode } = await campaign.handlers.invite.inviteInfo(by(1));
    await campaign.handlers.invite.bindInvite(by(2, { inviteCode }));
    trades = [{ accounts: [alice, bob], dayAt: today, volume: 60_000n * USDC }];
    traded = new Map([
      [alice, [bob]],
      [bob, [alice]],
    ]);
    for (const n of [1, 2]) expect(await claims(n)).toEqual(codes.map(() => 'NotQualified'));
    expect((await taskOf('VOLUME_10K'))?.progress).toBe('0');

    trades.push({ accounts: [carol, bob], dayAt: today, volume: 50_000n * USDC });
    traded.set(bob, [alice, carol]);
    expect(await claims(1)).toEqual(['NotQualified', 'NotQualified', 'NotQualified', 'NotQualified', 'none']);
    expect(await claims(2)).toEqual(['none', 'none', 'none', 'none', 'NotQualified']);
  });

  test('points for trading with oneself: a claim goes by the clusters of this moment, not by those of some minutes ago', async () => {
    const [alice, bob] = people as [AccountId, AccountId];
    expect(await statusOf('NEWCOMER_TRADE')).toBe(0);
    trades = [{ accounts: [alice, bob], dayAt: NOON - 12 * HOUR, volume: 60_000n * USDC }];
    links = [1, 2].map((n) => ({ address: addressOf(n), counterparty: addressOf(0xaa) }));
    expect(await statusOf('NEWCOMER_TRADE')).toBe(1);
    expect(await claim('NEWCOMER_TRADE')).toBe('NotQualified');
    expect(await statusOf('NEWCOMER_TRADE')).toBe(0);
  });

  test('points for trading with oneself: a ring of a campaign that is decided stays one, unless an appeal was accepted', async () => {
    const [alice, bob] = people as [AccountId, AccountId];
    trades = [{ accounts: [alice, bob], dayAt: NOON - 12 * HOUR, volume: 60_000n * USDC }];
    await db.sql
      .insertInto('campaign_withheld')
      .values([alice, bob].map((account) => ({ campaign_id: 'last-week', account, root: alice, evidence: '["TRADING"]' })))
      .execute();
    expect(await claim('VOLUME_10K')).toBe('NotQualified');
    await db.sql
      .insertInto('campaign_apart')
      .values([alice, bob].map((account) => ({ appeal_id: 1, account })))
      .execute();
    expect(await claim('VOLUME_10K')).toBe('none');
  });

  test('[T4] a task that is switched off or over is not listed; one that has not begun is listed, cannot be claimed and counts from its day', async () => {
    days.set(NOON - 12 * HOUR, { orders: 20, trades: 0, volume: 0n });
    const change = (values: object) => db.sql.updateTable('campaign_task').set(values).where('code', '=', 'ORDERS_10').execute();
    await change({ active: false });
    expect([await statusOf('ORDERS_10'), await claim('ORDERS_10')]).toEqual([undefined, 'NotQualified']);
    await change({ active: true, ends_at: clock.now });
    expect([await statusOf('ORDERS_10'), await claim('ORDERS_10')]).toEqual([undefined, 'NotQualified']);
    await change({ ends_at: null, starts_at: NOON + DAY });
    expect(await taskOf('ORDERS_10')).toMatchObject({ status: 0, progress: '0', startsAt: NOON + DAY });
    expect(await claim('ORDERS_10')).toBe('NotQualified');
    await change({ starts_at: NOON, ends_at: NOON + 1 });
    expect([await statusOf('ORDERS_10'), await claim('ORDERS_10')]).toEqual([1, 'none']);
  });

  test('[T4] what operators have changed stays over a restart', async () => {
    await db.sql.updateTable('campaign_task').set({ reward: 50, active: false, goal: 999 }).where('code', '=', 'ORDERS_10').execute();
    await campaign.stop();
    await open();
    const row = await db.sql.selectFrom('campaign_task').select(['reward', 'active', 'goal']).where('code', '=', 'ORDERS_10').execute();
    expect(row).toEqual([{ reward: 50, active: false, goal: 10 }]);
  });

  test('M10: an empty budget refuses politely, and the reward waits', async () => {
    await campaign.stop();
    await open(100);
    // The day was filled before: a new one begins with less.
    clock.now += DAY;
    await campaign.runDue();
    activity = { ...activity, firstDepositAt: NOON };
    await drain();
    await expect(campaign.handlers.task.claimTask(by(1, { taskCode: 'NEWCOMER_DEPOSIT' }))).rejects.toThrow(
      "today's rewards are all given: come back after 00:00 UTC",
    );
    expect(await statusOf('NEWCOMER_DEPOSIT')).toBe(1);
  });

  test("[T4] another's address is refused in every call", async () => {
    const { task } = campaign.handlers;
    const handlers = [task.taskStatus, task.taskList, task.taskCount, task.completedTasks, task.claimTask, task.awardNews, task.awardSeen];
    for (const handler of handlers) {
      expect(await refusalOf(Promise.resolve().then(() => (handler as (call: never) => unknown)(by(2))))).toBe('NotYours');
    }
  });

  /** Gives the budget away to another account. */
  async function drain(): Promise<void> {
    for (let n = 0; ; n++) {
      const { events } = await heart.submit({
        type: 'AwardFromBudget',
        key: `drain-${n}`,
        budget: 'rewards',
        account: people[3] as AccountId,
        asset: 7 as never,
        amount: 10_000n as never,
      });
      if (events.some((event) => event.type === 'CommandRejected')) return;
    }
  }
});

describe('invitations', () => {
  const infoOf = (n: number) => campaign.handlers.invite.inviteInfo(by(n));
  const bind = async (n: number, inviteCode: string) =>
    refusalOf(Promise.resolve(campaign.handlers.invite.bindInvite(by(n, { inviteCode }))));

  test('[T4] one is invited once, before the first trade, never by oneself and never in a ring', async () => {
    const codes = await Promise.all([1, 2, 3, 4].map(async (n) => (await infoOf(n)).inviteCode));
    const [alice = '', bob = '', carol = ''] = codes;
    expect(await infoOf(1)).toEqual({ inviteCode: alice, inviteUrl: `http://here/register?inviteCode=${alice}`, invited: 0, reward: 0 });
    expect(new Set(codes).size).toBe(4);
    expect(await bind(2, 'AAAAAAAA')).toBe('UnknownThing');
    expect(await bind(1, alice)).toBe('InviteRefused');
    expect(await bind(2, alice)).toBe('none');
    await expect(campaign.handlers.invite.bindInvite(by(2, { inviteCode: carol }))).rejects.toThrow('you have taken an invitation before');
    expect(await bind(3, bob)).toBe('none');
    await expect(campaign.handlers.invite.bindInvite(by(1, { inviteCode: carol }))).rejects.toThrow(
      'you have invited this person yourself',
    );
    traded.set(people[3] as number, [1]);
    await expect(campaign.handlers.invite.bindInvite(by(4, { inviteCode: alice }))).rejects.toThrow('before the first trade');
    expect([(await infoOf(1)).invited, (await infoOf(2)).invited]).toEqual([1, 1]);
  });

  test('[A6] who came by an invitation is listed by page, newest first, with as much of each address as a friend recognises', async () => {
    const listOf = (n: number, page: number) =>
      campaign.handlers.invite.invitedList(call({ principal: principalOf(n), query: { page, pageSize: 10 } }));
    const { inviteCode } = await infoOf(1);
    expect(await listOf(1, 1)).toEqual({ items: [], total: 0 });
    await bind(2, inviteCode);
    await bind(3, inviteCode);
    traded.set(people[1] as number, [people[3] as number]);
    const { items, total } = await listOf(1, 1);
    expect(total).toBe(2);
    expect(items.map(({ hasTraded }) => hasTraded)).toEqual([false, true]);
    for (const { address } of items) expect(address).toMatch(/^0x[0-9a-fA-F]{4}…[0-9a-fA-F]{4}$/);
    expect(await listOf(1, 2)).toEqual({ items: [], total: 2 });
    expect(await listOf(2, 1)).toEqual({ items: [], total: 0 });
  });

  test('[A6] the link of an account, and the invitation by which it came, with as much of the address as a friend recognises', async () => {
    const { invitations, inviteUrl } = campaign.handlers.invite;
    const { inviteCode, inviteUrl: link } = await infoOf(1);
    expect(await inviteUrl(by(1))).toEqual({ inviteUrl: link });
    expect(await invitations(by(2))).toEqual({ items: [], total: 0 });
    await bind(2, inviteCode);
    const { items, total } = await invitations(by(2));
    expect([total, items.map(({ address }) => /^0x[0-9a-fA-F]{4}…[0-9a-fA-F]{4}$/.test(address))]).toEqual([1, [true]]);
    expect(await invitations(by(1))).toEqual({ items: [], total: 0 });
  });

  test('[T4] two who invite each other at once do not close a ring', async () => {
    const [alice, bob] = [(await infoOf(1)).inviteCode, (await infoOf(2)).inviteCode];
    expect((await Promise.all([bind(1, bob), bind(2, alice)])).sort()).toEqual(['InviteRefused', 'none']);
  });

  test('F4: the reward comes when the invited has traded with others than the one who invited', async () => {
    const { inviteCode } = await infoOf(1);
    await bind(2, inviteCode);
    expect([await statusOf('INVITE_1'), await claim('INVITE_1')]).toEqual([0, 'NotQualified']);
    traded.set(people[1] as number, [people[0] as number]);
    expect(await statusOf('INVITE_1')).toBe(0);
    traded.set(people[1] as number, [people[0] as number, people[2] as number]);
    expect([await claim('INVITE_1'), await claim('INVITE_1'), await claim('INVITE_5')]).toEqual(['none', 'none', 'NotQualified']);
    expect(await infoOf(1)).toMatchObject({ invited: 1, reward: 1_000 });
    const { inviteRewards, inviteCount } = campaign.handlers.invite;
    const rewardsOf = (n: number) => inviteRewards(call({ principal: principalOf(n), query: { page: 1, pageSize: 10 } }));
    expect(await rewardsOf(1)).toMatchObject({ items: [{ reward: 1_000 }], total: 1, rewardAmount: 1_000 });
    expect(await rewardsOf(2)).toEqual({ items: [], total: 0, rewardAmount: 0 });
    expect(await inviteCount(by(1))).toEqual({ count: 1 });
  });
});
