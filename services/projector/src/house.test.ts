import { accountId, addressOf, marketId } from '@orrery/units';
import { BalancesView, load, TRADES_KEPT, totalOf } from '@orrery/views';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { emptyProjection } from './index.ts';
import { PEOPLE, seededRandom, trade } from './testing/market-day.ts';
import { Room } from './testing/room.ts';

const SEED = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const MARKET = { market: marketId(1) };

/** The first two people of the market day are the house. */
const HOUSE = [1, 2];
const addressOfPerson = (person: number) => addressOf(`0x${String(person).padStart(40, '0')}`);
const houseAddresses = HOUSE.map(addressOfPerson);

let room: Room;
beforeAll(async () => {
  room = await Room.open();
});
afterAll(() => room.db.close());
beforeEach(() => room.begin());

type Everything = Awaited<ReturnType<Room['everything']>>;
type Line = Readonly<Record<string, string | number | null>>;

const linesOf = (all: Everything, table: string): readonly Line[] => (all[table] ?? []).map((line) => JSON.parse(line) as Line);
const isHouse = ({ account }: Line): boolean => HOUSE.includes(Number(account));
const ofPersons = (all: Everything, table: string): readonly Line[] => linesOf(all, table).filter((line) => !isHouse(line));
const sum = (lines: readonly Line[], column: string): bigint => lines.reduce((so, line) => so + BigInt(line[column] ?? 0), 0n);

/** All rows, and the tape, of the history of the heart. */
async function written(options: { readonly houseAddresses?: readonly string[] }) {
  await emptyProjection(room.db.sql);
  const projector = await room.start(room.heart, options);
  await room.caughtUp(projector);
  const tape = await projector.history.trades(MARKET);
  await projector.stop();
  return { all: await room.everything(), tape };
}

test(`of the house no closed order, no fill and no bill of a trade within it has a row; those of persons are as they are without it (seed ${SEED})`, async () => {
  const random = seededRandom(SEED);
  for (let piece = 0; piece < 5; piece += 1) {
    const projector = await room.start(room.heart, { houseAddresses });
    await trade(room.heart, { random, commands: 300, label: `h${piece}` });
    if (piece % 2 === 0) await room.caughtUp(projector);
    await projector.stop();
  }
  const last = await room.start(room.heart, { houseAddresses });
  await room.caughtUp(last);
  await last.stop();
  const inPieces = await room.everything();
  const { all, tape } = await written({ houseAddresses });
  expect(all).toEqual(inPieces);

  const plain = await written({});
  const tables = ['projector_order', 'projector_bill', 'projector_fill', 'projector_total', 'projector_day', 'projector_hour'];
  for (const table of tables) expect(ofPersons(all, table), table).toEqual(ofPersons(plain.all, table));
  expect(tape).toEqual(plain.tape);

  expect(linesOf(all, 'projector_order').filter((line) => isHouse(line) && line['status'] === 'closed')).toEqual([]);
  expect(linesOf(plain.all, 'projector_order').filter((line) => isHouse(line) && line['status'] === 'closed').length).toBeGreaterThan(50);
  const withPersons = new Set(ofPersons(plain.all, 'projector_fill').map((line) => line['trade_id']));
  expect(linesOf(all, 'projector_fill')).toEqual(
    linesOf(plain.all, 'projector_fill').filter((line) => withPersons.has(line['trade_id'] ?? null)),
  );
  expect(linesOf(all, 'projector_house_trade').length).toBeGreaterThan(10);
  const isOfTrades = ({ kind }: Line): boolean => ['TRADE', 'FEE', 'PROFIT'].includes(String(kind));
  expect(linesOf(all, 'projector_bill').filter(isHouse)).toEqual(
    linesOf(plain.all, 'projector_bill').filter((line) => isHouse(line) && !isOfTrades(line)),
  );

  const fills = linesOf(plain.all, 'projector_fill').filter(isHouse);
  const fillSums = linesOf(all, 'projector_house_fill');
  for (const column of ['size', 'notional', 'fee']) expect(sum(fillSums, column), column).toBe(sum(fills, column));
  expect(sum(fillSums, 'fills')).toBe(BigInt(fills.length));
  expect(room.troubles).toEqual([]);
});

test(`the bills and the sums of bills of the house add up to what it has (seed ${SEED})`, async () => {
  await trade(room.heart, { random: seededRandom(SEED + 1), commands: 300, label: 'b' });
  const { all } = await written({ houseAddresses });
  const balances = new BalancesView();
  load(room.heart.open(), balances);
  const bills = linesOf(all, 'projector_bill');
  expect(bills.filter((line) => isHouse(line) && ['TRADE', 'FEE', 'PROFIT'].includes(String(line['kind'])))).toEqual([]);
  for (const account of HOUSE) {
    for (const balance of balances.of(accountId(account))) {
      const ofBalance = (line: Line): boolean =>
        line['account'] === account && line['wallet'] === balance.wallet && line['asset'] === balance.asset;
      const total = sum(bills.filter(ofBalance), 'amount') + sum(linesOf(all, 'projector_house_bill').filter(ofBalance), 'amount');
      expect(total).toBe(totalOf(balance));
    }
  }
});

test(`a market has a bounded number of trades within the house, the newest (seed ${SEED})`, async () => {
  const everybody = Array.from({ length: PEOPLE }, (_, index) => addressOfPerson(index + 1));
  await trade(room.heart, { random: seededRandom(SEED + 2), commands: 300, label: 't' });
  const { all } = await written({ houseAddresses: everybody });
  const rows = linesOf(all, 'projector_house_trade');
  expect(rows.length).toBeGreaterThan(10);
  // As if it had counted further: the next trades take the places of the oldest.
  const ahead = TRADES_KEPT - 5;
  await room.db.sql
    .updateTable('projector_house_trade')
    .set((of) => ({ number: of('number', '+', ahead) }))
    .execute();
  const projector = await room.start(room.heart, { houseAddresses: everybody });
  await trade(room.heart, { random: seededRandom(SEED + 3), commands: 300, label: 'u' });
  await room.caughtUp(projector);
  await projector.stop();
  const later = linesOf(await room.everything(), 'projector_house_trade');
  const newest = Math.max(...later.map((line) => Number(line['number'])));
  expect(newest).toBeGreaterThan(TRADES_KEPT);
  expect(later.length).toBeLessThanOrEqual(TRADES_KEPT);
  const tape = later.map((line) => Number(line['trade_id'])).sort((left, right) => left - right);
  expect(tape.at(-1)).toBeGreaterThan(Math.max(...rows.map((line) => Number(line['trade_id']))));
  for (const line of later.filter(({ number }) => Number(number) > rows.length + ahead))
    expect(line['slot']).toBe(Number(line['number']) % TRADES_KEPT);
});
