import type { Applied, Heart } from '@orrery/protocol';
import { accountId, atoms, millis, orderId, seq } from '@orrery/units';
import { BalancesView, load, MarketsView, totalOf } from '@orrery/views';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../../exchange/src/database.ts';
import { registerListing } from '../../../exchange/src/listing.ts';
import { MemoryHeart } from '../../../exchange/src/testing/memory-heart.ts';
import { temporaryDatabase } from '../../../exchange/src/testing/temporary-database.ts';
import { emptyProjection, History, type HistorySource, migrations, type Projector, type ProjectorTables, startProjector } from './index.ts';
import { COUNT_DAYS, TABLES } from './tables.ts';
import { openMarket, PEOPLE, seededRandom, trade } from './testing/market-day.ts';

const SEED = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31));

let db: Database<ProjectorTables>;
let heart: MemoryHeart;
const clock = { now: 1_795_000_000_000 };
const troubles: unknown[] = [];
let projector: Awaited<ReturnType<typeof start>>;

const sourceOf = (over: Heart): HistorySource => ({
  seq: () => over.status().seq,
  present: () => over.open(),
  subscribe: (after) => over.subscribe(after),
});

async function start(over: Heart = heart): Promise<Projector & { readonly history: History }> {
  const started = await startProjector({ source: sourceOf(over), db: db.sql, onTrouble: (error) => troubles.push(error) });
  const markets = new MarketsView();
  load(over.open(), markets);
  const history = new History({ db: db.sql, markets, reached: (at) => started.reached(at) });
  return Object.assign(started, { history });
}

beforeAll(async () => {
  db = await temporaryDatabase<ProjectorTables>(migrations);
});
afterAll(() => db.close());
beforeEach(async () => {
  troubles.length = 0;
  await emptyProjection(db.sql);
  heart = new MemoryHeart(() => {
    clock.now += 700;
    return clock.now;
  });
  await registerListing(heart);
  await openMarket(heart);
});

/** Every row of every table, in an order of its own. */
async function everything(): Promise<Record<string, readonly string[]>> {
  const tables: Record<string, readonly string[]> = {};
  for (const table of TABLES)
    tables[table] = (await db.sql.selectFrom(table).selectAll().execute()).map((row) => JSON.stringify(row)).sort();
  return tables;
}

async function caughtUp(): Promise<void> {
  await projector.reached(heart.status().seq);
  expect(projector.status()).toEqual({ seq: heart.status().seq, lag: 0, failure: undefined });
}

describe('history', () => {
  test(`J1, J4: written in pieces it is the same as written at once, and adds up to the balances (seed ${SEED})`, async () => {
    const random = seededRandom(SEED);
    for (let piece = 0; piece < 6; piece++) {
      projector = await start();
      await trade(heart, { random, commands: 250, label: `p${piece}` });
      // Stopped in the middle of its work every second time.
      if (piece % 2 === 0) await caughtUp();
      await projector.stop();
    }
    projector = await start();
    await caughtUp();
    await projector.stop();
    const inPieces = await everything();
    expect(inPieces['projector_fill']?.length).toBeGreaterThan(100);
    expect(inPieces['projector_bill']?.length).toBeGreaterThan(100);
    expect(inPieces['projector_withdrawal']?.length).toBeGreaterThan(5);

    await emptyProjection(db.sql);
    projector = await start();
    await caughtUp();
    expect(await everything()).toEqual(inPieces);

    const balances = new BalancesView();
    load(heart.open(), balances);
    for (let person = 1; person <= PEOPLE; person++) {
      for (const balance of balances.of(accountId(person))) {
        const bills = await db.sql
          .selectFrom('projector_bill')
          .select('amount')
          .where('account', '=', person)
          .where('wallet', '=', balance.wallet)
          .where('asset', '=', balance.asset)
          .execute();
        expect(bills.reduce((sum, bill) => sum + BigInt(bill.amount), 0n)).toBe(totalOf(balance));
      }
    }
    await projector.stop();
    expect(troubles).toEqual([]);
  });

  test(`F4: a day counts trades with others for a fee, as its rows tell (seed ${SEED})`, async () => {
    projector = await start();
    const firstDay = clock.now;
    for (let day = 0; day < 3; day++) {
      await trade(heart, { random: seededRandom(SEED + 2 + day), commands: 150, label: `y${day}` });
      clock.now += 86_400_000;
    }
    await caughtUp();
    const counted = (await everything())['projector_day'];
    expect(counted?.length).toBeGreaterThan(PEOPLE * 2);
    await db.sql.deleteFrom('projector_day').execute();
    for (const statement of COUNT_DAYS) await sql.raw(statement).execute(db.sql);
    expect((await everything())['projector_day']).toEqual(counted);

    const one = accountId(1);
    const own = await db.sql.selectFrom('projector_fill').selectAll().where('account', '=', 1).execute();
    const others = await db.sql.selectFrom('projector_fill').selectAll().where('account', '<>', 1).execute();
    const counting = own.filter((fill) => others.some(({ trade_id }) => trade_id === fill.trade_id));
    const deeds = (from: number, until: number) => projector.history.dayDeeds({ accounts: [one], from, until });
    const whole = await deeds(0, clock.now);
    expect(whole.reduce((sum, { trades }) => sum + trades, 0)).toBe(counting.length);
    expect(whole.reduce((sum, { volume }) => sum + volume, 0n)).toBe(counting.reduce((sum, { notional }) => sum + BigInt(notional), 0n));
    expect(await deeds(clock.now, clock.now)).toEqual([]);
    expect(await projector.history.dayDeeds({ accounts: [], from: 0, until: clock.now })).toEqual([]);
    const both = await projector.history.dayDeeds({ accounts: [one, accountId(2)], from: 0, until: clock.now });
    expect(both.filter(({ account }) => account === one)).toEqual(whole);
    expect(both.length).toBeGreaterThan(whole.length);
    const today = counting.filter(({ at }) => Math.floor(at / 86_400_000) === Math.floor(firstDay / 86_400_000));
    expect((await deeds(firstDay, firstDay)).map(({ dayAt, trades }) => [dayAt, trades])).toEqual([
      [firstDay - (firstDay % 86_400_000), today.length],
    ]);
    const partners = new Set(others.filter(({ trade_id }) => own.some((fill) => fill.trade_id === trade_id)).map(({ account }) => account));
    const [only] = partners;
    const except = accountId(only ?? 2);
    expect(await projector.history.countTraders({ accounts: [one, accountId(999)], except })).toBe(partners.size > 1 ? 1 : 0);
    expect(await projector.history.countTraders({ accounts: [one], except: accountId(999) })).toBe(1);
    // With a single trade left: whoever stood on its other side does not count.
    const [last] = own;
    const other = accountId(others.find(({ trade_id }) => trade_id === last?.trade_id)?.account ?? 0);
    await db.sql
      .deleteFrom('projector_fill')
      .where('trade_id', '<>', last?.trade_id ?? 0)
      .execute();
    expect(await projector.history.countTraders({ accounts: [one], except: other })).toBe(0);
    expect(await projector.history.countTraders({ accounts: [one], except: accountId(999) })).toBe(1);
    expect([await projector.history.hasTraded(one), await projector.history.hasTraded(accountId(999))]).toEqual([true, false]);
    await projector.stop();
  });

  test(`J1: a database that dies while history is written leaves nothing out and nothing twice (seed ${SEED})`, async () => {
    projector = await start();
    const random = seededRandom(SEED + 1);
    for (let death = 0; death < 3; death++) {
      await trade(heart, { random, commands: 150, label: `d${death}` });
      await cutConnections();
    }
    await projector.reached(heart.status().seq);
    await projector.stop();
    const survived = await everything();
    await emptyProjection(db.sql);
    projector = await start();
    await caughtUp();
    expect(await everything()).toEqual(survived);
    await projector.stop();
  });

  test('J2: a gap stops the projector, and nothing after it is written', async () => {
    const missing = heart.history.length - 3;
    const gappy: Heart = {
      submit: (command) => heart.submit(command),
      open: () => heart.open(),
      status: () => heart.status(),
      async *subscribe(after) {
        for await (const batch of heart.subscribe(after)) yield batch.filter((applied: Applied) => applied.seq !== missing);
      },
    };
    projector = await start(gappy);
    const waiting = projector.reached(heart.status().seq).catch((error: unknown) => String(error));
    await expect.poll(() => projector.status().failure).toBe(`after command ${missing - 1} came ${missing + 1}`);
    expect((await db.sql.selectFrom('projector_offset').select('seq').executeTakeFirstOrThrow()).seq).toBe(0);
    expect(await waiting).toBe('ApiError: history is not written at present');
    await expect(projector.reached(heart.status().seq)).rejects.toThrow('history is not written at present');
    await projector.stop();
  });

  test('J2: a database that is ahead of the journal is refused', async () => {
    await db.sql.updateTable('projector_offset').set({ seq: 1_000_000 }).execute();
    await expect(start()).rejects.toThrow(/^the database holds history up to command 1000000, the journal ends at \d+$/);
  });

  test('two projectors on one database do not write the same history twice', async () => {
    projector = await start();
    await caughtUp();
    const other = await start();
    await trade(heart, { random: seededRandom(SEED + 2), commands: 200, label: 'two' });
    await Promise.all([projector.reached(heart.status().seq), other.reached(heart.status().seq)]);
    await projector.stop();
    await other.stop();
    const written = await everything();
    await emptyProjection(db.sql);
    projector = await start();
    await caughtUp();
    expect(await everything()).toEqual(written);
    await projector.stop();
  });
});

/** All but the one that asks, in the middle of whatever they do. */
async function cutConnections(): Promise<void> {
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and usename = current_user`.execute(
    db.sql,
  );
}

describe('what is asked of history', () => {
  const [alice, bob] = [accountId(1), accountId(2)];
  const order = {
    type: 'PlaceOrder',
    market: 1 as never,
    clientOrderId: '',
    orderType: 'limit',
    timeInForce: 'GTC',
    price: 1_000_000 as never,
    size: 10_000 as never,
    funds: atoms(0n),
    triggerPrice: 0 as never,
    slippagePpm: 0 as never,
    selfTradePrevention: 'expireTaker',
  } as const;

  async function place(account: typeof alice, change: object) {
    const { events } = await heart.submit({ ...order, account, side: 'buy', ...change });
    const accepted = events.find((event) => event.type === 'OrderAccepted');
    return accepted?.type === 'OrderAccepted' ? accepted.orderId : orderId(999_999);
  }

  beforeEach(async () => {
    projector = await start();
  });

  test('S2: an order that is over, with its fills, for its own account only', async () => {
    const resting = await place(alice, { side: 'sell', clientOrderId: 'mine', size: 20_000 });
    const taking = await place(bob, { side: 'buy' });
    const canceled = await place(bob, { price: 999_000 });
    await heart.submit({ type: 'CancelOrder', account: bob, orderId: canceled, clientOrderId: '' });
    await caughtUp();
    const { history } = projector;
    expect(await history.order({ account: alice, orderId: resting })).toBeUndefined();
    expect(await history.order({ account: alice, orderId: taking })).toBeUndefined();
    expect(await history.order({ account: bob, orderId: taking })).toMatchObject({
      orderId: String(taking),
      symbol: 'BTC_USDC',
      orderSide: 'BUY',
      orderType: 'LIMIT',
      timeInForce: 'GTC',
      price: '100000',
      origQty: '0.1',
      executedQty: '0.1',
      executedValue: '10000',
      avgPrice: '100000',
      state: 3,
      closeReason: 'filled',
      stopPrice: null,
      funds: null,
    });
    const page = { account: bob, page: 1, size: 10 };
    expect((await history.orders(page)).items.map((each) => [each.orderId, each.state])).toEqual([
      [String(canceled), 4],
      [String(taking), 3],
    ]);
    expect((await history.orders({ ...page, state: 3 })).items.map((each) => each.orderId)).toEqual([String(taking)]);
    expect(await history.orders({ ...page, symbol: 'ETH_USDC' })).toEqual({ items: [], total: 0 });
    expect(await history.orders({ ...page, symbol: 'NO_SUCH' })).toEqual({ items: [], total: 0 });
    expect((await history.fills(page)).items).toMatchObject([
      {
        orderId: String(taking),
        execId: '1',
        symbol: 'BTC_USDC',
        quantity: '0.1',
        price: '100000',
        value: '10000',
        fee: '0.0001',
        feeCoin: 'BTC',
        orderSide: 'BUY',
        takerMaker: 'TAKER',
      },
    ]);
    expect((await history.fills({ ...page, account: alice })).items).toMatchObject([
      { orderId: String(resting), clientOrderId: 'mine', fee: '5', feeCoin: 'USDC', orderSide: 'SELL', takerMaker: 'MAKER' },
    ]);
    const at = (await history.fills(page)).items[0]?.timestamp ?? 0;
    const paidFee = (from: number, until: number) => history.hasPaidFee({ account: bob, from, until });
    expect([await paidFee(at, at + 1), await paidFee(at + 1, at + 9), await paidFee(0, at)]).toEqual([true, false, false]);
    await projector.stop();
  });

  test('A9: bills tell every change with the balance after it; pages follow each other', async () => {
    await place(alice, { side: 'sell' });
    await place(bob, { side: 'buy' });
    await caughtUp();
    const { history } = projector;
    const { items, total } = await history.bills({ account: bob, page: 1, size: 3 });
    expect(items.map(({ coin, account, type, amount, afterAmount }) => [coin, account, type, amount, afterAmount])).toEqual([
      ['BTC', 'spot', 'FEE', '-0.0001', '50.0999'],
      ['BTC', 'spot', 'TRADE', '0.1', '50.1'],
      ['USDC', 'spot', 'TRADE', '-10000', '4990000'],
    ]);
    const rest = await history.bills({ account: bob, page: 2, size: 100 });
    expect(rest).toEqual({ items: [], total });
    expect(total).toBe(9);
    expect((await history.bills({ account: bob, page: 1, size: 10, kind: 'DEPOSIT', coin: 'USDC' })).items).toMatchObject([
      { amount: '10000000' },
    ]);
    expect((await history.bills({ account: bob, page: 1, size: 10, wallet: 'funding', kind: 'TRANSFER' })).total).toBe(2);
    expect((await history.bills({ account: bob, page: 1, size: 10, reference: 'first-2' })).items.map(({ coin }) => coin)).toEqual([
      'BTC',
      'BTC',
    ]);
    expect((await history.bills({ account: bob, page: 1, size: 10, endTime: millis(1) })).total).toBe(0);
    await projector.stop();
  });

  test('A9: transfers and withdrawals with their state', async () => {
    const withdrawalId = `0x${'7'.repeat(64)}`;
    await heart.submit({
      type: 'RequestWithdrawal',
      account: alice,
      withdrawalId,
      asset: 1 as never,
      amount: atoms(2_500_000n),
      to: `0x${'9'.repeat(40)}` as never,
    });
    await caughtUp();
    const page = { account: alice, page: 1, size: 10 };
    expect((await projector.history.withdrawals(page)).items).toMatchObject([
      { withdrawalId, coin: 'USDC', amount: '2.5', state: 'HELD', txHash: null },
    ]);
    await heart.submit({ type: 'MarkWithdrawalSent', withdrawalId, txHash: `0x${'a'.repeat(64)}` });
    await caughtUp();
    expect((await projector.history.withdrawals(page)).items).toMatchObject([{ state: 'SENT', txHash: `0x${'a'.repeat(64)}` }]);
    await heart.submit({ type: 'RefundWithdrawal', withdrawalId });
    await caughtUp();
    expect((await projector.history.withdrawals(page)).items).toMatchObject([{ state: 'REFUNDED' }]);
    expect((await projector.history.transfers({ ...page, coin: 'BTC' })).items).toMatchObject([
      { transferId: 'first-2', amount: '50', from: 'funding', to: 'spot' },
    ]);
    await projector.stop();
  });

  test('F4: an award that was taken back is a bill and a line of the history of points, below zero', async () => {
    const points = 7 as never;
    const budget = 'rewards';
    await heart.submit({ type: 'FundBudget', key: 'f', budget, asset: points, amount: atoms(1_000n) });
    await heart.submit({ type: 'AwardFromBudget', key: 'a', budget, account: alice, asset: points, amount: atoms(700n) });
    await heart.submit({ type: 'AwardFromBudget', key: 'b', budget, account: alice, asset: points, amount: atoms(200n) });
    await heart.submit({ type: 'ReverseAward', key: 'a', awardKey: 'a' });
    await caughtUp();
    expect(await projector.history.points(alice)).toBe(200n);
    const { items } = await projector.history.bills({ account: alice, page: 1, size: 3, coin: 'POINTS' });
    expect(items.map(({ type, amount, afterAmount, reference }) => [type, amount, afterAmount, reference])).toEqual([
      ['AWARD_REVERSAL', '-700', '200', 'a'],
      ['AWARD', '200', '900', 'b'],
      ['AWARD', '700', '700', 'a'],
    ]);
    const rows = await db.sql.selectFrom('projector_award').select(['key', 'amount']).orderBy('seq').execute();
    expect(rows.map(({ key, amount }) => [key, amount])).toEqual([
      ['a', '700'],
      ['b', '200'],
      ['a reversed', '-700'],
    ]);
    await projector.stop();
  });

  test('of orders that closed without a fill the latest 10,000 are kept, however history was written', async () => {
    const placed: number[] = [];
    for (let n = 0; n < 10_005; n++) {
      const id = await place(alice, { price: 950_000, size: 1_000 });
      await heart.submit({ type: 'CancelOrder', account: alice, orderId: id, clientOrderId: '' });
      placed.push(id);
      if (n % 2_500 === 0) await caughtUp();
    }
    await caughtUp();
    const { total } = await projector.history.orders({ account: alice, page: 1, size: 10 });
    expect(total).toBe(10_000);
    expect(await projector.history.order({ account: alice, orderId: orderId(placed[4] ?? 0) })).toBeUndefined();
    expect(await projector.history.order({ account: alice, orderId: orderId(placed[5] ?? 0) })).toMatchObject({
      state: 4,
      closeReason: 'canceledByAccount',
    });
    await projector.stop();
  });

  test('S4: minutes and trades of a market, oldest first', async () => {
    await place(alice, { side: 'sell', size: 20_000 });
    await place(bob, { size: 10_000 });
    clock.now += 60_000;
    await place(bob, { size: 10_000 });
    await caughtUp();
    const trades = await projector.history.trades({ market: 1 as never });
    expect(trades.map(({ tradeId, price, size, takerSide }) => [tradeId, price, size, takerSide])).toEqual([
      [1, 1_000_000, 10_000, 'buy'],
      [2, 1_000_000, 10_000, 'buy'],
    ]);
    const minutes = await projector.history.minutes({ market: 1 as never });
    expect(minutes.map(({ open, close, volume, quoteVolume }) => [open, close, volume, quoteVolume])).toEqual([
      [1_000_000, 1_000_000, 10_000, 10_000_000_000n],
      [1_000_000, 1_000_000, 10_000, 10_000_000_000n],
    ]);
    expect(await projector.history.trades({ market: 2 as never })).toEqual([]);
    await projector.stop();
  });

  test('T4: what an account has done so far', async () => {
    await place(alice, { side: 'sell' });
    await place(bob, { side: 'buy' });
    await caughtUp();
    expect(await projector.history.activity(bob)).toMatchObject({
      orders: 1,
      volume: 10_000_000_000n,
      firstDepositAt: expect.any(Number),
      firstClaimAt: undefined,
    });
    expect(await projector.history.activity(accountId(77))).toMatchObject({ orders: 0, volume: 0n, firstOrderAt: undefined });
    await projector.stop();
  });

  test('reading waits for what was written: reached resolves at the command, not before', async () => {
    const wanted = seq(heart.history.length + 2);
    let there = false;
    const wait = async () => {
      await projector.reached(wanted);
      there = true;
    };
    const waiting = wait();
    await place(alice, { side: 'sell' });
    await projector.reached(seq(wanted - 1));
    expect(there).toBe(false);
    await place(bob, { side: 'buy' });
    await waiting;
    expect((await projector.history.fills({ account: bob, page: 1, size: 10 })).total).toBe(1);
    await projector.stop();
  });
});
