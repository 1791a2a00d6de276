import { localLeases } from '@orrery/foundation';
import type { Principal } from '@orrery/api';
import { type AccountId, accountId, type Address, assetId, millis } from '@orrery/units';
import { AccountsView, load } from '@orrery/views';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../../exchange/src/database.ts';
import { registerListing } from '../../../exchange/src/listing.ts';
import { MemoryHeart } from '../../../exchange/src/testing/memory-heart.ts';
import { temporaryDatabase } from '../../../exchange/src/testing/temporary-database.ts';
import { newKey, secretBox } from '../../accounts/src/sealed-secret.ts';
import { noLuck } from './testing/lucky-chain.ts';
import { noBoards } from './testing/no-boards.ts';
import { owners } from './testing/owners.ts';
import { noActivity } from './testing/no-activity.ts';
import { type Campaign, type CampaignTables, type ClaimChange, migrations, openCampaign, type WhitelistPolicy } from './index.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;
const MONDAY_NOON = Date.UTC(2026, 10, 23, 12);

let db: Database<CampaignTables>;
let heart: MemoryHeart;
let clock: { now: number };
let campaign: Campaign;
let changes: ClaimChange[];

beforeAll(async () => {
  db = await temporaryDatabase<CampaignTables>(migrations);
});
afterAll(() => db.close());
beforeEach(async () => {
  for (const table of [
    'campaign_whitelist',
    'campaign_expansion',
    'campaign_claim',
    'campaign_budget',
    'campaign_budget_terms',
    'campaign_award',
  ] as const)
    await db.sql.deleteFrom(table).execute();
  await db.sql.updateTable('campaign_offset').set({ seq: 0 }).execute();
  clock = { now: MONDAY_NOON - 3 * DAY };
  heart = new MemoryHeart(() => clock.now);
  await registerListing(heart);
});
afterEach(() => campaign.stop());

async function open(options: { whitelist?: WhitelistPolicy; claimsPerDay?: number } = {}, box = owners.box): Promise<void> {
  changes = [];
  campaign = await openCampaign({
    leases: localLeases(),
    heart,
    ...owners,
    box,
    db: db.sql,
    reads: db.sql,
    whitelist: options.whitelist ?? { mode: 'open' },
    now: () => clock.now,
    onTrouble: (error) => {
      throw error;
    },
    faucet: {
      claimsPerDay: options.claimsPerDay ?? 100,
      amounts: [{ coin: 'USDC', amount: '10000' }],
      transactionOf: (claimId) => Promise.resolve(`0x${claimId.slice(2, 10).repeat(8)}`),
    },
    activity: noActivity,
    leaderboard: noBoards,
    rewards: { pointsPerDay: 1_000_000 },
    lucky: noLuck,
  });
  campaign.onClaim((change) => changes.push(change));
}

async function reopen(options: Parameters<typeof open>[0] = {}): Promise<void> {
  await campaign.stop();
  await open(options);
}

const addressOf = (n: number): Address => `0x${n.toString(16).padStart(40, '0')}` as Address;

async function openAccount(n: number): Promise<AccountId> {
  const { events } = await heart.submit({ type: 'OpenAccount', address: addressOf(n) });
  const opened = events.find((event) => event.type === 'AccountOpened');
  return opened?.account ?? accountId(1_000_000);
}

const principalOf = (account: AccountId, n: number): Principal => ({
  account,
  address: addressOf(n),
  via: 'session',
  credential: 's',
  permission: 'TRADE',
  tier: 'standard',
  endsAt: millis(0),
});

function flagsOf(n: number) {
  const accounts = new AccountsView();
  load(heart.open(), accounts);
  return accounts.accountOf(addressOf(n))?.flags;
}

const claimsFunded = () =>
  heart.history
    .flatMap(({ events }) => events.filter((event) => event.type === 'BudgetFunded'))
    .filter(({ budget }) => budget === 'faucet');

/** A handler's call, with what it needs of it. */
const call = (parts: object) => ({ principal: undefined, query: {}, body: {}, caller: undefined, ...parts }) as never;

async function refusalOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'none',
    (error: unknown) => (error instanceof Error && 'data' in error ? (error.data as { reason: string }).reason : String(error)),
  );
}

/** By the owner of the address, unless somebody else asks. */
const check = async (n: number, email?: string, bearer: string | undefined = addressOf(n)): Promise<boolean> =>
  (await campaign.handlers.whitelist.checkWhitelist(call({ body: { address: addressOf(n), email }, caller: { bearer } }))).inWhitelist;
const waiting = async () =>
  (await campaign.operations.whitelist.waiting({ page: 1, size: 10 })).list.map(({ address, email }) => ({ address, email }));

describe('the whitelist', () => {
  test('[T8] open: everybody is in; a question opens no account, an account that opens gets the mark', async () => {
    const before = await openAccount(1);
    await open();
    expect(flagsOf(1)?.whitelisted).toBe(true);
    const commands = heart.history.length;
    expect(await check(2)).toBe(true);
    expect(heart.history.length).toBe(commands);
    await openAccount(2);
    await expect.poll(() => flagsOf(2)?.whitelisted).toBe(true);
    expect(before).toBe(1);
  });

  test('an address without a proof is refused: only its own session puts it in the queue, or leaves an e-mail', async () => {
    await open({ whitelist: { mode: 'weekly', admittedEachWeek: 2 } });
    const asked = (bearer: string | undefined, email?: string) =>
      campaign.handlers.whitelist.checkWhitelist(call({ body: { address: addressOf(1), email }, caller: { bearer } }));
    for (const bearer of [undefined, 'no-token', addressOf(2)]) {
      expect(await asked(bearer)).toEqual({ inWhitelist: false });
      const reason = bearer === addressOf(2) ? 'NotYours' : 'NotSignedIn';
      expect(await refusalOf(Promise.resolve(asked(bearer, 'mallory@example.org')))).toBe(reason);
    }
    expect(await waiting()).toEqual([]);
    expect(await asked(addressOf(1))).toEqual({ inWhitelist: false });
    expect(await waiting()).toEqual([{ address: addressOf(1), email: null }]);
  });

  test('no e-mail is in plain text in the database, one of an earlier version neither', async () => {
    const weekly = { whitelist: { mode: 'weekly', admittedEachWeek: 2 } } as const;
    const box = secretBox(newKey());
    await open(weekly, box);
    await check(1, 'alice@example.org');
    await campaign.stop();
    const old = { address: addressOf(2), email: 'bob@example.org', sealed_email: null, joined_at: 1, admitted_at: null, told_at: null };
    await db.sql.insertInto('campaign_whitelist').values(old).execute();
    await open(weekly, box);
    const { rows } = await sql<{ dump: string }>`
      select campaign_whitelist::text || encode(sealed_email, 'escape') as dump from campaign_whitelist`.execute(db.sql);
    expect(rows).toHaveLength(2);
    for (const { dump } of rows) expect(dump).not.toMatch(/alice|bob|example/);
    expect(await waiting()).toEqual([
      { address: addressOf(1), email: 'alice@example.org' },
      { address: addressOf(2), email: 'bob@example.org' },
    ]);
    // K1: It is gone with its person, whose place in the queue stays.
    await campaign.erase({ account: accountId(1), address: addressOf(1) });
    expect(await waiting()).toEqual([
      { address: addressOf(1), email: null },
      { address: addressOf(2), email: 'bob@example.org' },
    ]);
  });

  test('[T8] weekly: asking joins the queue, once, and keeps the e-mail', async () => {
    await open({ whitelist: { mode: 'weekly', admittedEachWeek: 2 } });
    expect(await check(1)).toBe(false);
    expect(await check(1, 'alice@example.org')).toBe(false);
    expect(await check(1)).toBe(false);
    expect(await waiting()).toEqual([{ address: addressOf(1), email: 'alice@example.org' }]);
    await openAccount(1);
    expect(await check(1)).toBe(false);
    expect(flagsOf(1)?.whitelisted).toBe(false);
  });

  test('[T8] weekly: on Monday 12:00 UTC the next in the order of joining are let in, once a week across restarts', async () => {
    const weekly = { whitelist: { mode: 'weekly', admittedEachWeek: 2 } } as const;
    await open(weekly);
    for (const n of [5, 3, 4, 1, 2]) await check(n);
    const inside = () => [1, 2, 3, 4, 5].filter((n) => flagsOf(n)?.whitelisted);
    clock.now = MONDAY_NOON - 1;
    await campaign.runDue();
    expect(inside()).toEqual([]);
    clock.now = MONDAY_NOON;
    await Promise.all([campaign.runDue(), campaign.runDue(), campaign.runDue()]);
    expect(inside()).toEqual([3, 5]);
    await reopen(weekly);
    clock.now = MONDAY_NOON + WEEK - 1;
    await campaign.runDue();
    expect(inside()).toEqual([3, 5]);
    clock.now = MONDAY_NOON + WEEK;
    await reopen(weekly);
    expect(inside()).toEqual([1, 3, 4, 5]);
    await expect.poll(() => check(1)).toBe(true);
  });

  test('[T8] weekly: Mondays that were missed are made up for, each with its own number', async () => {
    const weekly = { whitelist: { mode: 'weekly', admittedEachWeek: 2 } } as const;
    await open(weekly);
    for (const n of [1, 2, 3, 4, 5]) await check(n);
    clock.now = MONDAY_NOON + WEEK + HOUR;
    await reopen(weekly);
    expect([1, 2, 3, 4, 5].filter((n) => flagsOf(n)?.whitelisted)).toEqual([1, 2, 3, 4]);
  });

  test('[T8] weekly: a program that dies between the choice and the engine goes on with the same choice', async () => {
    const weekly = { whitelist: { mode: 'weekly', admittedEachWeek: 2 } } as const;
    await open(weekly);
    for (const n of [1, 2, 3]) await check(n);
    clock.now = MONDAY_NOON;
    heart.fail();
    await expect(campaign.runDue()).rejects.toThrow('the heart has stopped');
    heart.recover();
    await reopen(weekly);
    expect([1, 2, 3].filter((n) => flagsOf(n)?.whitelisted)).toEqual([1, 2]);
  });

  test('A5: a blocked address is refused and not let in', async () => {
    const account = await openAccount(9);
    await heart.submit({ type: 'SetAccountFlag', account, flag: 'blocked', value: true });
    await open();
    expect(await refusalOf(check(9))).toBe('AddressBlocked');
    expect(flagsOf(9)?.whitelisted).toBe(false);
  });
});

describe('the faucet', () => {
  const claim = async (account: AccountId, n: number, body: object = {}) => {
    const isAgreed = (): boolean => flagsOf(n)?.termsAccepted === true;
    if (!isAgreed()) await heart.submit({ type: 'SetAccountFlag', account, flag: 'termsAccepted', value: true });
    return campaign.handlers.faucet.claim(call({ principal: principalOf(account, n), body }));
  };
  const status = async (n: number) => campaign.handlers.faucet.faucetStatus(call({ query: { address: addressOf(n) } }));
  const settle = async (claimId: string | null, outcome: 'paid' | 'failed') => {
    await heart.submit({ type: 'SettleFaucetClaim', claimId: claimId ?? '', outcome });
    await expect.poll(() => changes.at(-1)?.status).toBe(outcome === 'paid' ? 2 : 0);
  };

  test('[T9] a claim goes from 0 to 1 to 2 and each step is published; a day later it is 0 again', async () => {
    await open();
    const alice = await openAccount(1);
    expect(await status(1)).toEqual({
      status: 0,
      claimId: null,
      txHash: null,
      nextClaimTime: null,
      amounts: [{ coin: 'USDC', amount: '10000' }],
    });
    const claimed = await claim(alice, 1, { address: addressOf(1) });
    expect(claimed).toMatchObject({ status: 1, nextClaimTime: clock.now + DAY });
    expect(claimed.claimId).toMatch(/^0x[0-9a-f]{64}$/);
    expect(claimed.txHash).toMatch(/^0x[0-9a-f]{64}$/);
    await settle(claimed.claimId, 'paid');
    expect(await status(1)).toMatchObject({ status: 2, claimId: claimed.claimId });
    expect(changes).toEqual([
      { account: alice, address: addressOf(1), status: 1 },
      { account: alice, address: addressOf(1), status: 2 },
    ]);
    clock.now += DAY;
    expect((await status(1)).status).toBe(0);
    expect((await claim(alice, 1)).status).toBe(1);
  });

  test('nobody claims who has not accepted the terms', async () => {
    await open();
    const alice = await openAccount(1);
    const refused = async () => campaign.handlers.faucet.claim(call({ principal: principalOf(alice, 1), body: {} }));
    expect(await refusalOf(refused())).toBe('TermsNotAccepted');
    expect((await claim(alice, 1)).status).toBe(1);
  });

  test('F1: of 50 claims at once one is taken', async () => {
    await open();
    const alice = await openAccount(1);
    const answers = await Promise.all(Array.from({ length: 50 }, () => refusalOf(claim(alice, 1))));
    expect(answers.filter((answer) => answer === 'none')).toHaveLength(1);
    expect(answers.filter((answer) => answer === 'ClaimTooSoon')).toHaveLength(49);
    expect(heart.history.flatMap(({ events }) => events).filter((event) => event.type === 'FaucetClaimReserved')).toHaveLength(1);
  });

  test('[T9] a second claim of the day is refused with the time of the next; a claim that failed may be made again', async () => {
    await open();
    const alice = await openAccount(1);
    const first = await claim(alice, 1);
    await expect(claim(alice, 1)).rejects.toThrow(`already claimed: come back after ${new Date(clock.now + DAY).toISOString()}`);
    await settle(first.claimId, 'failed');
    expect((await status(1)).status).toBe(0);
    const second = await claim(alice, 1);
    expect(second).toMatchObject({ status: 1 });
    expect(second.claimId).not.toBe(first.claimId);
  });

  test("[T9] another's address and a missing whitelist are refused", async () => {
    await open({ whitelist: { mode: 'weekly', admittedEachWeek: 1 } });
    const alice = await openAccount(1);
    expect(await refusalOf(Promise.resolve().then(() => claim(alice, 1, { address: addressOf(2) })))).toBe('NotYours');
    expect(await refusalOf(claim(alice, 1))).toBe('NotWhitelisted');
  });

  test('F1: the budget of a day is not passed, and what is left of it counts for the next', async () => {
    await open({ claimsPerDay: 3 });
    const people: AccountId[] = [];
    for (let n = 1; n <= 8; n++) people.push(await openAccount(n));
    const claimOf = (n: number) => refusalOf(claim(people[n - 1] ?? accountId(1), n));
    expect([await claimOf(1), await claimOf(2), await claimOf(3), await claimOf(4)]).toEqual(['none', 'none', 'none', 'BudgetExhausted']);
    clock.now += DAY;
    expect([await claimOf(4)]).toEqual(['none']);
    clock.now += DAY;
    // Two were left, one is added.
    expect([await claimOf(5), await claimOf(6), await claimOf(7), await claimOf(8)]).toEqual(['none', 'none', 'none', 'BudgetExhausted']);
    const funded = claimsFunded();
    expect(funded.map(({ key, amount, asset }) => [key, amount, asset])).toEqual([
      ['faucet:2026-11-20', 3n, assetId(8)],
      ['faucet:2026-11-21', 3n, assetId(8)],
      ['faucet:2026-11-22', 1n, assetId(8)],
    ]);
  });

  test("F1: an operator's cut of the claims takes effect at once and stays the next day; more counts from the next day on", async () => {
    await open({ claimsPerDay: 10 });
    const people: AccountId[] = [];
    for (let n = 1; n <= 20; n++) people.push(await openAccount(n));
    const claims = (from: number, to: number) =>
      Promise.all(people.slice(from - 1, to).map((account, index) => refusalOf(claim(account, from + index))));
    const given = (outcomes: readonly string[]) => outcomes.filter((outcome) => outcome === 'none').length;
    const change = (faucetClaimsPerDay: number) => campaign.operations.budgets.change({ pointsPerDay: 1_000_000, faucetClaimsPerDay });
    expect(given(await claims(1, 2))).toBe(2);
    await change(4);
    const outcomes = await claims(3, 9);
    expect([given(outcomes), outcomes.filter((outcome) => outcome === 'BudgetExhausted').length]).toEqual([2, 5]);
    clock.now += DAY;
    // Six are left of the first day.
    expect(given(await claims(5, 12))).toBe(4);
    await change(100);
    expect(given(await claims(13, 20))).toBe(2);
    clock.now += DAY;
    expect(given(await claims(13, 20))).toBe(8);
  });

  test('F1: a program that dies between deciding the budget and giving it gives the same once', async () => {
    await open({ claimsPerDay: 3 });
    await claim(await openAccount(1), 1);
    clock.now += DAY;
    heart.fail();
    await expect(campaign.runDue()).rejects.toThrow('the heart has stopped');
    heart.recover();
    await reopen({ claimsPerDay: 500 });
    await reopen({ claimsPerDay: 500 });
    const funded = claimsFunded();
    expect(funded.map(({ key, amount }) => [key, amount])).toEqual([
      ['faucet:2026-11-20', 3n],
      ['faucet:2026-11-21', 1n],
    ]);
    expect(await db.sql.selectFrom('campaign_budget').selectAll().where('key', 'like', 'faucet:%').orderBy('key').execute()).toEqual([
      { key: 'faucet:2026-11-20', amount: 3, funded: true },
      { key: 'faucet:2026-11-21', amount: 1, funded: true },
    ]);
  });

  test('F1: claims survive a restart, and are read again from history when the database is empty', async () => {
    await open();
    const [alice, bob] = [await openAccount(1), await openAccount(2)];
    const { claimId } = await claim(alice, 1);
    await claim(bob, 2);
    await reopen();
    expect([(await status(1)).status, (await status(2)).status]).toEqual([1, 1]);
    await settle(claimId, 'paid');
    await campaign.stop();
    await db.sql.deleteFrom('campaign_claim').execute();
    await db.sql.deleteFrom('campaign_budget').execute();
    await db.sql.updateTable('campaign_offset').set({ seq: 0 }).execute();
    await open();
    expect([(await status(1)).status, (await status(2)).status]).toEqual([2, 1]);
    expect(await db.sql.selectFrom('campaign_claim').select(['claim_id', 'outcome']).orderBy('reserved_at').execute()).toHaveLength(2);
  });
});
