import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { HistoryLives, MINUTES_KEPT_DAYS, RECORDS_KEPT_DAYS } from './lives.ts';
import { seededRandom, trade } from './testing/market-day.ts';
import { Room } from './testing/room.ts';

const SEED = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const [MINUTE_MS, HOUR_MS, DAY_MS] = [60_000, 3_600_000, 86_400_000];

let room: Room;
beforeAll(async () => {
  room = await Room.open();
});
afterAll(() => room.db.close());
beforeEach(() => room.begin());

async function steps(lives = new HistoryLives(room.db.sql)): Promise<number> {
  let taken = 0;
  for (; await lives.step(); taken += 1) await nextTurn();
  return taken;
}

/** Writes down a market day, and then says that history is at a later time. */
async function writtenDaysAgo(days: number): Promise<void> {
  const projector = await room.start();
  await trade(room.heart, { random: seededRandom(SEED), commands: 700, label: 'l' });
  await room.caughtUp(projector);
  await projector.stop();
  await age(days);
}

async function age(days: number): Promise<void> {
  await room.db.sql
    .updateTable('projector_offset')
    .set({ at: room.clock.now + days * DAY_MS })
    .execute();
}

const at = (minute: number): number => Date.UTC(2026, 0, 1) + minute * MINUTE_MS;

test('minutes of trades older than 45 days are joined into hours, and the others stay', async () => {
  const { sql } = room.db;
  const minute = (open_time: number, prices: readonly [number, number, number, number], volume: number) => {
    const [open, high, low, close] = prices;
    return { market: 1, open_time, open, high, low, close, volume, quote_volume: String(1_000 * volume) };
  };
  const young = minute(at(2 * 1_440), [5, 6, 4, 5], 1);
  await sql
    .insertInto('projector_candle')
    .values([
      minute(at(7), [10, 12, 9, 11], 3),
      minute(at(8), [11, 30, 11, 20], 4),
      minute(at(59), [20, 21, 2, 3], 5),
      minute(at(60), [3, 4, 3, 4], 6),
      minute(at(1_439), [4, 5, 1, 2], 7),
      { ...minute(at(9), [70, 71, 69, 70], 1), market: 2 },
      young,
    ])
    .execute();
  await sql
    .updateTable('projector_offset')
    .set({ at: at(1_440) + MINUTES_KEPT_DAYS * DAY_MS })
    .execute();
  const rows = () => sql.selectFrom('projector_candle').selectAll().orderBy('market').orderBy('open_time').execute();
  expect(await steps()).toBe(2);
  const joined = [
    minute(at(0), [10, 30, 2, 3], 12),
    minute(at(60), [3, 4, 3, 4], 6),
    minute(at(1_380), [4, 5, 1, 2], 7),
    young,
    { ...minute(at(0), [70, 71, 69, 70], 1), market: 2 },
  ];
  expect(await rows()).toEqual(joined);
  expect(await steps()).toBe(0);
  expect(await rows()).toEqual(joined);
});

test('minutes of mark and index are joined apart', async () => {
  const { sql } = room.db;
  const minute = (source: string, open_time: number, close: number) => ({
    market: 101,
    source,
    open_time,
    open: 5,
    high: 9,
    low: 1,
    close,
  });
  await sql
    .insertInto('projector_price_candle')
    .values(
      ['mark', 'index'].flatMap((source) => [1, 2, 3].map((place) => minute(source, at(place), source === 'mark' ? place : 9 - place))),
    )
    .execute();
  await age(400);
  expect(await steps()).toBe(2);
  const rows = await sql.selectFrom('projector_price_candle').selectAll().orderBy('source').execute();
  expect(rows).toEqual([minute('index', at(0), 6), minute('mark', at(0), 3)]);
});

test(`orders, fills and bills of trades are whole for seven years, and end then; other bills and open orders stay (seed ${SEED})`, async () => {
  const tables = ['projector_order', 'projector_fill', 'projector_bill'] as const;
  await writtenDaysAgo(RECORDS_KEPT_DAYS - 1);
  const before = await room.everything();
  for (const table of tables) expect(before[table]?.length).toBeGreaterThan(100);
  expect(before['projector_order']?.filter((row) => row.includes('"status":"open"')).length).toBeGreaterThan(0);
  await steps();
  const whole = await room.everything();
  for (const table of tables) expect(whole[table]).toEqual(before[table]);

  await age(RECORDS_KEPT_DAYS + 92);
  expect(await steps()).toBeGreaterThan(tables.length);
  const after = await room.everything();
  expect(after['projector_fill']).toEqual([]);
  expect(after['projector_order']).toEqual(before['projector_order']?.filter((row) => !row.includes('"status":"closed"')));
  expect(after['projector_bill']).toEqual(before['projector_bill']?.filter((row) => !/"kind":"(TRADE|FEE|PROFIT|FUNDING)"/.test(row)));
  for (const table of ['projector_total', 'projector_day', 'projector_hour', 'projector_transfer'] as const)
    expect(after[table]).toEqual(before[table]);

  // History goes on.
  const projector = await room.start();
  await trade(room.heart, { random: seededRandom(SEED + 1), commands: 50, label: 'm' });
  await projector.reached(room.heart.status().seq);
  await projector.stop();
  expect(room.troubles).toEqual([]);
});

test('an hour with nothing but its first minute is left as it is', async () => {
  const { sql } = room.db;
  const row = { market: 1, open_time: at(0), open: 1, high: 1, low: 1, close: 1, volume: 1, quote_volume: '1' };
  await sql.insertInto('projector_candle').values(row).execute();
  await age(400);
  expect(await steps()).toBe(0);
  expect(await sql.selectFrom('projector_candle').selectAll().execute()).toEqual([row]);
  expect(at(0) % HOUR_MS).toBe(0);
});
