/** Signed calls of gateways that share a database: each is taken once, by one of them. */
import { RECEIVE_WINDOW_MS, TIMESTAMP_AHEAD_MS } from '@orrery/api';
import { migrations, type GatewayTables } from '@orrery/gateway';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { SharedMarks, type MarkStore, type TakenCall } from '../../services/gateway/src/signing/shared-marks.ts';
import { temporaryDatabase, type TemporaryDatabase } from './testing/temporary-database.ts';

const HOUR_MS = 3_600_000;

let database: TemporaryDatabase<GatewayTables>;
let clock = 1_795_000_000_000;
let signed = 0;
const open: SharedMarks[] = [];

/** A process that takes calls. */
function gateway({ store = database.counts, wallMs = () => clock }: { store?: MarkStore; wallMs?: () => number } = {}): SharedMarks {
  const marks = new SharedMarks({ store, now: () => clock, wallMs });
  open.push(marks);
  return marks;
}

/** Signed now. */
const call = (more: Partial<TakenCall> = {}): TakenCall => ({
  accessKey: 'key of alice',
  signature: Buffer.alloc(32, (signed += 1)),
  timestamp: clock,
  isLegacyRead: false,
  ...more,
});

const refusal = (taking: Promise<void>): Promise<string> =>
  taking.then(
    () => 'taken',
    (error: { data?: { reason: string } }) => error.data?.reason ?? 'no refusal',
  );

beforeAll(async () => {
  database = await temporaryDatabase<GatewayTables>(migrations);
  await gateway().sweep();
  clock += HOUR_MS;
});
afterEach(() => {
  for (const marks of open.splice(0)) marks.close();
});
afterAll(() => database.close());

test('[A5] of several processes that are sent one call at once, one takes it, and none takes it later', async () => {
  const one = call();
  const answers = await Promise.all([gateway(), gateway(), gateway(), gateway()].map((each) => refusal(each.take(one))));
  expect(answers.toSorted()).toEqual(['ReplayedRequest', 'ReplayedRequest', 'ReplayedRequest', 'taken']);
  expect(await refusal(gateway().take(one))).toBe('ReplayedRequest');
  expect(await refusal(gateway().take({ ...one, accessKey: 'key of bob' }))).toBe('taken');
});

test('what was signed before the start of a process is judged by what the others have taken', async () => {
  const [taken, waiting] = [call(), call()];
  await gateway().take(taken);
  clock += 1_000;
  const started = gateway();
  expect([await refusal(started.take(taken)), await refusal(started.take(waiting))]).toEqual(['ReplayedRequest', 'taken']);
});

test('a legacy read is repeated within a second, at any process, and no other call by the same signature', async () => {
  const read = call({ isLegacyRead: true });
  const [one, other] = [gateway(), gateway()];
  for (const each of [one, other, one]) expect(await refusal(each.take(read))).toBe('taken');
  expect(await refusal(other.take({ ...read, isLegacyRead: false }))).toBe('ReplayedRequest');
  clock += 1_001;
  expect(await refusal(other.take(read))).toBe('ReplayedRequest');
  const order = call();
  await one.take(order);
  expect(await refusal(other.take({ ...order, isLegacyRead: true }))).toBe('ReplayedRequest');
});

test('after a crash of the database, which empties the table, nothing is taken that was signed before', async () => {
  const [taken, early] = [call(), call({ timestamp: clock + TIMESTAMP_AHEAD_MS })];
  await gateway().take(taken);
  await gateway().take(early);
  await sql`truncate gateway_mark, gateway_mark_since`.execute(database.sql);
  for (const before of [taken, early, call()]) expect(await refusal(gateway().take(before))).toBe('SignedBeforeStart');
  clock += TIMESTAMP_AHEAD_MS + 1;
  for (const before of [taken, early]) expect(await refusal(gateway().take(before))).toMatch(/SignedBeforeStart|ReplayedRequest/);
  expect(await refusal(gateway().take(call()))).toBe('taken');
  clock += RECEIVE_WINDOW_MS;
});

test('what was signed ten minutes ago is forgotten, by an index, and is not taken again when a wall clock is set back', async () => {
  const old = call();
  await gateway().take(old);
  clock += 600_000 - 1;
  const [late, marks] = [call(), gateway()];
  await marks.take(late);
  await marks.sweep();
  expect(await refusal(marks.take(old))).toBe('ReplayedRequest');
  clock += 1;
  await marks.sweep();
  const rows = await sql<{ count: number }>`select count(*) as count from gateway_mark where signed_at <= ${old.timestamp}`.execute(
    database.sql,
  );
  expect(Number(rows.rows[0]?.count)).toBe(0);
  expect(await refusal(marks.take(old))).toBe('StaleTimestamp');
  expect(await refusal(marks.take(late))).toBe('ReplayedRequest');
  // A process whose wall clock is behind forgets no more than the others' calls allow.
  const behind = gateway({ wallMs: () => clock - HOUR_MS });
  await behind.sweep();
  expect(await refusal(behind.take(old))).toBe('StaleTimestamp');
  const plan = await database.sql.transaction().execute(async (tx) => {
    await sql`set local enable_seqscan = off`.execute(tx);
    return sql`explain delete from gateway_mark where signed_at <= 5`.execute(tx);
  });
  expect(JSON.stringify(plan.rows)).toContain('gateway_mark_signed');
});

test('a database that does not answer refuses the call, which is taken once when it answers', async () => {
  let isAway = true;
  const store: MarkStore = { query: (statement) => (isAway ? Promise.reject(new Error('gone')) : database.counts.query(statement)) };
  const [marks, one] = [gateway({ store }), call()];
  expect(await refusal(marks.take(one))).toBe('Upstream');
  isAway = false;
  expect([await refusal(marks.take(one)), await refusal(marks.take(one))]).toEqual(['taken', 'ReplayedRequest']);
});

test('neither an access key nor a signature can be read from a row', async () => {
  const one = call({ accessKey: 'a-key-that-is-looked-for' });
  await gateway().take(one);
  const rows = JSON.stringify(
    (await sql`select encode(mark, 'escape') as text, encode(mark, 'hex') as hex from gateway_mark`.execute(database.sql)).rows,
  );
  for (const secret of [one.accessKey, one.signature.toString('hex').slice(0, 12)]) expect(rows).not.toContain(secret);
});
