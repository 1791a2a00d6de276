/** Tickets of e-mail wallets in several processes on one database. */
import { accountId } from '@orrery/units';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../../exchange/src/database.ts';
import { temporaryDatabase, type TemporaryDatabase } from '../../../exchange/src/testing/temporary-database.ts';
import { migrations } from './migrations.ts';
import type { AccountsTables } from './tables.ts';
import { refusalOf } from './testing/town.ts';
import { TICKET_LIFE_MS, WalletTickets } from './wallet-tickets.ts';
import { WalletTries } from './wallet-tries.ts';

const ALICE = { account: accountId(7), credential: 'session-of-alice' };
const SIGN = ['sign', 'export'] as const;

let database: TemporaryDatabase<AccountsTables>;
let clock = 1_795_000_000_000;
const now = () => clock;
const tickets = (db = database.sql) => new WalletTickets({ db, tries: new WalletTries({ db, now }), now });

beforeAll(async () => {
  database = await temporaryDatabase<AccountsTables>(migrations);
});
afterAll(() => database.close());

test('a ticket that one process gave is looked at and taken at another one, and of several at once one gets it', async () => {
  const ticket = await tickets().issue(ALICE, 'sign');
  expect(await tickets().look(ticket, SIGN)).toEqual({ ...ALICE, use: 'sign' });
  expect(await refusalOf(tickets().take(ticket, ['recover']))).toBe('InvalidNonce');
  const takes = await Promise.all([1, 2, 3, 4].map(() => refusalOf(tickets().take(ticket, SIGN))));
  expect(takes.filter((refusal) => refusal === undefined)).toHaveLength(1);
  expect(await refusalOf(tickets().look(ticket, SIGN))).toBe('InvalidNonce');
});

test('a ticket is good for ten minutes, and is then deleted; as it was given it can not be read from its row', async () => {
  const ticket = await tickets().issue(ALICE, 'export');
  expect(JSON.stringify(await database.sql.selectFrom('accounts_wallet_ticket').selectAll().execute())).not.toContain(ticket);
  clock += TICKET_LIFE_MS - 1;
  expect(await tickets().look(ticket, SIGN)).toMatchObject({ use: 'export' });
  clock += 1;
  expect(await refusalOf(tickets().take(ticket, SIGN))).toBe('InvalidNonce');
  await tickets().issue(ALICE, 'sign');
  expect(await database.sql.selectFrom('accounts_wallet_ticket').selectAll().execute()).toHaveLength(1);
});

test('while the database is away a ticket is not used up', async () => {
  const ticket = await tickets().issue(ALICE, 'sign');
  const gone = await openDatabase<AccountsTables>(database.address, { connections: 1 });
  await sql`select 1`.execute(gone.sql);
  await gone.close();
  await expect(tickets(gone.sql).take(ticket, SIGN)).rejects.toThrow();
  expect(await tickets().take(ticket, SIGN)).toMatchObject({ use: 'sign' });
});
