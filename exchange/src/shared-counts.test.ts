import { migrations, type GatewayTables } from '@orrery/gateway';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DayCounts } from '../../services/gateway/src/limits/day-counts.ts';
import { SharedCounts, type CountStore } from '../../services/gateway/src/limits/shared-counts.ts';
import type { Database } from './database.ts';
import { temporaryDatabase } from './testing/temporary-database.ts';

const DAY_MS = 86_400_000;
const FAUCET = { name: 'faucet day', owner: '192.0.2.1', most: 50, perMs: DAY_MS } as const;
const TOO_MANY = expect.objectContaining({ status: 429 });

let database: Database<GatewayTables>;
let clock = Math.floor(Date.now() / DAY_MS) * DAY_MS + 3_600_000;
const now = (): number => clock;
const open: SharedCounts[] = [];
const process = (store: CountStore = database.counts): SharedCounts => {
  const counts = new SharedCounts({ store, key: Buffer.alloc(32, 7), now });
  open.push(counts);
  return counts;
};

beforeAll(async () => {
  database = await temporaryDatabase<GatewayTables>(migrations);
});

afterAll(async () => {
  for (const counts of open) counts.close();
  await database.close();
});

test('a daily count is forgotten by no restart and by no table that strangers fill, and ends with the day', async () => {
  // Strangers are answered without the database: 40,000 of them are more than the memory of refusals holds.
  const strangersAside: CountStore = {
    query: (statement) =>
      String(statement.values?.[0]).startsWith('strangers')
        ? Promise.resolve({ rows: [{ points: 1, expire: now() + DAY_MS }] })
        : database.counts.query(statement),
  };
  const before = process(strangersAside);
  for (let claim = 0; claim < 50; claim += 1) await before.take(FAUCET);
  await expect(before.take(FAUCET)).rejects.toEqual(TOO_MANY);
  const strangers = { name: 'strangers', most: 0, perMs: DAY_MS };
  for (let stranger = 0; stranger < 40_000; stranger += 1) await before.take({ ...strangers, owner: stranger }).catch(() => undefined);
  await expect(before.take(FAUCET)).rejects.toEqual(TOO_MANY);
  const after = process();
  await expect(after.take(FAUCET)).rejects.toEqual(TOO_MANY);
  await expect(after.take({ ...FAUCET, owner: '192.0.2.2' })).resolves.toBeUndefined();
  clock += DAY_MS;
  await expect(before.take(FAUCET)).resolves.toBeUndefined();
});

test('K1: whose a count is can not be read from its row', async () => {
  await process().take({ name: 'auth wallet', owner: '203.0.113.9/24 alice@example.org', most: 10, perMs: 60_000 });
  const rows = await database.sql.selectFrom('gateway_count').select('key').where('key', 'like', 'auth wallet%').execute();
  expect(rows).toHaveLength(1);
  expect(rows[0]?.key).not.toMatch(/203|alice/);
});

test('processes share a count: what one has given, another does not give again', async () => {
  const [left, right] = [process(), process()];
  const count = { name: 'auth', owner: '2001:db8:1:2::/64', most: 10, perMs: 60_000 };
  const attempts = Array.from({ length: 30 }, (_, index) => (index % 2 === 0 ? left : right).take(count));
  const outcomes = await Promise.allSettled(attempts);
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
});

test('a refused flood does not reach the database', async () => {
  let statements = 0;
  const counting = {
    query: (statement: { text: string }) => {
      statements += 1;
      return database.counts.query(statement);
    },
  };
  const counts = process(counting);
  const count = { name: 'nonce', owner: '192.0.2.9', most: 5, perMs: 60_000 };
  for (let call = 0; call < 1_000; call += 1) await counts.take(count).catch(() => undefined);
  expect(statements).toBe(6);
});

test('orders of a day are counted across a restart, and never wait for SQL', async () => {
  const first = new DayCounts(process(), now);
  for (let batch = 0; batch < 10; batch += 1) first.take('order day', 7, 100, 10);
  expect(() => first.take('order day', 7, 100, 1)).toThrow(TOO_MANY);
  await first.close();
  const second = new DayCounts(process(), now);
  // The first is taken before the database has answered; then the count is known.
  second.take('order day', 7, 100, 1);
  await second.flush();
  expect(() => second.take('order day', 7, 100, 1)).toThrow(TOO_MANY);
  clock += DAY_MS;
  expect(() => second.take('order day', 7, 100, 100)).not.toThrow();
  await second.close();
});

test('while the database does not answer, sign-ins are refused by name, and orders are counted in memory', async () => {
  const silent = { query: () => Promise.reject(new Error('no answer')) };
  const counts = process(silent);
  await expect(counts.take(FAUCET)).rejects.toEqual(expect.objectContaining({ status: 502 }));
  const days = new DayCounts(counts, now);
  days.take('order day', 8, 5, 5);
  await days.flush();
  expect(() => days.take('order day', 8, 5, 1)).toThrow(TOO_MANY);
  await days.close();
});
