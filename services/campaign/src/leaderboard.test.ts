import { ApiError, type Principal } from '@orrery/api';
import { type AccountId, type Address, assetId, atoms, lots, marketId, millis, ppm, ticks } from '@orrery/units';
import { BalancesView, load } from '@orrery/views';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../../exchange/src/database.ts';
import { assetByCode, registerListing } from '../../../exchange/src/listing.ts';
import { MemoryHeart } from '../../../exchange/src/testing/memory-heart.ts';
import { temporaryDatabase } from '../../../exchange/src/testing/temporary-database.ts';
import { Awards } from './awards.ts';
import { type Leaderboard, openLeaderboard } from './leaderboard.ts';
import { lastMonday } from './leaderboard-periods.ts';
import { Members } from './members.ts';
import { type CampaignTables, migrations } from './tables.ts';

const [SECOND, MINUTE, DAY] = [1_000, 60_000, 86_400_000];
const WEEK = 7 * DAY;
/** A Wednesday. */
const NOW = Date.UTC(2026, 10, 18, 10);
const THIS_WEEK = 'week-2026-11-16';
const BTC = marketId(1);
const PRICE = 500_000;
const [HOUSE, ALICE, BOB, CAROL, DAVE] = [1, 2, 3, 4, 5];
const TABLES = [
  'campaign_period',
  'campaign_flow',
  'campaign_mark',
  'campaign_result',
  'campaign_award',
  'campaign_budget',
  'campaign_invite',
] as const;

let db: Database<CampaignTables>;
let heart: MemoryHeart;
let members: Members;
let clock: { now: number };
let board: Leaderboard;
let awards: Awards;
let links: { address: Address; counterparty: Address }[];
let troubles: string[];
const accounts = new Map<number, AccountId>();

const addressOf = (n: number): Address => `0x${n.toString(16).padStart(40, '0')}` as Address;
const accountOf = (n: number): AccountId => accounts.get(n) ?? expect.fail(`nobody is ${n}`);

beforeAll(async () => {
  db = await temporaryDatabase<CampaignTables>(migrations);
});
afterAll(() => db.close());
beforeEach(async () => {
  for (const table of TABLES) await db.sql.deleteFrom(table).execute();
  await db.sql.updateTable('campaign_flow_offset').set({ seq: 0 }).execute();
  clock = { now: NOW };
  links = [];
  troubles = [];
  heart = new MemoryHeart(() => clock.now);
  await registerListing(heart);
  await heart.submit({ type: 'SetIndexPrice', market: BTC, price: ticks(PRICE) });
  for (const n of [HOUSE, ALICE, BOB, CAROL, DAVE]) await admit(n);
  members = new Members({ heart, onOpened: () => undefined });
  members.start();
  await open();
});
afterEach(async () => {
  await board.stop();
  await members.stop();
  expect(troubles).toEqual([]);
});

async function admit(n: number): Promise<void> {
  const { events } = await heart.submit({ type: 'OpenAccount', address: addressOf(n) });
  const opened = events.find((event) => event.type === 'AccountOpened');
  const account = opened?.account ?? expect.fail('no account was opened');
  accounts.set(n, account);
  for (const flag of ['termsAccepted', 'whitelisted', 'connected'] as const)
    await heart.submit({ type: 'SetAccountFlag', account, flag, value: true });
  for (const [asset, amount] of [
    [assetId(1), atoms(10n ** 13n)],
    [assetId(2), atoms(10n ** 10n)],
  ] as const) {
    await heart.submit({ type: 'CreditDeposit', key: `d${n}:${asset}`, address: addressOf(n), asset, amount });
    await heart.submit({ type: 'Transfer', account, transferId: `t${asset}`, asset, amount, from: 'funding', to: 'spot' });
  }
}

async function open(pointsPerDay = 1_000_000): Promise<void> {
  awards = new Awards({ heart, db: db.sql, members, terms: { pointsPerDay }, now: () => clock.now, onGiven: () => undefined });
  board = await openLeaderboard({
    heart,
    db: db.sql,
    members,
    awards,
    terms: {
      reviewMs: WEEK,
      weeklyPrizes: [
        { fromRank: 1, toRank: 1, points: 500 },
        { fromRank: 2, toRank: 3, points: 100 },
      ],
    },
    money: { counterparties: () => Promise.resolve(links) },
    houseAddresses: [addressOf(HOUSE)],
    now: () => clock.now,
    onTrouble: (error) => troubles.push(String(error)),
  });
}

async function reopen(pointsPerDay?: number): Promise<void> {
  await board.stop();
  await open(pointsPerDay);
}

/** The taker takes so many hundredths of a BTC from an order of the maker that is `ageMs` old. */
async function trade(taker: number, maker: number, parts: { hundredths: number; side?: 'buy' | 'sell'; ageMs?: number }): Promise<void> {
  const { hundredths, side = 'buy', ageMs = 10 * SECOND } = parts;
  const order = {
    type: 'PlaceOrder',
    market: BTC,
    clientOrderId: '',
    orderType: 'limit',
    timeInForce: 'GTC',
    price: ticks(PRICE),
    size: lots(hundredths * 1_000),
    funds: atoms(0n),
    triggerPrice: ticks(0),
    slippagePpm: ppm(0),
    selfTradePrevention: 'expireTaker',
  } as const;
  await heart.submit({ ...order, account: accountOf(maker), side: side === 'buy' ? 'sell' : 'buy' });
  clock.now += ageMs;
  const { events } = await heart.submit({ ...order, account: accountOf(taker), side });
  expect(events.some((event) => event.type === 'Trade')).toBe(true);
}

const call = (parts: object) => ({ principal: undefined, query: {}, body: {}, caller: undefined, ...parts }) as never;
const principalOf = (n: number): Principal => ({
  account: accountOf(n),
  address: addressOf(n),
  via: 'session',
  credential: 's',
  permission: 'TRADE',
  tier: 'standard',
  endsAt: millis(0),
});

const campaigns = () => board.handlers.leaderboardCampaigns(call({}));

/** `2: 5000 → 500` is alice with 5,000 USDC, whose rank brings 500 points. What was computed before is out of date by then. */
async function ranking(name: 'VOLUME' | 'PNL' = 'VOLUME', campaignId = THIS_WEEK): Promise<readonly string[]> {
  clock.now += 10 * MINUTE;
  await board.reached(heart.status().seq);
  return rankingAsKept(name, campaignId);
}

/** As whoever asks gets it, which may have been computed a little before. */
async function rankingAsKept(name: 'VOLUME' | 'PNL' = 'VOLUME', campaignId = THIS_WEEK): Promise<readonly string[]> {
  const { list } = await board.handlers.leaderboardRanking(call({ query: { campaignId, board: name } }));
  return list.map(({ address, value, points }) => `${Number.parseInt(address, 16)}: ${value} → ${points}`);
}

function pointsOf(n: number): number {
  const balances = new BalancesView();
  const view = heart.open();
  load(view, balances);
  view.close();
  return Number(balances.get({ account: accountOf(n), wallet: 'funding', asset: assetByCode('POINTS').asset }).free);
}

const reasonOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'none',
    (error: unknown) => (error instanceof ApiError ? `${error.data.reason} ${error.data.field}` : String(error)),
  );

describe('T12: campaigns', () => {
  test('one runs each week from Monday 00:00 UTC, the next is there before; each is made once across restarts', async () => {
    const told = async () => (await campaigns()).map(({ campaignId, state }) => `${campaignId} ${state}`);
    expect(await told()).toEqual(['week-2026-11-23 UPCOMING', `${THIS_WEEK} RUNNING`]);
    await reopen();
    await board.runDue();
    expect(await told()).toEqual(['week-2026-11-23 UPCOMING', `${THIS_WEEK} RUNNING`]);
    clock.now = Date.UTC(2026, 10, 23);
    await Promise.all([board.runDue(), board.runDue()]);
    expect(await told()).toEqual(['week-2026-11-30 UPCOMING', 'week-2026-11-23 RUNNING', `${THIS_WEEK} REVIEW`]);
    const [, , first] = await campaigns();
    expect(first).toMatchObject({
      name: '{"en":"Weekly leaderboard, 2026-11-16"}',
      startsAt: Date.UTC(2026, 10, 16),
      endsAt: Date.UTC(2026, 10, 23),
      paysAt: Date.UTC(2026, 10, 30),
      boards: ['VOLUME', 'PNL'],
    });
  });

  test.each([
    ['2026-11-16T00:00:00.000Z', '2026-11-16'],
    ['2026-11-22T23:59:59.999Z', '2026-11-16'],
    ['2026-11-15T23:59:59.999Z', '2026-11-09'],
  ])('the Monday of %s is %s', (at, monday) => expect(new Date(lastMonday(Date.parse(at))).toISOString().slice(0, 10)).toBe(monday));

  test('an operator makes one and ends it before its time; what can not be is refused by its field', async () => {
    const { campaigns: operations } = board.operations;
    const wanted = {
      campaignId: 'launch',
      name: { en: 'Launch' },
      startsAt: NOW + DAY,
      endsAt: NOW + 2 * DAY,
      boards: ['VOLUME'],
      prizes: [{ fromRank: 1, toRank: 1, points: 77_777 }],
    } as const;
    for (const [change, field] of [
      [{ campaignId: 'Launch!' }, 'campaignId'],
      [{ name: { en: ' ' } }, 'name'],
      [{ startsAt: NOW }, 'startsAt'],
      [{ endsAt: NOW + DAY }, 'endsAt'],
      [{ boards: [] }, 'boards'],
      [{ boards: ['PNL', 'PNL'] }, 'boards'],
      [{ prizes: [{ fromRank: 1, toRank: 1, points: 77_778 }] }, 'prizes'],
      [{ prizes: [{ fromRank: 2, toRank: 1, points: 1 }] }, 'prizes'],
      [
        {
          prizes: [
            { fromRank: 1, toRank: 2, points: 1 },
            { fromRank: 2, toRank: 3, points: 1 },
          ],
        },
        'prizes',
      ],
    ] as const)
      expect(await reasonOf(operations.create({ ...wanted, ...change }))).toBe(`MalformedField ${field}`);
    await operations.create(wanted);
    await operations.create(wanted);
    expect(operations.list().filter(({ campaignId }) => campaignId === 'launch')).toHaveLength(1);
    expect(await reasonOf(operations.create({ ...wanted, name: { en: 'Another launch' } }))).toBe('KeyConflict campaignId');
    expect(operations.list().find(({ campaignId }) => campaignId === 'launch')).toMatchObject({
      state: 'UPCOMING',
      paysAt: NOW + 2 * DAY + WEEK,
    });
    clock.now = NOW + DAY + 1;
    await operations.stop('launch');
    expect(operations.list().find(({ campaignId }) => campaignId === 'launch')).toMatchObject({ state: 'REVIEW', endsAt: NOW + DAY + 1 });
    expect(await reasonOf(operations.stop('launch'))).toBe('UnknownThing campaignId');
    expect(await reasonOf(operations.stop('nothing'))).toBe('UnknownThing campaignId');
  });
});

describe('T12: ranks', () => {
  test('count what was traded in the period, and nothing before or after; the house and the blocked are not ranked', async () => {
    await trade(ALICE, HOUSE, { hundredths: 10 });
    await trade(HOUSE, BOB, { hundredths: 20 });
    await trade(CAROL, HOUSE, { hundredths: 30 });
    await heart.submit({ type: 'SetAccountFlag', account: accountOf(CAROL), flag: 'blocked', value: true });
    expect(await ranking()).toEqual(['3: 10000 → 500', '2: 5000 → 100']);
    clock.now = Date.UTC(2026, 10, 23) - 10 * SECOND;
    await trade(DAVE, HOUSE, { hundredths: 50 });
    expect(await ranking('VOLUME', 'week-2026-11-23')).toEqual(['5: 25000 → 500']);
    expect(await ranking()).toEqual(['3: 10000 → 500', '2: 5000 → 100']);
  });

  test('of profit follow the outside price; deposits are none', async () => {
    await trade(ALICE, HOUSE, { hundredths: 10 });
    await trade(BOB, HOUSE, { hundredths: 10, side: 'sell' });
    await heart.submit({ type: 'CreditDeposit', key: 'more', address: addressOf(BOB), asset: assetId(1), amount: atoms(10n ** 12n) });
    await heart.submit({ type: 'SetIndexPrice', market: BTC, price: ticks(PRICE * 2) });
    expect(await ranking('PNL')).toEqual(['2: 4990 → 500', '3: -5005 → 0']);
  });

  test('are told in pages, and to everybody their own', async () => {
    await trade(ALICE, HOUSE, { hundredths: 10 });
    await trade(BOB, HOUSE, { hundredths: 20 });
    expect(await ranking()).toHaveLength(2);
    const page = (number: number) =>
      board.handlers.leaderboardRanking(call({ query: { campaignId: THIS_WEEK, board: 'VOLUME', page: number, pageSize: 10 } }));
    expect(await page(1)).toMatchObject({
      total: 2,
      list: [
        { rank: 1, address: addressOf(BOB) },
        { rank: 2, address: addressOf(ALICE) },
      ],
    });
    expect(await page(2)).toEqual({ total: 2, list: [] });
    const own = (n: number, walletAddress = addressOf(n)) =>
      Promise.resolve(
        board.handlers.ownLeaderboardRank(call({ principal: principalOf(n), body: { walletAddress, campaignId: THIS_WEEK } })),
      );
    expect(await own(ALICE)).toMatchObject([
      { board: 'VOLUME', rank: 2, value: '5000', points: 100 },
      { board: 'PNL', rank: 1, points: 0 },
    ]);
    expect(await own(DAVE)).toEqual([
      { board: 'VOLUME', rank: null, value: '0', points: 0 },
      { board: 'PNL', rank: null, value: '0', points: 0 },
    ]);
    expect(await reasonOf(own(ALICE, addressOf(BOB)))).toBe('NotYours walletAddress');
    const unknown = async () => board.handlers.leaderboardRanking(call({ query: { campaignId: 'nothing', board: 'VOLUME' } }));
    expect(await reasonOf(unknown())).toBe('UnknownThing campaignId');
  });

  test('are the same after a restart, and each trade counts once', async () => {
    for (let n = 0; n < 5; n += 1) {
      await trade(ALICE, HOUSE, { hundredths: 10 });
      if (n % 2 === 0) await reopen();
    }
    expect(await ranking()).toEqual(['2: 25000 → 500']);
    await reopen();
    expect(await ranking()).toEqual(['2: 25000 → 500']);
  });
});

describe('F4: wash', () => {
  const washes = async (times: number) => {
    for (let n = 0; n < times; n += 1) await trade(ALICE, BOB, { hundredths: 1, side: n % 2 === 0 ? 'buy' : 'sell', ageMs: SECOND });
  };

  test('trades of a ring do not count, and the operator sees the ring', async () => {
    await trade(CAROL, HOUSE, { hundredths: 10 });
    await trade(ALICE, HOUSE, { hundredths: 1 });
    await washes(12);
    expect(await ranking()).toEqual(['4: 5000 → 500', '2: 500 → 100']);
    const [ring, ...others] = await board.operations.board.clusters();
    expect(others).toEqual([]);
    expect(ring).toMatchObject({ campaignId: THIS_WEEK, evidence: ['TRADING'], trades: 12, volume: '6000' });
    expect(ring?.members.map(({ address, isWasher }) => [address, isWasher])).toEqual([
      [addressOf(ALICE), true],
      [addressOf(BOB), true],
    ]);
  });

  test('accounts whose money comes from one address trade for nothing with one another; the house joins nobody', async () => {
    await trade(ALICE, BOB, { hundredths: 10 });
    await trade(CAROL, DAVE, { hundredths: 20 });
    const purse = addressOf(0xaa);
    links = [
      ...[ALICE, BOB].map((n) => ({ address: addressOf(n), counterparty: purse })),
      ...[CAROL, DAVE].map((n) => ({ address: addressOf(n), counterparty: addressOf(HOUSE) })),
    ];
    expect(await ranking()).toEqual(['4: 10000 → 500', '5: 10000 → 100']);
    expect(await board.operations.board.clusters()).toEqual([]);
  });

  test('a small invite tree trades for nothing within itself', async () => {
    await trade(ALICE, BOB, { hundredths: 10 });
    await db.sql
      .insertInto('campaign_invite')
      .values({ invited: accountOf(BOB), inviter: accountOf(ALICE), bound_at: NOW })
      .execute();
    await trade(CAROL, HOUSE, { hundredths: 1 });
    expect(await ranking()).toEqual(['4: 500 → 500']);
  });

  test('one who paid out to another is of one hand with them', async () => {
    await trade(ALICE, BOB, { hundredths: 10 });
    links = [{ address: addressOf(ALICE), counterparty: addressOf(BOB) }];
    await trade(CAROL, HOUSE, { hundredths: 1 });
    expect(await ranking()).toEqual(['4: 500 → 500']);
  });
});

describe('F4: payout', () => {
  const payday = Date.UTC(2026, 10, 30);

  beforeEach(async () => {
    await trade(ALICE, HOUSE, { hundredths: 30 });
    await trade(BOB, HOUSE, { hundredths: 20 });
    await trade(CAROL, HOUSE, { hundredths: 10 });
  });

  const points = () => [ALICE, BOB, CAROL, DAVE].map(pointsOf);

  test('comes after the review, once, to whoever has a prize on a board', async () => {
    clock.now = payday - 1;
    await board.runDue();
    expect(points()).toEqual([0, 0, 0, 0]);
    clock.now = payday;
    await Promise.all([board.runDue(), board.runDue()]);
    expect(points()).toEqual([500, 100, 100, 0]);
    await reopen();
    await board.runDue();
    expect(points()).toEqual([500, 100, 100, 0]);
    expect((await campaigns()).find(({ campaignId }) => campaignId === THIS_WEEK)?.state).toBe('PAID');
    expect((await awards.news(accountOf(ALICE))).map(({ key, kind, name }) => [key, kind, name.en])).toEqual([
      [`board:${THIS_WEEK}:VOLUME:${addressOf(ALICE)}`, 'LEADERBOARD', 'Weekly leaderboard, 2026-11-16: rank 1'],
    ]);
    expect(await ranking()).toEqual(['2: 15000 → 500', '3: 10000 → 100', '4: 5000 → 100']);
  });

  test('goes by no rank and no cluster that was kept: a ring that shows in the last second gets nothing for it', async () => {
    await trade(DAVE, BOB, { hundredths: 90 });
    const before = ['3: 55000 → 500', '5: 45000 → 100', '2: 15000 → 100', '4: 5000 → 0'];
    clock.now = payday - 10 * MINUTE - SECOND;
    expect(await ranking()).toEqual(before);
    links = [BOB, DAVE].map((n) => ({ address: addressOf(n), counterparty: addressOf(0xbb) }));
    clock.now = payday;
    expect(await rankingAsKept()).toEqual(before);
    await board.runDue();
    expect(points()).toEqual([500, 100, 100, 0]);
  });

  test('goes on where it was interrupted, and waits for an empty budget to be filled', async () => {
    await reopen(550);
    clock.now = payday;
    await board.runDue();
    expect(troubles.splice(0)).toHaveLength(1);
    expect(points()).toEqual([500, 0, 0, 0]);
    expect((await campaigns()).find(({ campaignId }) => campaignId === THIS_WEEK)?.state).toBe('REVIEW');
    clock.now = payday + DAY;
    await reopen(550);
    await board.runDue();
    expect(points()).toEqual([500, 100, 100, 0]);
  });

  test('leaves out who was blocked after the ranks were decided, and pays the others', async () => {
    await reopen(10);
    clock.now = payday;
    await board.runDue();
    expect(troubles.splice(0)).toHaveLength(1);
    await heart.submit({ type: 'SetAccountFlag', account: accountOf(ALICE), flag: 'blocked', value: true });
    clock.now = payday + DAY;
    await reopen();
    await board.runDue();
    expect(points()).toEqual([0, 100, 100, 0]);
    expect((await campaigns()).find(({ campaignId }) => campaignId === THIS_WEEK)?.state).toBe('PAID');
  });
});
