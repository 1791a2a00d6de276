import type { Applied, Heart } from '@orrery/protocol';
import { accountId, addressOf, assetId, atoms } from '@orrery/units';
import { BalancesView, load, totalOf } from '@orrery/views';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../../exchange/src/database.ts';
import type { MemoryHeart } from '../../../exchange/src/testing/memory-heart.ts';
import { emptyProjection, type ProjectorTables } from './index.ts';
import { COUNT_DAYS } from './tables.ts';
import { PEOPLE, seededRandom, trade } from './testing/market-day.ts';
import { Room, type StartedProjector } from './testing/room.ts';

const SEED = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31));

let room: Room;
let db: Database<ProjectorTables>;
let heart: MemoryHeart;
let projector: StartedProjector;

beforeAll(async () => {
  room = await Room.open();
  db = room.db;
});
afterAll(() => db.close());
beforeEach(async () => {
  heart = await room.begin();
});

describe('history', () => {
  test(`J1, J4: written in pieces it is the same as written at once, and adds up to the balances (seed ${SEED})`, async () => {
    const random = seededRandom(SEED);
    for (let piece = 0; piece < 6; piece++) {
      projector = await room.start();
      await trade(heart, { random, commands: 250, label: `p${piece}` });
      // Stopped in the middle of its work every second time.
      if (piece % 2 === 0) await room.caughtUp(projector);
      await projector.stop();
    }
    projector = await room.start();
    await room.caughtUp(projector);
    await projector.stop();
    const inPieces = await room.everything();
    expect(inPieces['projector_fill']?.length).toBeGreaterThan(100);
    expect(inPieces['projector_bill']?.length).toBeGreaterThan(100);
    expect(inPieces['projector_withdrawal']?.length).toBeGreaterThan(5);

    await emptyProjection(db.sql);
    projector = await room.start();
    await room.caughtUp(projector);
    expect(await room.everything()).toEqual(inPieces);

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
    expect(room.troubles).toEqual([]);
  });

  test(`F4: a day counts trades for a fee as its rows say, without those of the accounts of a query with one another (seed ${SEED})`, async () => {
    projector = await room.start();
    const firstDay = room.clock.now;
    for (let day = 0; day < 3; day++) {
      await trade(heart, { random: seededRandom(SEED + 2 + day), commands: 150, label: `y${day}` });
      room.clock.now += 86_400_000;
    }
    // Every kind of movement is there, whatever was drawn.
    const withdrawal = {
      account: accountId(1),
      withdrawalId: `0x${'f'.repeat(64)}`,
      asset: assetId(1),
      amount: atoms(1n),
      to: addressOf(`0x${'9'.repeat(40)}`),
    };
    await heart.submit({ type: 'RequestWithdrawal', ...withdrawal });
    const paid = { withdrawalId: withdrawal.withdrawalId, txHash: `0x${'a'.repeat(64)}` };
    await heart.submit({ type: 'MarkWithdrawalSent', ...paid });
    await heart.submit({ type: 'PostWithdrawal', ...paid });
    await room.caughtUp(projector);
    const counted = (await room.everything())['projector_day'];
    expect(counted?.length).toBeGreaterThan(PEOPLE * 2);
    await db.sql.deleteFrom('projector_day').execute();
    for (const statement of COUNT_DAYS) await sql.raw(statement).execute(db.sql);
    expect((await room.everything())['projector_day']).toEqual(counted);

    const one = accountId(1);
    const own = await db.sql.selectFrom('projector_fill').selectAll().where('account', '=', 1).execute();
    const others = await db.sql.selectFrom('projector_fill').selectAll().where('account', '<>', 1).execute();
    const counting = own.filter((fill) => others.some(({ trade_id }) => trade_id === fill.trade_id));
    const activity = (from: number, until: number) => projector.history.dayActivity({ accounts: [one], from, until });
    const whole = await activity(0, room.clock.now);
    expect(whole.reduce((sum, { trades }) => sum + trades, 0)).toBe(counting.length);
    expect(whole.reduce((sum, { volume }) => sum + volume, 0n)).toBe(counting.reduce((sum, { notional }) => sum + BigInt(notional), 0n));
    expect(await activity(room.clock.now, room.clock.now)).toEqual([]);
    expect(await projector.history.dayActivity({ accounts: [], from: 0, until: room.clock.now })).toEqual([]);
    const both = await projector.history.dayActivity({ accounts: [one, accountId(2)], from: 0, until: room.clock.now });
    expect(both.length).toBeGreaterThan(whole.length);
    // What the two traded with one another is in neither's days.
    const withTwo = new Set(others.filter(({ account }) => account === 2).map(({ trade_id }) => trade_id));
    const outside = own.filter(({ trade_id }) => !withTwo.has(trade_id));
    expect(outside.length).toBeLessThan(own.length);
    const beside = both.filter(({ account }) => account === one);
    expect(beside.map(({ dayAt, orders }) => [dayAt, orders])).toEqual(whole.map(({ dayAt, orders }) => [dayAt, orders]));
    expect(beside.reduce((sum, { trades }) => sum + trades, 0)).toBe(outside.length);
    expect(beside.reduce((sum, { volume }) => sum + volume, 0n)).toBe(outside.reduce((sum, { notional }) => sum + BigInt(notional), 0n));
    const today = counting.filter(({ at }) => Math.floor(at / 86_400_000) === Math.floor(firstDay / 86_400_000));
    expect((await activity(firstDay, firstDay)).map(({ dayAt, trades }) => [dayAt, trades])).toEqual([
      [firstDay - (firstDay % 86_400_000), today.length],
    ]);
    const bills = await db.sql.selectFrom('projector_bill').selectAll().where('wallet', '=', 'funding').orderBy('id').execute();
    const moves = await projector.history.fundingMoves({ accounts: [one, accountId(2)], assets: [assetId(1)] });
    const ofTheTwo = bills.filter(({ account, asset }) => account <= 2 && asset === 1);
    expect(moves.map(({ account, kind, amount, reference }) => [account, kind, String(amount), reference])).toEqual(
      ofTheTwo.map(({ account, kind, amount, reference }) => [account, kind, amount, reference]),
    );
    expect(new Set(moves.map(({ kind }) => kind))).toEqual(new Set(['DEPOSIT', 'TRANSFER', 'WITHDRAW']));
    const partners = new Set(others.filter(({ trade_id }) => own.some((fill) => fill.trade_id === trade_id)).map(({ account }) => account));
    const [only] = partners;
    const except = accountId(only ?? 2);
    expect(await projector.history.countTraders({ accounts: [one, accountId(999)], except: [except] })).toBe(partners.size > 1 ? 1 : 0);
    expect(await projector.history.countTraders({ accounts: [one], except: [accountId(999)] })).toBe(1);
    // With a single trade left: its counterparty does not count.
    const [last] = own;
    const other = accountId(others.find(({ trade_id }) => trade_id === last?.trade_id)?.account ?? 0);
    await db.sql
      .deleteFrom('projector_fill')
      .where('trade_id', '<>', last?.trade_id ?? 0)
      .execute();
    expect(await projector.history.countTraders({ accounts: [one], except: [other] })).toBe(0);
    expect(await projector.history.countTraders({ accounts: [one], except: [accountId(999)] })).toBe(1);
    expect([await projector.history.hasTraded(one), await projector.history.hasTraded(accountId(999))]).toEqual([true, false]);
    await projector.stop();
  });

  test(`J1: a database that dies while history is written leaves nothing out and nothing twice (seed ${SEED})`, async () => {
    projector = await room.start();
    const random = seededRandom(SEED + 1);
    for (let death = 0; death < 3; death++) {
      await trade(heart, { random, commands: 150, label: `d${death}` });
      await cutConnections();
    }
    await projector.reached(heart.status().seq);
    await projector.stop();
    const survived = await room.everything();
    await emptyProjection(db.sql);
    projector = await room.start();
    await room.caughtUp(projector);
    expect(await room.everything()).toEqual(survived);
    await projector.stop();
  });

  test('J2: a gap stops the projector, and nothing after it is written', async () => {
    const missing = heart.history.length - 3;
    const gappy: Heart = {
      submit: (command) => heart.submit(command),
      open: () => heart.open(),
      status: () => heart.status(),
      end: () => heart.end(),
      async *subscribe(after) {
        for await (const batch of heart.subscribe(after)) yield batch.filter((applied: Applied) => applied.seq !== missing);
      },
    };
    projector = await room.start(gappy);
    const waiting = projector.reached(heart.status().seq).catch((error: unknown) => String(error));
    await expect.poll(() => projector.status().failure).toBe(`after command ${missing - 1} came ${missing + 1}`);
    expect((await db.sql.selectFrom('projector_offset').select('seq').executeTakeFirstOrThrow()).seq).toBe(0);
    expect(await waiting).toBe('ApiError: history is not written at present');
    await expect(projector.reached(heart.status().seq)).rejects.toThrow('history is not written at present');
    await projector.stop();
  });

  test('J2: a database that is ahead of the journal is refused', async () => {
    await db.sql.updateTable('projector_offset').set({ seq: 1_000_000 }).execute();
    await expect(room.start()).rejects.toThrow(
      /^History in SQL is written up to command 1000000, but the journal ends with command \d+, .* run `npm run rebuild-history`\.$/,
    );
  });

  test('J2: rows without an offset are refused; without rows history begins', async () => {
    projector = await room.start();
    await room.caughtUp(projector);
    await projector.stop();
    await db.sql.deleteFrom('projector_offset').execute();
    await expect(room.start()).rejects.toThrow(/^History in SQL has rows, but the row .* is missing: .* run `npm run rebuild-history`\.$/);
    await emptyProjection(db.sql);
    await db.sql.deleteFrom('projector_offset').execute();
    projector = await room.start();
    await room.caughtUp(projector);
    await projector.stop();
  });

  test('two projectors on one database do not write the same history twice', async () => {
    projector = await room.start();
    await room.caughtUp(projector);
    const other = await room.start();
    await trade(heart, { random: seededRandom(SEED + 2), commands: 200, label: 'two' });
    await Promise.all([projector.reached(heart.status().seq), other.reached(heart.status().seq)]);
    await projector.stop();
    await other.stop();
    const written = await room.everything();
    await emptyProjection(db.sql);
    projector = await room.start();
    await room.caughtUp(projector);
    expect(await room.everything()).toEqual(written);
    await projector.stop();
  });
});

/** All but the one that asks, in the middle of whatever they do. */
async function cutConnections(): Promise<void> {
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()`.execute(
    db.sql,
  );
}
