import { localLeases } from '@orrery/foundation';
import { ApiError, type Call, type fundRoutes, type Handler, type Route } from '@orrery/api';
import type { Command, Event } from '@orrery/protocol';
import { FUND_VALUATION_MS } from '@orrery/rules';
import { type AccountId, assert, atoms, lots, marketId, millis, NO_ATOMS, NO_TICKS, parseAddress, ppm, ticks } from '@orrery/units';
import { sql } from 'kysely';
import { afterAll, beforeEach, expect, test } from 'vitest';
import type { Database } from '../../../exchange/src/database.ts';
import { assetByCode, registerListing } from '../../../exchange/src/listing.ts';
import { MemoryHeart } from '../../../exchange/src/testing/memory-heart.ts';
import { temporaryDatabase } from '../../../exchange/src/testing/temporary-database.ts';
import { sharpeOf } from './figures.ts';
import { type Funds, openFunds } from './funds.ts';
import type { FundPlan } from './plans.ts';
import { type FundTables, migrations } from './tables.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = 1_795_000_200_000;
const USDC = assetByCode('USDC').asset;
const BTC_SPOT = marketId(1);
const SHARE = { asset: 21 as never, code: 'QUANTO1', decimals: 6, kind: 'internal' as const };
const PLAN: FundPlan = {
  code: 'QUANTO1',
  name: 'Quanto Market Maker',
  strategy: 'MARKET_MAKER',
  summary: 'It quotes.',
  rules: ['It quotes both sides.'],
  risks: ['You can lose money.'],
};

const database: Database<FundTables> = await temporaryDatabase<FundTables>(migrations);
afterAll(() => database.close());

const clock = { now: START };
let heart: MemoryHeart;
let funds: Funds;
let opened = 0;
const troubles: unknown[] = [];

interface Person {
  readonly account: AccountId;
  readonly address: ReturnType<typeof parseAddress>;
}

const open = (): Promise<Funds> =>
  openFunds({
    leases: localLeases(),
    heart,
    db: database.sql,
    plans: [PLAN],
    now: () => clock.now,
    onTrouble: (error) => troubles.push(error),
  });

async function submit(command: Command): Promise<readonly Event[]> {
  const { events } = await heart.submit(command);
  const [first] = events;
  assert(
    first?.type !== 'CommandRejected',
    `${command.type} is taken: ${first?.type === 'CommandRejected' ? `${first.reason} ${first.field}` : ''}`,
  );
  return events;
}

async function person(money: bigint): Promise<Person> {
  opened += 1;
  const address = parseAddress(`0x${opened.toString(16).padStart(40, '0')}`);
  assert(address !== undefined, 'the address is one');
  const [first] = await submit({ type: 'OpenAccount', address });
  assert(first?.type === 'AccountOpened', 'the account is open');
  const { account } = first;
  for (const flag of ['termsAccepted', 'whitelisted', 'connected'] as const)
    await submit({ type: 'SetAccountFlag', account, flag, value: true });
  if (money > 0n) await pay(address, money);
  return { account, address };
}

async function pay(address: NonNullable<Person['address']>, money: bigint): Promise<void> {
  await submit({
    type: 'CreditDeposit',
    key: `1:${address}:${heart.history.length}`,
    address,
    asset: USDC,
    amount: atoms(money * 1_000_000n),
  });
}

/** Time passes to just after the next valuation, with the manager heard and BTC at a price. */
async function pass(btc = 100_000): Promise<void> {
  const next = clock.now - (clock.now % FUND_VALUATION_MS) + FUND_VALUATION_MS;
  clock.now = next - 1_000;
  await submit({ type: 'SendFundHeartbeat', account: manager.account });
  await submit({ type: 'SetIndexPrice', market: BTC_SPOT, price: ticks(btc * 10) });
  clock.now = next + 1_000;
  await submit({ type: 'ValueFund', fund: SHARE.asset, interval: millis(next) });
  await heart.submit({ type: 'ContinueFund', fund: SHARE.asset });
  await funds.caughtUp();
}

let leader: Person;
let manager: Person;

beforeEach(async () => {
  await funds?.stop();
  await sql
    .raw('truncate fund_offset, fund, fund_valuation, fund_day, fund_holder, fund_entry, fund_holdings, fund_dealing, fund_mark')
    .execute(database.sql);
  troubles.length = 0;
  clock.now = START;
  heart = new MemoryHeart(() => clock.now);
  await registerListing(heart);
  await submit({ type: 'RegisterAsset', ...SHARE });
  leader = await person(20_000n);
  manager = await person(0n);
  await submit({
    type: 'OpenFund',
    fund: SHARE.asset,
    account: manager.account,
    leader: leader.account,
    asset: USDC,
    amount: atoms(10_000_000_000n),
    capacity: atoms(50_000_000_000n),
  });
  funds = await open();
  await funds.caughtUp();
});

type Calls = typeof fundRoutes;
async function call<Name extends keyof Calls>(
  name: Name,
  who?: Person,
  parts: { query?: unknown; body?: unknown } = {},
): Promise<Awaited<ReturnType<Handler<Calls[Name]>>>> {
  const principal = who && { account: who.account, address: who.address };
  const handler = funds.handlers.fund[name] as Handler<Route>;
  const caller = { committed: () => undefined };
  const made: unknown = { query: {}, body: {}, ...parts, principal, caller };
  return (await handler(made as Call<Route>)) as never;
}

const refusalOf = async (promise: Promise<unknown>): Promise<string> => {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof ApiError ? `${error.data.reason} ${error.data.field}` : String(error);
};

const QUERY = { query: { fundId: 'QUANTO1' } };

test('a fund that is opened is listed with what its leader paid', async () => {
  expect(await call('fundList')).toEqual([
    {
      fundId: 'QUANTO1',
      name: 'Quanto Market Maker',
      strategy: 'MARKET_MAKER',
      coin: 'USDC',
      nav: '1',
      aum: '10000',
      return7d: null,
      return30d: null,
      maxDrawdown: '0',
      capacity: '50000',
      status: 'OPEN',
    },
  ]);
  const detail = await call('fundDetail', undefined, QUERY);
  expect(detail).toMatchObject({
    text: { rules: PLAN.rules, risks: PLAN.risks },
    openedTime: START,
    valuedTime: null,
    nextValuation: START + FUND_VALUATION_MS,
    returnAll: '0',
    sharpe: null,
    holders: 1,
    leaderShare: '100',
    performanceFee: '10',
    minSubscription: '10',
  });
  expect(await refusalOf(call('fundDetail', undefined, { query: { fundId: 'USDC' } }))).toBe('UnknownFund fundId');
});

test('a subscription waits for the next valuation, and its repetition answers the same', async () => {
  const alice = await person(1_000n);
  const body = { fundId: 'QUANTO1', amount: '500', subscriptionId: 'first' };
  const earliest = START + FUND_VALUATION_MS;
  expect(await call('fundSubscribe', alice, { body })).toEqual({ subscriptionId: 'first', earliest });
  expect(await call('fundSubscribe', alice, { body })).toEqual({ subscriptionId: 'first', earliest });
  expect(await refusalOf(call('fundSubscribe', alice, { body: { ...body, amount: '501' } }))).toBe('KeyConflict subscriptionId');
  expect(await refusalOf(call('fundSubscribe', alice, { body: { ...body, subscriptionId: 'more', amount: '9' } }))).toBe(
    'SubscriptionTooSmall amount',
  );
  await funds.caughtUp();
  expect(await call('fundMine', alice)).toMatchObject([{ fundId: 'QUANTO1', shares: '0', waiting: '500', value: '0' }]);
  await pass();
  expect(await call('fundMine', alice)).toMatchObject([
    { shares: '500', frozen: '0', waiting: '0', value: '500', cost: '500', profit: '0', highWaterMark: '1', fee: '0', isLeader: false },
  ]);
  const history = await call('fundHistory', alice, { query: {} });
  expect(history).toMatchObject({
    total: 1,
    next: null,
    list: [{ kind: 'SUBSCRIPTION', requestId: 'first', status: 'DONE', amount: '500', shares: '500', nav: '1', earliest }],
  });
  expect(await call('fundDetail', undefined, QUERY)).toMatchObject({ holders: 2, waitingSubscriptions: '0', aum: '10000' });
});

test('a redemption pays what its shares are worth at the valuation, and the record has cost and profit', async () => {
  const alice = await person(1_000n);
  await call('fundSubscribe', alice, { body: { fundId: 'QUANTO1', amount: '1000', subscriptionId: 's' } });
  await pass();
  expect(await refusalOf(call('fundRedeem', alice, { body: { fundId: 'QUANTO1', shares: '400' } }))).toMatch(/Locked/);
  for (let passed = 0; passed < DAY; passed += FUND_VALUATION_MS) await pass();
  expect(await call('fundRedeem', alice, { body: { fundId: 'QUANTO1', shares: '400', redemptionId: 'r' } })).toMatchObject({
    redemptionId: 'r',
  });
  await funds.caughtUp();
  expect(await call('fundMine', alice)).toMatchObject([{ shares: '1000', frozen: '400' }]);
  await pass();
  expect(await call('fundMine', alice)).toMatchObject([
    { shares: '600', frozen: '0', cost: '600', value: '600', realised: '0', valuedAt: clock.now - 1_000 },
  ]);
  const page = await call('fundHistory', alice, { query: { pageSize: 10 } });
  expect(page.list.map(({ kind, status, amount, shares, fee }) => ({ kind, status, amount, shares, fee }))).toEqual([
    { kind: 'REDEMPTION', status: 'DONE', amount: '400', shares: '400', fee: '0' },
    { kind: 'SUBSCRIPTION', status: 'DONE', amount: '1000', shares: '1000', fee: '0' },
  ]);
});

test('history goes on by its cursor and misses nothing while it grows', async () => {
  const alice = await person(10_000n);
  for (let nth = 0; nth < 12; nth += 1)
    await call('fundSubscribe', alice, { body: { fundId: 'QUANTO1', amount: '10', subscriptionId: `s${nth}` } });
  await funds.caughtUp();
  const first = await call('fundHistory', alice, { query: { pageSize: 10 } });
  await call('fundSubscribe', alice, { body: { fundId: 'QUANTO1', amount: '10', subscriptionId: 'late' } });
  await funds.caughtUp();
  const second = await call('fundHistory', alice, { query: { pageSize: 10, id: first.next ?? '' } });
  expect(first.list.map(({ requestId }) => requestId)).toEqual(['s11', 's10', 's9', 's8', 's7', 's6', 's5', 's4', 's3', 's2']);
  expect(second.list.map(({ requestId }) => requestId)).toEqual(['s1', 's0']);
  expect(second.next).toBeNull();
  expect(await refusalOf(call('fundHistory', alice, { query: { id: 'x' } }))).toBe('MalformedField id');
});

test('the curve has the NAV, the fall and the price of BTC at each valuation, and a fund that gains nothing has no Sharpe ratio', async () => {
  await pass(100_000);
  await pass(90_000);
  const { points } = await call('fundNav', undefined, { query: { fundId: 'QUANTO1', range: '1d' } });
  expect(points.map(({ nav, drawdown, btc }) => ({ nav, drawdown, btc }))).toEqual([
    { nav: '1', drawdown: '0', btc: null },
    { nav: '1', drawdown: '0', btc: '100000' },
    { nav: '1', drawdown: '0', btc: '90000' },
  ]);
  for (let passed = 0; passed < 8 * DAY; passed += FUND_VALUATION_MS) await pass();
  const week = await call('fundNav', undefined, { query: { fundId: 'QUANTO1', range: '7d' } });
  expect(week.points.length).toBe(169);
  expect(week.points.every(({ time }, index) => index === 0 || time > (week.points[index - 1]?.time ?? 0))).toBe(true);
  const [fund] = await call('fundList');
  expect(fund).toMatchObject({ return7d: '0', return30d: null });
  expect(await call('fundDetail', undefined, QUERY)).toMatchObject({ sharpe: null });
}, 120_000);

test('holdings are shown ten minutes late', async () => {
  await funds.keepHoldings();
  expect(await call('fundHoldings', undefined, QUERY)).toEqual({ asOf: null, balances: [], positions: [], orders: [] });
  clock.now += 10 * 60_000 - 1;
  expect((await call('fundHoldings', undefined, QUERY)).asOf).toBeNull();
  clock.now += 1;
  expect(await call('fundHoldings', undefined, QUERY)).toEqual({
    asOf: START,
    balances: [{ coin: 'USDC', amount: '10000' }],
    positions: [],
    orders: [],
  });
});

test('a fund whose manager is silent closes, pays by share and says so', async () => {
  const alice = await person(1_000n);
  await call('fundSubscribe', alice, { body: { fundId: 'QUANTO1', amount: '1000', subscriptionId: 's' } });
  await pass();
  for (let silent = 0; silent < 9; silent += 1) {
    const period = (await call('fundDetail', undefined, QUERY)).status === 'OPEN' ? FUND_VALUATION_MS : 60_000;
    clock.now = clock.now - (clock.now % period) + period + 1_000;
    await heart.submit({ type: 'ValueFund', fund: SHARE.asset, interval: millis(clock.now - (clock.now % period)) });
    for (let step = heart.continuation(); step !== undefined; step = heart.continuation()) await heart.submit(step);
    await funds.caughtUp();
  }
  expect(funds.accounts.all()).toEqual([{ account: manager.account, leader: leader.account }]);
  expect(funds.accounts.leaderOf(manager.account)).toBe(leader.account);
  expect(funds.accounts.leaderOf(leader.account)).toBeUndefined();
  expect(await call('fundDetail', undefined, QUERY)).toMatchObject({ status: 'ENDED', closingReason: 'silent', aum: '0', holders: 0 });
  expect(await call('fundMine', alice)).toMatchObject([{ shares: '0', value: '0', realised: '0' }]);
  const { list } = await call('fundHistory', alice, { query: {} });
  expect(list[0]).toMatchObject({ kind: 'PAYOUT', status: 'DONE', amount: '1000', shares: '1000' });
  expect(await refusalOf(call('fundSubscribe', alice, { body: { fundId: 'QUANTO1', amount: '10' } }))).toMatch(/UnknownFund|FundNotOpen/);
});

test('a fund that closes and cannot sell its coins pays its cash: shares stay, their cost comes back, and the NAV is lower by it', async () => {
  const alice = await person(10_000n);
  await call('fundSubscribe', alice, { body: { fundId: 'QUANTO1', amount: '10000', subscriptionId: 's' } });
  await pass();
  await pass();
  const btc = assetByCode('BTC').asset;
  const { address: ofLeader } = leader;
  assert(ofLeader !== undefined, 'the leader has an address');
  await submit({ type: 'CreditDeposit', key: 'btc', address: ofLeader, asset: btc, amount: atoms(100_000_000n) });
  const move = { type: 'Transfer', transferId: 't', from: 'funding', to: 'spot' } as const;
  await submit({ ...move, account: leader.account, asset: btc, amount: atoms(10_000_000n) });
  await submit({ ...move, account: manager.account, asset: USDC, amount: atoms(5_000_000_000n) });
  const order = {
    type: 'PlaceOrder',
    market: BTC_SPOT,
    clientOrderId: '',
    orderType: 'limit',
    timeInForce: 'GTC',
    price: ticks(1_000_000),
    size: lots(2_000),
    funds: NO_ATOMS,
    triggerPrice: NO_TICKS,
    slippagePpm: ppm(0),
    selfTradePrevention: 'expireTaker',
  } as const;
  await submit({ ...order, account: leader.account, side: 'sell' });
  await submit({ ...order, account: manager.account, side: 'buy' });
  await submit({ type: 'CloseFund', fund: SHARE.asset });
  clock.now += DAY + 60_000;
  await heart.submit({ type: 'ValueFund', fund: SHARE.asset, interval: millis(clock.now - (clock.now % 60_000)) });
  for (let step = heart.continuation(); step !== undefined; step = heart.continuation()) await heart.submit(step);
  await funds.caughtUp();
  const { list } = await call('fundHistory', alice, { query: {} });
  expect(list[0]).toMatchObject({ kind: 'PAYOUT', status: 'DONE', amount: '9000', shares: '0' });
  expect(await call('fundMine', alice)).toMatchObject([{ shares: '10000', cost: '1000', value: '1000', realised: '0' }]);
  expect(await call('fundDetail', undefined, QUERY)).toMatchObject({ status: 'CLOSING', aum: '2000', nav: '0.1' });
  expect(troubles).toEqual([]);
});

test('the manager alone says that it is there', async () => {
  expect(await call('fundHeartbeat', manager)).toEqual({ fundId: 'QUANTO1' });
  expect(await refusalOf(call('fundHeartbeat', leader))).toBe('UnknownFund ');
});

test('the record goes on where it was after a restart, and is the same when it is folded again', async () => {
  const alice = await person(1_000n);
  await call('fundSubscribe', alice, { body: { fundId: 'QUANTO1', amount: '1000', subscriptionId: 's' } });
  await pass();
  await funds.stop();
  funds = await open();
  await pass();
  const before = await call('fundMine', alice);
  await funds.stop();
  await sql.raw('truncate fund_offset, fund, fund_valuation, fund_day, fund_holder, fund_entry').execute(database.sql);
  funds = await open();
  await funds.caughtUp();
  expect(await call('fundMine', alice)).toEqual(before);
  expect(troubles).toEqual([]);
});

test('the Sharpe ratio is the mean of daily returns by their deviation, for a year', () => {
  expect(sharpeOf([1, 1.01, 1.02])).toBeUndefined();
  expect(sharpeOf([1, 1, 1, 1, 1, 1, 1, 1, 1])).toBeUndefined();
  const closes = [100, 101, 100.5, 102, 101, 103, 104, 103.5, 105];
  expect(sharpeOf(closes)?.toFixed(2)).toBe('10.65');
});

test('the recorded month, simulated, ends where the fund begins and changes no figure of it', async () => {
  await pass();
  const { points, simulated } = await call('fundNav', undefined, { query: { fundId: 'QUANTO1', range: 'all' } });
  expect(points[0]).toMatchObject({ time: START, nav: '1' });
  expect(simulated).toHaveLength(180);
  expect(simulated.at(-1)?.nav).toBe('1');
  const last = simulated.at(-1)?.time ?? 0;
  expect(last).toBeLessThan(START);
  expect(START - last).toBeLessThanOrEqual(4 * HOUR);
  expect(last % (4 * HOUR)).toBe(0);
  expect(Number(simulated[0]?.nav)).toBeCloseTo(1.00027811 / 1.057816055, 8);
  const day = await call('fundNav', undefined, { query: { fundId: 'QUANTO1', range: '1d' } });
  expect(day.simulated.length).toBeLessThanOrEqual(6);
  expect(await call('fundDetail', undefined, QUERY)).toMatchObject({ returnAll: '0', maxDrawdown: '0', sharpe: null, return7d: null });
  await funds.stop();
  funds = await openFunds({
    leases: localLeases(),
    heart,
    db: database.sql,
    plans: [],
    now: () => clock.now,
    onTrouble: (error) => troubles.push(error),
  });
  expect((await call('fundNav', undefined, { query: { fundId: 'QUANTO1', range: 'all' } })).simulated).toEqual([]);
});

/** The seller rests, the buyer takes; sizes in hundredths of a BTC, prices in dollars. */
async function sell(seller: AccountId, buyer: AccountId, { hundredths, price }: { hundredths: number; price: number }): Promise<void> {
  const order = {
    type: 'PlaceOrder',
    market: BTC_SPOT,
    clientOrderId: '',
    orderType: 'limit',
    timeInForce: 'GTC',
    price: ticks(price * 10),
    size: lots(hundredths * 1_000),
    funds: atoms(0n),
    triggerPrice: ticks(0),
    slippagePpm: ppm(0),
    selfTradePrevention: 'expireTaker',
  } as const;
  await submit({ ...order, account: seller, side: 'sell' });
  const events = await submit({ ...order, account: buyer, side: 'buy' });
  assert(
    events.some(({ type }) => type === 'Trade'),
    'the buyer takes',
  );
}

test('[A12] a leader that sells dear to its own fund from a second account is found, and nobody subscribes any more', async () => {
  const second = await person(1_000n);
  const stranger = await person(1_000n);
  const BTC = assetByCode('BTC').asset;
  for (const { account, address } of [second, stranger]) {
    assert(address !== undefined, 'the address is one');
    await submit({ type: 'CreditDeposit', key: `b:${address}`, address, asset: BTC, amount: atoms(10n ** 8n) });
    await submit({ type: 'Transfer', account, transferId: 'b', asset: BTC, amount: atoms(10n ** 8n), from: 'funding', to: 'spot' });
  }
  const toSpot = { transferId: 's', asset: USDC, amount: atoms(9_000_000_000n), from: 'funding', to: 'spot' } as const;
  await submit({ type: 'Transfer', account: manager.account, ...toSpot });
  await pass();
  const hand = (account: AccountId): Promise<readonly AccountId[]> =>
    Promise.resolve(account === leader.account ? [leader.account, second.account, manager.account] : [account]);
  // Strangers may sell as dear as they like.
  await sell(stranger.account, manager.account, { hundredths: 2, price: 104_000 });
  await sell(second.account, manager.account, { hundredths: 2, price: 104_000 });
  await funds.caughtUp();
  const found = { fundId: 'QUANTO1', members: [second.account], worth: '10000', isPaused: false };
  expect(await funds.leaders.dealings(hand)).toEqual([{ ...found, trades: 1, volume: '2080', gain: '80', isBeyond: false }]);
  await funds.leaders.watch(hand);
  await funds.caughtUp();
  expect(await call('fundDetail', undefined, QUERY)).toMatchObject({ capacity: '50000' });
  // The same after a restart: marks are of the record.
  await funds.stop();
  funds = await open();
  await sell(second.account, manager.account, { hundredths: 1, price: 103_000 });
  await funds.caughtUp();
  expect(await funds.leaders.dealings(hand)).toEqual([{ ...found, trades: 2, volume: '3110', gain: '110', isBeyond: true }]);
  await funds.leaders.watch(hand);
  await funds.caughtUp();
  expect(await call('fundDetail', undefined, QUERY)).toMatchObject({ capacity: '0', status: 'OPEN' });
  expect(await funds.leaders.dealings(hand)).toMatchObject([{ isBeyond: true, isPaused: true }]);
  const alice = await person(100n);
  expect(await refusalOf(call('fundSubscribe', alice, { body: { fundId: 'QUANTO1', amount: '50' } }))).toBe('FundFull amount');
  // A paused fund is shown although its leader trades no more.
  clock.now += 26 * HOUR;
  const paused = { ...found, members: [], trades: 0, volume: '0', gain: '0', isBeyond: false, isPaused: true };
  expect(await funds.leaders.dealings(hand)).toEqual([paused]);
  clock.now -= 26 * HOUR;

  const pause = await funds.leaders.pauseOf('QUANTO1');
  assert(pause !== undefined, 'it is paused');
  expect(pause.capacity).toBe('50000');
  expect(await funds.leaders.pauseOf('QUANTO2')).toBeUndefined();
  // Another pause than this one stays.
  await funds.leaders.resume({ fundId: 'QUANTO1', pausedAt: pause.pausedAt - 1 });
  await funds.caughtUp();
  expect(await call('fundDetail', undefined, QUERY)).toMatchObject({ capacity: '0' });
  clock.now += 1_000;
  await funds.leaders.resume({ fundId: 'QUANTO1', ...pause });
  await funds.leaders.watch(hand);
  await funds.caughtUp();
  // What was looked at pauses nothing again; what is traded later does, from the first atom on, also after a restart.
  expect(await call('fundDetail', undefined, QUERY)).toMatchObject({ capacity: '50000' });
  expect(await funds.leaders.dealings(hand)).toEqual([]);
  expect(await funds.leaders.pauseOf('QUANTO1')).toBeUndefined();
  await funds.stop();
  funds = await open();
  await sell(second.account, manager.account, { hundredths: 1, price: 104_000 });
  await funds.caughtUp();
  expect(await funds.leaders.dealings(hand)).toEqual([{ ...found, trades: 1, volume: '1040', gain: '40', isBeyond: false }]);
  await sell(second.account, manager.account, { hundredths: 2, price: 104_000 });
  await funds.caughtUp();
  await funds.leaders.watch(hand);
  await funds.leaders.resume({ fundId: 'QUANTO1', ...pause });
  await funds.caughtUp();
  expect(await call('fundDetail', undefined, QUERY)).toMatchObject({ capacity: '0' });
});
