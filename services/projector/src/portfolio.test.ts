import type { PortfolioPoint } from '@orrery/api';
import { accountId, type Address, assetId, atoms, lots, marketId, ppm, ticks } from '@orrery/units';
import { BalancesView, load } from '@orrery/views';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { MemoryHeart } from '../../../exchange/src/testing/memory-heart.ts';
import { assetByCode } from '../../../exchange/src/listing.ts';
import { emptyProjection } from './index.ts';
import { BEGIN_HOURS } from './tables.ts';
import { PEOPLE, seededRandom, trade } from './testing/market-day.ts';
import { Room, type StartedProjector } from './testing/room.ts';

const SEED = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const BEGINNING = 1_795_000_000_000;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** The beginning of a day in UTC, some days later. */
const MIDNIGHT = 1_795_046_400_000 + 3 * DAY;
const [ALICE, BOB] = [accountId(1), accountId(2)];
const [USDC, BTC] = [assetId(1), assetId(2)];
const BTC_USDC = marketId(1);
const ADDRESS = `0x${'1'.padStart(40, '0')}` as Address;

let room: Room;
let heart: MemoryHeart;
let projector: StartedProjector;
let keys = 0;

beforeAll(async () => {
  room = await Room.open();
});
afterAll(() => room.db.close());
beforeEach(async () => {
  room.clock.now = BEGINNING;
  heart = await room.begin();
});

/** The next command is given at `time`. */
const setClock = (time: number): void => void (room.clock.now = time - 700);

const price = (tens: number) => heart.submit({ type: 'SetIndexPrice', market: BTC_USDC, price: ticks(tens) });

async function deposit(amount: bigint, asset = USDC): Promise<void> {
  keys += 1;
  await heart.submit({ type: 'CreditDeposit', key: `138565:0x${keys}:9`, address: ADDRESS, asset, amount: atoms(amount) });
}

async function withdraw(amount: bigint): Promise<void> {
  const withdrawalId = `0x${'e'.repeat(64)}`;
  await heart.submit({ type: 'RequestWithdrawal', account: ALICE, withdrawalId, asset: USDC, amount: atoms(amount), to: ADDRESS });
  await heart.submit({ type: 'MarkWithdrawalSent', withdrawalId, txHash: `0x${'a'.repeat(64)}` });
  await heart.submit({ type: 'PostWithdrawal', withdrawalId, txHash: `0x${'a'.repeat(64)}` });
}

/** A lot is 0.00001 BTC. */
async function exchange(seller: typeof ALICE, buyer: typeof ALICE, size: number): Promise<void> {
  const order = {
    type: 'PlaceOrder',
    market: BTC_USDC,
    clientOrderId: '',
    orderType: 'limit',
    timeInForce: 'GTC',
    price: ticks(1_000_000),
    size: lots(size),
    funds: atoms(0n),
    triggerPrice: ticks(0),
    slippagePpm: ppm(0),
    selfTradePrevention: 'expireTaker',
  } as const;
  await heart.submit({ ...order, account: seller, side: 'sell' });
  await heart.submit({ ...order, account: buyer, side: 'buy' });
}

async function written(): Promise<StartedProjector['history']['portfolio']> {
  await room.caughtUp(projector);
  return projector.history.portfolio;
}

test('a portfolio has a point at each full hour, whose equity follows index prices and whose net follows deposits and withdrawals', async () => {
  projector = await room.start();
  setClock(MIDNIGHT + 10 * 60_000);
  await deposit(1_000_000_000n);
  setClock(MIDNIGHT + HOUR);
  await price(1_100_000);
  await deposit(100_000_000n, BTC);
  setClock(MIDNIGHT + 4 * HOUR + 1_000);
  await withdraw(500_000_000n);
  const { points, latest, intervalMs } = await (await written()).history({ account: ALICE, range: '1d', scope: 'all' });
  expect(intervalMs).toBe(HOUR);
  expect(points).toHaveLength(25);
  expect(points.map(({ time }) => time)).toEqual(points.map((_, index) => MIDNIGHT - 20 * HOUR + index * HOUR));
  const by = new Map(points.map((point) => [(point.time - MIDNIGHT) / HOUR, point]));
  // 10,000,000 USDC, and 100 BTC at 100,000.
  expect(by.get(0)).toEqual({ time: MIDNIGHT, equity: '20000000', net: '20000000' });
  expect(by.get(1)).toMatchObject({ equity: '20001000', net: '20001000' });
  // The price and the deposit at 01:00:00.000 belong to the hour that they begin; an hour without a command ends as the one before it.
  expect(by.get(2)).toMatchObject({ equity: '21111000', net: '20111000' });
  expect(by.get(4)).toMatchObject({ equity: '21111000', net: '20111000' });
  expect(latest).toEqual({ time: MIDNIGHT + 4 * HOUR + 2_400, equity: '21110500', net: '20110500' } satisfies PortfolioPoint);
  await projector.stop();
});

test('ranges begin at a full hour or day with what there was, and leave out what was before the first balance', async () => {
  projector = await room.start();
  setClock(MIDNIGHT + 100 * DAY);
  await price(1_200_000);
  const portfolio = await written();
  const week = await portfolio.history({ account: ALICE, range: '7d', scope: 'all' });
  expect(week.points).toHaveLength(7 * 24 + 1);
  expect(week.points[0]).toEqual({ time: MIDNIGHT + 93 * DAY, equity: '20000000', net: '20000000' });
  const quarter = await portfolio.history({ account: ALICE, range: '90d', scope: 'all' });
  expect(quarter).toMatchObject({ intervalMs: DAY, latest: { equity: '22000000', net: '20000000' } });
  expect(quarter.points).toHaveLength(91);
  expect(quarter.points.every(({ equity, net }) => equity === '20000000' && net === '20000000')).toBe(true);
  const nobody = await portfolio.history({ account: accountId(77), range: '30d', scope: 'all' });
  expect(nobody).toEqual({ range: '30d', intervalMs: HOUR, points: [], latest: null });
  await projector.stop();
});

test('points from before the first balance, and without an index price of a coin held, are left out', async () => {
  projector = await room.start();
  setClock(MIDNIGHT + 40 * DAY);
  const address = `0x${'7'.padStart(40, '0')}` as Address;
  await heart.submit({ type: 'OpenAccount', address });
  const grace = accountId(PEOPLE + 1);
  await heart.submit({ type: 'CreditDeposit', key: '138565:0xgrace:1', address, asset: USDC, amount: atoms(2_000_000n) });
  setClock(MIDNIGHT + 40 * DAY + 2 * HOUR);
  const eth = assetByCode('ETH').asset;
  await heart.submit({ type: 'CreditDeposit', key: '138565:0xgrace:2', address, asset: eth, amount: atoms(10n ** 18n) });
  setClock(MIDNIGHT + 40 * DAY + 4 * HOUR);
  await heart.submit({ type: 'SetIndexPrice', market: marketId(2), price: ticks(300_000) });
  setClock(MIDNIGHT + 40 * DAY + 5 * HOUR);
  await price(1_000_000);
  const { points, latest } = await (await written()).history({ account: grace, range: '1d', scope: 'all' });
  expect(points.map(({ time, equity }) => [(time - MIDNIGHT - 40 * DAY) / HOUR, equity])).toEqual([
    // The beginning of her first hour: with nothing.
    [0, '0'],
    [1, '2'],
    [2, '2'],
    [5, '3002'],
  ]);
  expect(latest).toMatchObject({ equity: '3002', net: '2' });
  await projector.stop();
});

test('a database from before portfolios begins them with the balances of that moment, and goes on from there', async () => {
  projector = await room.start();
  setClock(MIDNIGHT);
  await deposit(1_000_000n);
  await written();
  await projector.stop();
  for (const table of ['projector_hour', 'projector_index_price'] as const) await room.db.sql.deleteFrom(table).execute();
  await sql.raw(BEGIN_HOURS).execute(room.db.sql);
  projector = await room.start();
  await price(1_100_000);
  await deposit(2_000_000n);
  setClock(MIDNIGHT + HOUR);
  await price(1_100_000);
  const { points, latest } = await (await written()).history({ account: ALICE, range: '1d', scope: 'all' });
  // 10,000,003 USDC, and 100 BTC at 110,000; of the deposits only those after it are in `net`.
  expect(points).toEqual([{ time: MIDNIGHT + HOUR, equity: '21000003', net: '2' }]);
  expect(latest).toMatchObject({ equity: '21000003', net: '2' });
  await projector.stop();
});

test('a summary adds up trades, volume and fees by coin from a full hour on, for both sides of a trade', async () => {
  projector = await room.start();
  setClock(MIDNIGHT);
  await exchange(ALICE, BOB, 100_000);
  setClock(MIDNIGHT + DAY + 30 * 60_000);
  await exchange(ALICE, BOB, 10_000);
  await exchange(BOB, ALICE, 10_000);
  const portfolio = await written();
  const day = await portfolio.summary({ account: BOB, range: '1d', scope: 'all' });
  // Bob bought 1.1 BTC as the taker (0.1 %) and sold 0.1 as the maker (0.05 %).
  expect(day).toEqual({
    range: '1d',
    scope: 'all',
    since: MIDNIGHT,
    until: room.clock.now,
    trades: 3,
    volume: '120000',
    fees: [
      { coin: 'USDC', amount: '5', value: '5' },
      { coin: 'BTC', amount: '0.0011', value: '110' },
    ],
    feesValue: '115',
    closedPositions: 0,
    wonPositions: 0,
  });
  expect(await portfolio.summary({ account: BOB, range: '1d', scope: 'spot' })).toMatchObject({
    trades: 3,
    volume: '120000',
    feesValue: '115',
  });
  expect(await portfolio.summary({ account: BOB, range: '1d', scope: 'futures' })).toMatchObject({
    trades: 0,
    volume: '0',
    fees: [],
    feesValue: '0',
  });
  setClock(MIDNIGHT + DAY + HOUR);
  await price(1_000_000);
  expect(await (await written()).summary({ account: BOB, range: '1d', scope: 'all' })).toMatchObject({
    since: MIDNIGHT + HOUR,
    trades: 2,
    volume: '20000',
  });
  expect(await portfolio.summary({ account: ALICE, range: '7d', scope: 'all' })).toMatchObject({
    trades: 3,
    volume: '120000',
    feesValue: '65',
  });
  expect(await portfolio.summary({ account: accountId(3), range: '7d', scope: 'all' })).toMatchObject({
    trades: 0,
    volume: '0',
    fees: [],
    feesValue: '0',
  });
  await projector.stop();
});

test(`J1: hours written in pieces, with restarts within an hour, are those that a rebuild writes, and end with the balances (seed ${SEED})`, async () => {
  const random = seededRandom(SEED);
  for (let piece = 0; piece < 8; piece++) {
    projector = await room.start();
    await price(950_000 + piece * 10_000);
    await trade(heart, { random, commands: 60, label: `q${piece}` });
    await room.caughtUp(projector);
    await projector.stop();
    if (piece % 2 === 1) room.clock.now += HOUR + Math.floor(random() * HOUR);
  }
  const inPieces = await room.everything();
  expect(inPieces['projector_hour']?.length).toBeGreaterThan(PEOPLE * 2 * 2);
  expect(inPieces['projector_index_price']?.length).toBeGreaterThan(1);
  await emptyProjection(room.db.sql);
  projector = await room.start();
  const portfolio = await written();
  expect(await room.everything()).toEqual(inPieces);
  const balances = new BalancesView();
  load(heart.open(), balances);
  for (let person = 1; person <= PEOPLE; person++) {
    const account = accountId(person);
    const held = (asset: typeof USDC): bigint =>
      balances
        .of(account)
        .filter((balance) => balance.asset === asset)
        .reduce((sum, { free, held: reserved }) => sum + free + reserved, 0n);
    // One lot of 1,000 atoms at one tick is one atom of USDC.
    const worth = held(USDC) + (held(BTC) * 1_020_000n) / 1_000n;
    const { latest } = await portfolio.history({ account, range: '1d', scope: 'all' });
    expect(latest?.equity.replace(/^(\d+)\.?(\d*)$/, (_, whole: string, part: string) => whole + part.padEnd(6, '0'))).toBe(String(worth));
  }
  await projector.stop();
  expect(room.troubles).toEqual([]);
});

/** USDC atoms. */
const atomsIn = (text: string): bigint => {
  const [whole = '', part = ''] = text.replace('-', '').split('.');
  return BigInt(whole + part.padEnd(6, '0')) * (text.startsWith('-') ? -1n : 1n);
};

interface NaivePoint {
  readonly time: number;
  readonly equity: bigint;
  readonly net: bigint;
}

/** What one person's account was worth at each of the times, from nothing but deposits, withdrawals, trades with their fees, and prices. */
function naivePoints(person: number, times: readonly number[]): readonly NaivePoint[] {
  let [usdc, btc, net, tick] = [0n, 0n, 0n, 0n];
  // One lot of 1,000 atoms at one tick is one atom of USDC.
  const worth = (amount: bigint): bigint => (amount * tick) / 1_000n;
  const steps = heart.history.flatMap(({ at, events }) => events.map((event) => ({ at, event })));
  const found: NaivePoint[] = [];
  let step = 0;
  for (const time of times) {
    for (let next = steps[step]; next !== undefined && next.at < time; next = steps[++step]) {
      const { event } = next;
      if (event.type === 'IndexPriceSet' && event.market === BTC_USDC) tick = BigInt(event.price);
      else if (event.type === 'DepositCredited' && event.account === person) {
        if (event.asset === USDC) usdc += event.amount;
        else btc += event.amount;
        net += event.asset === USDC ? event.amount : worth(event.amount);
      } else if (event.type === 'WithdrawalPosted' && event.account === person) {
        usdc -= event.amount;
        net -= event.amount;
      } else if (event.type === 'Trade') {
        const sides = [
          { account: event.takerAccount, isBuyer: event.takerSide === 'buy', fee: event.takerFee },
          { account: event.makerAccount, isBuyer: event.takerSide === 'sell', fee: event.makerFee },
        ];
        for (const { isBuyer, fee } of sides.filter(({ account }) => account === person)) {
          usdc += isBuyer ? 0n - event.notional : event.notional - fee;
          btc += isBuyer ? BigInt(event.size) * 1_000n - fee : BigInt(event.size) * -1_000n;
        }
      }
    }
    found.push({ time, equity: usdc + worth(btc), net });
  }
  return found;
}

test(`the profit of any period is the change of equity less what came in, to the atom, from the first deposit on (seed ${SEED})`, async () => {
  const random = seededRandom(SEED + 1);
  setClock(MIDNIGHT + 20 * 60_000);
  heart = await room.begin();
  projector = await room.start();
  for (let piece = 0; piece < 12; piece++) {
    await price(950_000 + Math.floor(random() * 100_000));
    await trade(heart, { random, commands: 40, label: `p${piece}` });
    await deposit(BigInt(1 + Math.floor(random() * 1e9)), random() < 0.5 ? USDC : BTC);
    if (random() < 0.3) room.clock.now += HOUR + Math.floor(random() * 3 * HOUR);
  }
  const portfolio = await written();
  for (let person = 1; person <= PEOPLE; person++) {
    const { points, latest } = await portfolio.history({ account: accountId(person), range: '7d', scope: 'all' });
    const all = [...points, ...(latest === null ? [] : [latest])];
    expect(all.length).toBeGreaterThanOrEqual(2);
    expect(all[0]).toEqual({ time: MIDNIGHT, equity: '0', net: '0' });
    // The newest is after everything.
    const naive = naivePoints(
      person,
      all.map(({ time }) => (time === latest?.time ? Number.POSITIVE_INFINITY : time)),
    );
    expect(all.map(({ equity, net }) => atomsIn(equity) - atomsIn(net))).toEqual(naive.map(({ equity, net }) => equity - net));
  }
  await projector.stop();
});
