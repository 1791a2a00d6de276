import { AccountDirectory } from '@orrery/foundation';
import { type AccountId, accountId, type Address } from '@orrery/units';
import { BalancesView, load } from '@orrery/views';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Database } from '../../../../exchange/src/database.ts';
import { assetByCode, registerListing } from '../../../../exchange/src/listing.ts';
import { MemoryHeart } from '../../../../exchange/src/testing/memory-heart.ts';
import { temporaryDatabase } from '../../../../exchange/src/testing/temporary-database.ts';
import { type Award, Awards } from './awards.ts';
import { type CampaignTables, migrations } from '../tables/tables.ts';

const DAY = 86_400_000;
const NOON = Date.UTC(2026, 10, 23, 12);
const POINTS = assetByCode('POINTS').asset;

let db: Database<CampaignTables>;
let heart: MemoryHeart;
let members: AccountDirectory;
let clock: { now: number };
let awards: Awards;
let emitted: Award[];
let alice: AccountId;

beforeAll(async () => {
  db = await temporaryDatabase<CampaignTables>(migrations);
});
afterAll(() => db.close());
beforeEach(async () => {
  for (const table of ['campaign_award', 'campaign_budget'] as const) await db.sql.deleteFrom(table).execute();
  clock = { now: NOON };
  heart = new MemoryHeart(() => clock.now);
  await registerListing(heart);
  members = new AccountDirectory(heart);
  members.start();
  alice = await openAccount(1);
  open();
});
afterEach(() => members.stop());

function open(pointsPerDay = 100_000): void {
  emitted = [];
  awards = new Awards({
    heart,
    db: db.sql,
    reads: db.sql,
    members,
    terms: { pointsPerDay },
    now: () => clock.now,
    onGiven: (award) => emitted.push(award),
  });
}

async function openAccount(n: number): Promise<AccountId> {
  return (await members.open(`0x${n.toString(16).padStart(40, '0')}` as Address)).account;
}

const award = (key: string, points: number, account = alice): Award => ({
  key,
  account,
  kind: 'TASK',
  name: { en: 'First deposit' },
  points,
  at: clock.now,
});

const outcomeOf = (asked: Award): Promise<string> =>
  awards
    .give(asked)
    .catch((error: unknown) => (error instanceof Error && 'data' in error ? (error.data as { reason: string }).reason : ''));

/** What the ledger says the account holds. */
function pointsHeld(account = alice): number {
  const balances = new BalancesView();
  const view = heart.open();
  load(view, balances);
  view.close();
  return Number(balances.get({ account, wallet: 'funding', asset: POINTS }).free);
}

const given = () => heart.history.flatMap(({ events }) => events.filter((event) => event.type === 'Awarded'));
const decisions = () => db.sql.selectFrom('campaign_award').select(['key', 'command_seq']).orderBy('key').execute();

test('F3: what is given stands in the history, is news until it is seen, and the total is the sum', async () => {
  const other = await openAccount(2);
  expect(await outcomeOf(award('task:A:once:1', 500))).toBe('given');
  clock.now += 1_000;
  expect(await outcomeOf(award('task:B:once:1', 250))).toBe('given');
  expect(await outcomeOf(award('task:A:once:2', 500, other))).toBe('given');
  expect(emitted.map(({ key }) => key)).toEqual(['task:A:once:1', 'task:B:once:1', 'task:A:once:2']);
  const history = await awards.history({ account: alice, page: 1, size: 10 });
  expect(history.list.map(({ key, points }) => [key, points])).toEqual([
    ['task:B:once:1', 250],
    ['task:A:once:1', 500],
  ]);
  expect([history.total, await awards.total(alice), pointsHeld()]).toEqual([2, 750, 750]);
  expect((await awards.history({ account: alice, page: 2, size: 1 })).list.map(({ key }) => key)).toEqual(['task:A:once:1']);

  expect((await awards.news(alice)).map(({ key }) => key)).toEqual(['task:A:once:1', 'task:B:once:1']);
  await awards.seen({ account: alice, key: 'task:A:once:1', at: clock.now });
  await awards.seen({ account: alice, key: 'task:A:once:1', at: clock.now });
  expect((await awards.news(alice)).map(({ key }) => key)).toEqual(['task:B:once:1']);
  await expect(awards.seen({ account: other, key: 'task:B:once:1', at: clock.now })).rejects.toThrow('awardId not found');
  expect(await awards.news(alice)).toHaveLength(1);
});

test('F3: of 50 claims at once one is given, and so it stays when they come again', async () => {
  const claims = () => Promise.all(Array.from({ length: 50 }, () => outcomeOf(award('task:A:once:1', 500))));
  expect((await claims()).filter((outcome) => outcome === 'given')).toHaveLength(1);
  open();
  expect(new Set(await claims())).toEqual(new Set(['repeated']));
  expect([given().length, pointsHeld(), await awards.total(alice)]).toEqual([1, 500, 500]);
});

test('F3: 50 claims in as many programs: the ledger takes one', async () => {
  const outcomes = await Promise.all(
    Array.from({ length: 50 }, () => {
      open();
      return outcomeOf(award('task:A:once:1', 500));
    }),
  );
  expect(outcomes).not.toContain('BudgetExhausted');
  expect([given().length, pointsHeld(), await awards.total(alice)]).toEqual([1, 500, 500]);
});

test('F3: the first decision under a key stays: its points are given', async () => {
  heart.fail();
  await expect(awards.give(award('task:A:once:1', 500))).rejects.toThrow('the heart has stopped');
  heart.recover();
  expect(await outcomeOf(award('task:A:once:1', 900))).toBe('given');
  expect([pointsHeld(), await awards.total(alice)]).toEqual([500, 500]);
});

test('M10: an empty budget refuses with a sentence and keeps nothing; the next day fills it up to its amount, not above', async () => {
  open(1_000);
  expect(await outcomeOf(award('task:A:once:1', 600))).toBe('given');
  await expect(awards.give(award('task:B:once:1', 600))).rejects.toThrow("today's rewards are all given: come back after 00:00 UTC");
  expect(await outcomeOf(award('task:C:once:1', 400))).toBe('given');
  expect((await decisions()).map(({ key }) => key)).toEqual(['task:A:once:1', 'task:C:once:1']);
  clock.now += DAY;
  expect(await outcomeOf(award('task:B:once:1', 600))).toBe('given');
  clock.now += DAY;
  expect(await outcomeOf(award('task:D:once:1', 1_000))).toBe('given');
  const funded = heart.history.flatMap(({ events }) => events.filter((event) => event.type === 'BudgetFunded'));
  expect(funded.map(({ key, budget, asset, amount }) => [key, budget, asset, amount])).toEqual([
    ['rewards:2026-11-23', 'rewards', POINTS, 1_000n],
    ['rewards:2026-11-24', 'rewards', POINTS, 1_000n],
    ['rewards:2026-11-25', 'rewards', POINTS, 600n],
  ]);
});

test('F3: a program killed between deciding and giving gives at the next start', async () => {
  await awards.fundToday();
  heart.fail();
  await expect(awards.give(award('task:A:once:1', 500))).rejects.toThrow('the heart has stopped');
  heart.recover();
  expect([await awards.total(alice), await awards.news(alice)]).toEqual([0, []]);
  open();
  await awards.resume();
  await awards.resume();
  expect([given().length, pointsHeld(), await awards.total(alice)]).toEqual([1, 500, 500]);
  expect(emitted.map(({ key }) => key)).toEqual(['task:A:once:1']);
});

test('F3: a program killed between giving and recording gives nothing twice', async () => {
  await awards.fundToday();
  const answer = heart.submit.bind(heart);
  heart.submit = async (command) => {
    await answer(command);
    throw new Error('killed before the answer came');
  };
  await expect(awards.give(award('task:A:once:1', 500))).rejects.toThrow('killed');
  heart.submit = answer;
  expect([pointsHeld(), await awards.total(alice)]).toEqual([500, 0]);
  open();
  await awards.resume();
  expect([given().length, pointsHeld(), await awards.total(alice)]).toEqual([1, 500, 500]);
  expect((await decisions()).map(({ command_seq }) => command_seq === null)).toEqual([false]);
});

test('F4: an award is taken back once by a line below zero with its reason; what was killed in between is taken back at the start', async () => {
  await awards.give(award('task:A:once:1', 500));
  await awards.give(award('task:B:once:1', 250));
  const reverse = (key: string) => awards.reverse({ key, reason: 'wash trading' });
  const outcomes = await Promise.all(Array.from({ length: 10 }, () => reverse('task:A:once:1')));
  expect(outcomes.filter((outcome) => outcome === 'given')).toHaveLength(1);
  expect([pointsHeld(), await awards.total(alice)]).toEqual([250, 250]);
  expect((await awards.history({ account: alice, page: 1, size: 10 })).list[0]).toMatchObject({
    key: 'reverse:task:A:once:1',
    kind: 'REVERSAL',
    name: { en: 'Taken back: First deposit (wash trading)' },
    points: -500,
  });
  expect((await awards.news(alice)).map(({ key }) => key)).not.toContain('reverse:task:A:once:1');
  await expect(reverse('task:C:once:1')).rejects.toThrow('award not found');
  await expect(reverse('reverse:task:A:once:1')).rejects.toThrow('award not found');
  expect(await outcomeOf(award('task:A:once:1', 500))).toBe('repeated');
  heart.fail();
  await expect(reverse('task:B:once:1')).rejects.toThrow('the heart has stopped');
  heart.recover();
  open();
  await awards.resume();
  expect([pointsHeld(), await awards.total(alice)]).toEqual([0, 0]);
  // What came back may be given again.
  clock.now += DAY;
  await awards.fundToday();
  const funded = heart.history.flatMap(({ events }) => events.filter((event) => event.type === 'BudgetFunded'));
  expect(funded.map(({ amount }) => amount)).toEqual([100_000n]);
});

test('A5: a blocked account is refused, and what was decided for it is not kept', async () => {
  await heart.submit({ type: 'SetAccountFlag', account: alice, flag: 'blocked', value: true });
  expect(await outcomeOf(award('task:A:once:1', 500))).toBe('AccountBlocked');
  expect(await outcomeOf(award('task:A:once:1', 500, accountId(99)))).toBe('UnknownAccount');
  expect(await decisions()).toEqual([]);
});
