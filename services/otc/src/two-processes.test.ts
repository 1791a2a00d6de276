/** Two processes on one database: what is known of a trader at one follows what happens at the other, though no time passes. */
import type { OtcTrader } from '@orrery/api';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ChangeConnection, listenForChanges } from '../../../exchange/src/changes.ts';
import type { TemporaryDatabase } from '../../../exchange/src/testing/temporary-database.ts';
import type { Otc } from './otc.ts';
import type { OtcTables } from './tables.ts';
import { HOUR, type Market, openDatabase, openMarket, type Person } from './testing/market.ts';
import { pay, publish, release, take } from './testing/story.ts';

const SOON = { timeout: 10_000, interval: 5 };

let db: TemporaryDatabase<OtcTables>;
let market: Market;
let there: Otc;
let alice: Person;
let bob: Person;
let connections: ChangeConnection[];
/** What could not be read while SQL was away. */
let lost: unknown[];

const listen = () => listenForChanges(db.address, { monotonicMs: () => performance.now(), onTrouble: (error) => void lost.push(error) });

beforeEach(async () => {
  lost = [];
  db = await openDatabase();
  connections = [await listen(), await listen()];
  market = await openMarket(db, connections[0]);
  there = await market.beside(connections[1]!);
  [alice, bob] = [await market.newcomer('alice'), await market.newcomer('bob')];
});
afterEach(async () => {
  await there.stop();
  await market.close();
  await Promise.all(connections.map((connection) => connection.close()));
  await db.close();
  expect(market.troubles).toEqual([]);
});

/** Of alice, with an offer, as the process answers anybody. */
async function aliceAt({ handlers }: Otc): Promise<OtcTrader> {
  const { list } = await market.call(bob, handlers.otcAdvertising.otcAdvertisements);
  const [first] = list;
  if (first === undefined) throw new Error('alice offers nothing');
  return first.trader;
}

/** alice waits for a decision about her being a merchant. */
async function apply(): Promise<string> {
  market.names.set(alice.account, 'Alice Example');
  market.clock.now += HOUR;
  const body = { name: 'Star Desk', text: 'I trade.' };
  const { traderId } = await market.call(alice, market.otc.handlers.otcMerchant.applyAsOtcMerchant, { body });
  return traderId;
}

test('a name that an operator decided about at one process is what the other shows, at once', async () => {
  await publish(market, alice);
  const traderId = await apply();
  await there.caughtUp();
  expect([(await aliceAt(there)).merchant, (await aliceAt(market.otc)).merchant]).toEqual([false, false]);
  await market.otc.desk.merchants.decide({ traderId, decision: 'APPROVED', reason: null });
  await expect.poll(() => aliceAt(there), SOON).toMatchObject({ nickname: 'Star Desk', merchant: true });
  await there.desk.merchants.decide({ traderId, decision: 'REFUSED', reason: 'Too new.' });
  await expect.poll(() => aliceAt(market.otc), SOON).toMatchObject({ merchant: false });
});

test('appraisals and ended orders at one process count at the other, at once', async () => {
  const { advertisingId } = await publish(market, alice);
  await there.caughtUp();
  expect(await aliceAt(there)).toMatchObject({ finished: 0, positive: 0, negative: 0 });
  const { orderId } = await take(market, bob, advertisingId);
  await pay(market, bob, orderId);
  await release(market, alice, orderId);
  await there.caughtUp();
  expect(await aliceAt(there)).toMatchObject({ finished: 1, completionRate: '100' });
  const appraise = (otc: Otc, appraisal: string) =>
    market.call(bob, otc.handlers.otcOrder.appraiseOtcOrder, { body: { orderId, appraisal } });
  await appraise(market.otc, 'NEGATIVE');
  await expect.poll(() => aliceAt(there), SOON).toMatchObject({ positive: 0, negative: 1 });
  // Both at once: of the two one counts, and both say which.
  await Promise.all([appraise(market.otc, 'POSITIVE'), appraise(there, 'NEGATIVE')]);
  const { rows } = await sql<{ appraisal: string }>`select appraisal from otc_appraisal`.execute(db.sql);
  const counted = rows[0]?.appraisal === 'POSITIVE' ? { positive: 1, negative: 0 } : { positive: 0, negative: 1 };
  for (const otc of [market.otc, there]) await expect.poll(() => aliceAt(otc), SOON).toMatchObject(counted);
});

test('what changes while a process hears nothing is known when it is asked', async () => {
  await publish(market, alice);
  const traderId = await apply();
  await there.caughtUp();
  expect(await aliceAt(there)).toMatchObject({ merchant: false });
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and (query like 'listen %' or query = 'select 1')`.execute(db.sql);
  await expect.poll(() => connections[1]!.isHeard(), SOON).toBe(false);
  await market.otc.desk.merchants.decide({ traderId, decision: 'APPROVED', reason: null });
  expect(await aliceAt(there)).toMatchObject({ nickname: 'Star Desk', merchant: true });
  expect(lost.length).toBeGreaterThan(0);
});
