/** Tickets and listen keys of gateways that share a database. */
import { LISTEN_KEY_LIFE_MS, TICKET_LIFE_MS, type Principal } from '@orrery/api';
import { migrations, type GatewayTables } from '@orrery/gateway';
import { accountId, addressOf, millis } from '@orrery/units';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sweepGiven } from '../../services/gateway/src/stream/given.ts';
import { SharedListenKeys } from '../../services/gateway/src/stream/shared-listen-keys.ts';
import { SharedTickets } from '../../services/gateway/src/stream/shared-tickets.ts';
import { openDatabase } from './database.ts';
import { temporaryDatabase, type TemporaryDatabase } from './testing/temporary-database.ts';

const SECRET = Buffer.alloc(32, 7);
const ALICE: Principal = {
  account: accountId(7),
  address: addressOf(`0x${'a1'.repeat(20)}`),
  via: 'session',
  credential: 'session-of-alice',
  permission: 'TRADE',
  tier: 'standard',
  endsAt: millis(8_640_000_000_000),
};

let database: TemporaryDatabase<GatewayTables>;
let clock = 1_795_000_000_000;
let isLive = true;
class Accounts {
  readonly #live = ALICE;

  async holder({ account, credential }: Pick<Principal, 'account' | 'credential'>): Promise<Principal | 'SessionExpired'> {
    return isLive && account === this.#live.account && credential === this.#live.credential ? this.#live : 'SessionExpired';
  }
}
const parts = () => ({
  db: database.sql,
  secret: SECRET,
  now: () => clock,
  authenticator: new Accounts() as never,
});
const tickets = () => new SharedTickets(parts());
const listenKeys = () => new SharedListenKeys(parts());

beforeAll(async () => {
  database = await temporaryDatabase<GatewayTables>(migrations);
});
beforeEach(() => {
  isLive = true;
});
afterAll(() => database.close());

test('[A10] a ticket that one gateway gave opens a stream at another one, and of several uses at once one is taken', async () => {
  const token = await tickets().issue(ALICE);
  const uses = await Promise.all([tickets(), tickets(), tickets(), tickets()].map((each) => each.use(token)));
  expect(uses.filter((principal) => principal !== undefined)).toEqual([ALICE]);
  expect(await tickets().use(token)).toBeUndefined();
  expect(await tickets().use('no-ticket')).toBeUndefined();
});

test('a ticket is good for thirty seconds, and no longer than the session it was given to', async () => {
  const [inTime, late, ended] = await Promise.all([1, 2, 3].map(() => tickets().issue(ALICE)));
  clock += TICKET_LIFE_MS - 1;
  expect(await tickets().use(inTime ?? '')).toEqual(ALICE);
  isLive = false;
  expect(await tickets().use(ended ?? '')).toBeUndefined();
  isLive = true;
  clock += 1;
  expect(await tickets().use(late ?? '')).toBeUndefined();
});

test('a ticket that was asked for by a legacy signature only reads, whatever its key may do', async () => {
  const token = await tickets().issue({ ...ALICE, permission: 'READ' });
  expect(await tickets().use(token)).toEqual({ ...ALICE, permission: 'READ', moneyRights: [] });
});

test('[F4] a listen key is the same at every gateway, also after a restart, for 60 minutes after it was last asked for', async () => {
  const keys = await Promise.all([listenKeys(), listenKeys(), listenKeys()].map((each) => each.issue(ALICE, 'futures')));
  expect(new Set(keys).size).toBe(1);
  const [key = ''] = keys;
  expect(await listenKeys().issue(ALICE, 'spot')).not.toBe(key);
  expect(await listenKeys().issue({ ...ALICE, credential: 'another session' }, 'futures')).not.toBe(key);
  expect(await listenKeys().ownerOf(key, ['futures'])).toEqual(ALICE);
  expect(await listenKeys().ownerOf(key, ['spot', 'always-spot'])).toBeUndefined();
  clock += LISTEN_KEY_LIFE_MS - 1;
  expect(await listenKeys().issue(ALICE, 'futures')).toBe(key);
  clock += LISTEN_KEY_LIFE_MS - 1;
  expect(await listenKeys().ownerOf(key, ['futures'])).toEqual(ALICE);
  isLive = false;
  expect(await listenKeys().ownerOf(key, ['futures'])).toBeUndefined();
  isLive = true;
  clock += 1;
  expect(await listenKeys().ownerOf(key, ['futures'])).toBeUndefined();
  const fresh = await listenKeys().issue(ALICE, 'futures');
  expect(fresh).not.toBe(key);
  expect(await listenKeys().ownerOf(fresh, ['futures'])).toEqual(ALICE);
  expect(await listenKeys().ownerOf(key, ['futures'])).toBeUndefined();
});

test('K1: neither a ticket nor a listen key can be read from the database, nor made from what is there', async () => {
  const given = [await tickets().issue(ALICE), await listenKeys().issue(ALICE, 'always-spot')];
  const rows = JSON.stringify([
    await database.sql.selectFrom('gateway_ticket').selectAll().execute(),
    await database.sql.selectFrom('gateway_listen_key').selectAll().execute(),
  ]);
  for (const each of given) expect(rows).not.toContain(each);
  const guessed = new SharedListenKeys({ ...parts(), secret: Buffer.alloc(32, 8) });
  expect(await guessed.issue(ALICE, 'always-spot')).not.toBe(given[1]);
});

test('what is over is deleted, by an index', async () => {
  await tickets().issue(ALICE);
  await listenKeys().issue(ALICE, 'spot');
  clock += LISTEN_KEY_LIFE_MS;
  const alive = await listenKeys().issue({ ...ALICE, credential: 'another session' }, 'spot');
  await sweepGiven(database.sql, clock);
  const left = async (table: 'gateway_ticket' | 'gateway_listen_key') =>
    (await database.sql.selectFrom(table).selectAll().execute()).length;
  expect([await left('gateway_ticket'), await left('gateway_listen_key')]).toEqual([0, 1]);
  expect(await listenKeys().issue({ ...ALICE, credential: 'another session' }, 'spot')).toBe(alive);
  for (const table of ['gateway_ticket', 'gateway_listen_key']) {
    const plan = await database.sql.transaction().execute(async (tx) => {
      await sql`set local enable_seqscan = off`.execute(tx);
      return sql.raw<{ 'QUERY PLAN': string }>(`explain delete from ${table} where expires_at <= 5`).execute(tx);
    });
    expect(JSON.stringify(plan.rows)).toContain(`${table}_expires`);
  }
});

test('while the database is away nothing is given out, and nothing is used up', async () => {
  const token = await tickets().issue(ALICE);
  const key = await listenKeys().issue(ALICE, 'futures');
  const gone = await openDatabase<GatewayTables>(database.address, { connections: 1 });
  await sql`select 1`.execute(gone.sql);
  await gone.close();
  const away = { ...parts(), db: gone.sql };
  await expect(new SharedTickets(away).use(token)).rejects.toThrow();
  await expect(new SharedTickets(away).issue(ALICE)).rejects.toThrow();
  await expect(new SharedListenKeys(away).ownerOf(key, ['futures'])).rejects.toThrow();
  await expect(sweepGiven(gone.sql, clock)).resolves.toBeUndefined();
  expect(await tickets().use(token)).toEqual(ALICE);
  expect(await listenKeys().ownerOf(key, ['futures'])).toEqual(ALICE);
});
