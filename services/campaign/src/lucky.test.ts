import { LUCKY_PREFIXES, type LuckyBlock, type Principal } from '@orrery/api';
import { type AccountId, type Address, millis } from '@orrery/units';
import * as fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../../exchange/src/database.ts';
import { registerListing } from '../../../exchange/src/listing.ts';
import { MemoryHeart } from '../../../exchange/src/testing/memory-heart.ts';
import { temporaryDatabase } from '../../../exchange/src/testing/temporary-database.ts';
import { Awards } from './awards.ts';
import { DAILY_NOON_CRON } from './lucky-announcements.ts';
import { type Lucky, openLucky } from './lucky.ts';
import { Members } from './members.ts';
import { type CampaignTables, migrations } from './tables.ts';
import { LuckyChain, noClusters, Trades } from './testing/lucky-chain.ts';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const DAY = 24 * HOUR;
const MIDNIGHT = Date.UTC(2026, 10, 23);
const NOON = MIDNIGHT + 12 * HOUR;

const OPERATOR = `0x${'0'.repeat(39)}f` as Address;
const STRANGER = `0x${'0'.repeat(39)}e` as Address;

let db: Database<CampaignTables>;
let heart: MemoryHeart;
let members: Members;
let awards: Awards;
let clock: { now: number };
let chain: LuckyChain;
let trades: Trades;
let lucky: Lucky;
let troubles: string[];
const people = new Map<string, { readonly address: Address; readonly account: AccountId }>();

beforeAll(async () => {
  db = await temporaryDatabase<CampaignTables>(migrations);
});
afterAll(() => db.close());
beforeEach(begin);
afterEach(end);

async function begin(): Promise<void> {
  for (const table of ['campaign_award', 'campaign_budget', 'campaign_lucky_decision', 'campaign_lucky_alarm'] as const)
    await db.sql.deleteFrom(table).execute();
  await db.sql.updateTable('campaign_lucky_cursor').set({ decided_id: 0, examined_id: 0, announced_at: 0 }).execute();
  clock = { now: MIDNIGHT };
  heart = new MemoryHeart(() => clock.now);
  await registerListing(heart);
  members = new Members({ heart, onOpened: () => undefined });
  members.start();
  chain = new LuckyChain();
  trades = new Trades();
  troubles = [];
  people.clear();
  for (const [place, name] of ['alice', 'bob', 'carol', 'dave'].entries()) {
    const address = `0x${(place + 1).toString(16).padStart(40, '0')}` as Address;
    people.set(name, { address, account: (await members.open(address)).account });
  }
  open();
}

async function end(): Promise<void> {
  await lucky.stop();
  await members.stop();
}

function open(options: { announcedAt?: string; pointsPerDay?: number } = {}): void {
  const parts = { heart, db: db.sql, members, now: () => clock.now };
  awards = new Awards({ ...parts, terms: { pointsPerDay: options.pointsPerDay ?? 5_000_000 }, onGiven: () => undefined });
  lucky = openLucky({
    ...parts,
    awards,
    clusters: noClusters,
    onTrouble: (error) => troubles.push(String(error)),
    terms: { finds: chain, trades, announcedAt: options.announcedAt ?? DAILY_NOON_CRON, excluded: [OPERATOR], chain: 'ours' },
  });
}

async function reopen(options: Parameters<typeof open>[0] = {}): Promise<void> {
  await lucky.stop();
  open(options);
}

function person(name: string) {
  const found = people.get(name);
  if (found === undefined) throw new Error(name);
  return found;
}

const addressOf = (name: string): Address => people.get(name)?.address ?? (name === 'operator' ? OPERATOR : STRANGER);
const nameOf = (address: string | null): string => [...people].find(([, { address: own }]) => own === address)?.[0] ?? String(address);
const trade = (name: string, at: number, fee = 1n): void => trades.add({ account: person(name).account, at, fee });
const seal = (name: string, at: number, more: object = {}): string => chain.seal({ at, first: { sender: addressOf(name), ...more } });

async function runAt(now: number): Promise<void> {
  clock.now = now;
  await lucky.operations.runDue();
}

/** Everything ever paid, from the ledger's own history. */
const paid = (): readonly string[] =>
  heart.history.flatMap(({ events }) => events).flatMap((event) => (event.type === 'Awarded' ? [`${event.key} ${event.amount}`] : []));
const awardOf = (name: string, day: string): string => `lucky:${day}:${addressOf(name)} 77777`;

const call = (parts: object) => ({ principal: undefined, query: {}, body: {}, caller: undefined, ...parts }) as never;
const listed = async (): Promise<LuckyBlock[]> => (await lucky.handlers.luckyBlocks(call({ body: { pageSize: 100 } }))).list;
const tape = async (): Promise<readonly string[]> =>
  (await listed()).toReversed().map(({ winner, decision, reason }) => `${nameOf(winner)} ${decision}${reason === '' ? '' : `: ${reason}`}`);

describe('T10: the announcement of lucky blocks', () => {
  test('T10: pays 77,777 points for each of the ten prefixes, and nothing for 0xaaaa', async () => {
    let at = MIDNIGHT;
    for (const prefix of [...LUCKY_PREFIXES, '0xaaaa']) {
      trade('alice', at);
      chain.seal({ prefix, at: at + HOUR, first: { sender: addressOf('alice') } });
      await runAt(at + 12 * HOUR);
      at += DAY;
    }
    expect(paid()).toEqual(LUCKY_PREFIXES.map((_, day) => awardOf('alice', new Date(MIDNIGHT + day * DAY).toISOString().slice(0, 10))));
    expect(await awards.total(person('alice').account)).toBe(777_770);
  });

  test('T10: comes at 12:00 UTC; before it everything waits', async () => {
    trade('alice', MIDNIGHT);
    seal('alice', MIDNIGHT + HOUR);
    await runAt(NOON - 1);
    expect(await tape()).toEqual(['alice WAITING: to be announced at 2026-11-23T12:00:00.000Z']);
    await runAt(NOON);
    expect(await tape()).toEqual(['alice PAID']);
    expect(paid()).toEqual([awardOf('alice', '2026-11-23')]);
  });

  test('T10: the clock is block time: 11:59:59 is of this announcement, 12:00:00 of the next; 23:59:59 and 00:00:00 are two days', async () => {
    const [alice, bob] = ['alice', 'bob'];
    for (const at of [MIDNIGHT, NOON, MIDNIGHT + DAY, NOON + DAY]) for (const name of [alice, bob]) trade(name, at);
    seal(alice, NOON - SECOND);
    seal(bob, NOON);
    seal(bob, MIDNIGHT + DAY - SECOND);
    seal(alice, MIDNIGHT + DAY);
    await runAt(NOON);
    expect(paid()).toEqual([awardOf(alice, '2026-11-23')]);
    await runAt(NOON + DAY - 1);
    expect(paid()).toHaveLength(1);
    await runAt(NOON + DAY);
    expect(paid()).toEqual([awardOf(alice, '2026-11-23'), awardOf(bob, '2026-11-23'), awardOf(alice, '2026-11-24')]);
    expect((await tape())[2]).toBe('bob REFUSED: already rewarded on this day (UTC)');
  });

  test('T10: two in one day are one reward, also when the announcement lies between them', async () => {
    trade('alice', MIDNIGHT);
    seal('alice', MIDNIGHT + HOUR);
    seal('alice', MIDNIGHT + 2 * HOUR);
    seal('alice', NOON + HOUR);
    await runAt(NOON);
    await runAt(NOON + DAY);
    expect(paid()).toEqual([awardOf('alice', '2026-11-23')]);
    expect(await tape()).toEqual(['alice PAID', ...Array<string>(2).fill('alice REFUSED: already rewarded on this day (UTC)')]);
  });

  test('F2: whoever is refused is told why, and does not use up the day', async () => {
    for (const name of ['alice', 'bob', 'carol']) trade(name, MIDNIGHT);
    await heart.submit({ type: 'SetAccountFlag', account: person('bob').account, flag: 'blocked', value: true });
    await expect.poll(() => members.get(person('bob').account)?.flags.blocked).toBe(true);
    trade('dave', MIDNIGHT - 1);
    trade('dave', MIDNIGHT + HOUR, 0n);
    trade('dave', NOON);
    chain.seal({ at: MIDNIGHT + HOUR });
    for (const name of ['operator', 'stranger', 'bob', 'dave']) seal(name, MIDNIGHT + HOUR);
    seal('alice', MIDNIGHT + HOUR, { recipient: addressOf('alice') });
    seal('alice', MIDNIGHT + HOUR, { value: 0n });
    seal('alice', MIDNIGHT + HOUR, { value: 0n, hasData: true });
    seal('carol', MIDNIGHT + HOUR, { recipient: addressOf('carol'), hasData: true });
    await runAt(NOON);
    expect(await tape()).toEqual([
      'null REFUSED: the block has no chain transaction',
      `${OPERATOR} REFUSED: the sender belongs to the exchange`,
      `${STRANGER} REFUSED: the sender has no account here`,
      'bob REFUSED: the account is blocked',
      'dave REFUSED: no trade with a fee on this day (UTC)',
      'alice REFUSED: the chain transaction goes from the sender to itself',
      'alice REFUSED: the chain transaction is empty',
      'alice PAID',
      'carol REFUSED: the chain transaction goes from the sender to itself',
    ]);
    expect(paid()).toEqual([awardOf('alice', '2026-11-23')]);
  });

  test('T10: days that were missed are made up for, exactly once, and as they would have been decided in time', async () => {
    trade('alice', MIDNIGHT);
    // Too late for the announcement to which her block belongs.
    trade('bob', NOON);
    seal('alice', MIDNIGHT + HOUR);
    seal('bob', MIDNIGHT + HOUR);
    trade('alice', MIDNIGHT + DAY);
    seal('alice', MIDNIGHT + DAY + HOUR);
    await reopen();
    lucky.start();
    await runAt(NOON + 3 * DAY + HOUR);
    await reopen();
    await Promise.all([runAt(NOON + 4 * DAY), lucky.operations.runDue(), lucky.operations.runDue()]);
    expect(paid()).toEqual([awardOf('alice', '2026-11-23'), awardOf('alice', '2026-11-24')]);
    expect((await tape())[1]).toBe('bob REFUSED: no trade with a fee on this day (UTC)');
  });

  test('T10: waits until the chain is read as far as the announcement; a stop does not wait', async () => {
    trade('alice', MIDNIGHT);
    chain.isRead = false;
    clock.now = NOON;
    const running = lucky.operations.runDue();
    await expect.poll(() => chain.isAwaited).toBe(true);
    seal('alice', MIDNIGHT + HOUR);
    expect(paid()).toEqual([]);
    chain.read();
    await running;
    expect(paid()).toEqual([awardOf('alice', '2026-11-23')]);
    chain.isRead = false;
    clock.now = NOON + DAY;
    const second = lucky.operations.runDue();
    await lucky.stop();
    await second;
  });

  test('F2: a program that dies between deciding and paying pays once', async () => {
    trade('alice', MIDNIGHT);
    seal('alice', MIDNIGHT + HOUR);
    clock.now = NOON;
    heart.fail();
    await expect(lucky.operations.runDue()).rejects.toThrow('the heart has stopped');
    expect(await tape()).toEqual(['alice WAITING: won; the points are on their way']);
    heart.recover();
    await reopen();
    await runAt(NOON + SECOND);
    // Paid, and dead before that was noted.
    await db.sql.updateTable('campaign_lucky_decision').set({ paid_at: null }).execute();
    await reopen();
    await runAt(NOON + 2 * SECOND);
    expect(paid()).toEqual([awardOf('alice', '2026-11-23')]);
    expect(await tape()).toEqual(['alice PAID']);
  });

  test('M10: with an empty budget the winner waits for the next day', async () => {
    await reopen({ pointsPerDay: 100_000 });
    for (const name of ['alice', 'bob']) {
      trade(name, MIDNIGHT);
      seal(name, MIDNIGHT + HOUR);
    }
    await runAt(NOON);
    expect(await tape()).toEqual(['alice PAID', 'bob WAITING: won; the points are on their way']);
    expect(troubles.filter((trouble) => trouble.includes("today's rewards are all given"))).toHaveLength(1);
    await runAt(MIDNIGHT + DAY);
    expect(await tape()).toEqual(['alice PAID', 'bob PAID']);
    expect(await awards.news(person('bob').account)).toMatchObject([{ kind: 'LUCKY_BLOCK', points: 77_777, name: { en: 'Lucky Block' } }]);
  });

  test('T10: at another time when so configured', async () => {
    await reopen({ announcedAt: '*/10 * * * * *' });
    trade('alice', MIDNIGHT);
    seal('alice', MIDNIGHT + 12 * SECOND);
    await runAt(MIDNIGHT + 19 * SECOND);
    expect(paid()).toEqual([]);
    await runAt(MIDNIGHT + 20 * SECOND);
    expect(paid()).toEqual([awardOf('alice', '2026-11-23')]);
    expect(() => open({ announcedAt: 'at noon' })).toThrow();
    expect(() => open({ announcedAt: '0 0 30 2 *' })).toThrow();
  });
});

describe('T10: a lucky block that the chain takes back', () => {
  test('D2: before the announcement wins nothing; its successor does', async () => {
    trade('alice', MIDNIGHT);
    trade('bob', MIDNIGHT);
    const gone = seal('alice', MIDNIGHT + HOUR);
    chain.takeBack(gone);
    seal('bob', MIDNIGHT + HOUR);
    await runAt(NOON);
    expect(paid()).toEqual([awardOf('bob', '2026-11-23')]);
    expect(await tape()).toEqual(['alice REORGED: the chain took the block back', 'bob PAID']);
  });

  test('D2: decided and not paid it is forgotten, and the next of the day wins; come back it is decided anew', async () => {
    await reopen({ pointsPerDay: 1 });
    trade('alice', MIDNIGHT);
    const gone = seal('alice', MIDNIGHT + HOUR);
    await runAt(NOON);
    expect(await tape()).toEqual(['alice WAITING: won; the points are on their way']);
    chain.takeBack(gone);
    seal('alice', NOON + HOUR);
    await reopen();
    await runAt(NOON + DAY);
    expect(paid()).toEqual([awardOf('alice', '2026-11-23')]);
    expect(await tape()).toEqual(['alice REORGED: the chain took the block back', 'alice PAID']);
    chain.giveBack(gone);
    await runAt(NOON + 2 * DAY);
    expect(paid()).toHaveLength(1);
    expect(await tape()).toEqual(['alice REFUSED: already rewarded on this day (UTC)', 'alice PAID']);
  });

  test('D2: decided and not paid, and taken back with nothing in its place, is never paid', async () => {
    await reopen({ pointsPerDay: 1 });
    trade('alice', MIDNIGHT);
    const gone = seal('alice', MIDNIGHT + HOUR);
    await runAt(NOON);
    chain.takeBack(gone);
    await reopen();
    await runAt(NOON + DAY);
    expect(paid()).toEqual([]);
    expect(await tape()).toEqual(['alice REORGED: the chain took the block back']);
  });

  test('D2: after it was paid an alarm is raised, once, and the day stays rewarded', async () => {
    trade('alice', MIDNIGHT);
    const gone = seal('alice', MIDNIGHT + HOUR);
    await runAt(NOON);
    chain.takeBack(gone);
    seal('alice', NOON + HOUR);
    await runAt(NOON + DAY);
    await runAt(NOON + 2 * DAY);
    expect(paid()).toHaveLength(1);
    expect(await tape()).toEqual([
      'alice REORGED: the chain took the block back after it was paid',
      'alice REFUSED: already rewarded on this day (UTC)',
    ]);
    const alarms = await lucky.operations.alarms();
    expect(alarms.map(({ kind, subject, period, address }) => [kind, subject, period, address])).toEqual([
      ['REORGED', gone, '2026-11-23', ''],
    ]);
    expect(troubles).toHaveLength(1);
  });
});

describe('T10: what chance does not explain', () => {
  const alarmsOf = async () => (await lucky.operations.alarms()).map(({ kind, subject, period }) => `${kind} ${nameOf(subject)} ${period}`);

  test('T10: a producer whose every block is lucky raises an alarm for its day and month, and for the chain', async () => {
    for (let hour = 1; hour <= 3; hour++) seal('stranger', MIDNIGHT + hour * HOUR);
    await runAt(MIDNIGHT + 4 * HOUR);
    expect((await alarmsOf()).toSorted()).toEqual([
      'CHAIN every block 2026-11-23',
      `SENDER ${STRANGER} 2026-11`,
      `SENDER ${STRANGER} 2026-11-23`,
    ]);
    seal('stranger', MIDNIGHT + 5 * HOUR);
    await runAt(MIDNIGHT + 6 * HOUR);
    const alarms = await lucky.operations.alarms();
    expect(alarms.map(({ blocks, expected }) => `${blocks} for ${expected}`)).toEqual(Array<string>(3).fill('4 for 0.0006'));
    expect(alarms.map(({ sentence }) => sentence)).toContain(
      `of the blocks that began with a chain transaction of ${STRANGER} in 2026-11 4 of 4 were lucky: chance does so with a probability of 5.4e-16`,
    );
    expect(troubles).toHaveLength(3);
  });

  test('T10: one lucky block in a few thousand raises none', async () => {
    for (let number = 0; number < 6_000; number++)
      chain.seal({ at: MIDNIGHT + number * SECOND, prefix: '0xabcd', first: { sender: STRANGER } });
    seal('stranger', MIDNIGHT + 2 * HOUR);
    await runAt(MIDNIGHT + 3 * HOUR);
    expect(await alarmsOf()).toEqual([]);
  });
});

describe('T11: the lists', () => {
  const principal = (name: string): Principal => ({
    ...person(name),
    via: 'session',
    credential: 's',
    permission: 'TRADE',
    tier: 'standard',
    endsAt: millis(0),
  });

  test('T11: every lucky block by pages, newest first, with hashes and times in seconds', async () => {
    trade('alice', MIDNIGHT);
    for (let hour = 1; hour <= 11; hour++) seal(hour % 2 === 0 ? 'alice' : 'bob', MIDNIGHT + hour * HOUR + 1);
    await runAt(NOON);
    const second = await lucky.handlers.luckyBlocks(call({ body: { page: 2, pageSize: 10 } }));
    expect([second.total, second.list.map(({ blockId }) => blockId)]).toEqual([11, [1]]);
    const [, newest] = await listed();
    expect(newest).toEqual({
      blockId: 10,
      blockHash: `0x7777${'a'.padStart(60, 'b')}`,
      txHash: `0x${'a'.padStart(64, '0')}`,
      blockTime: MIDNIGHT / SECOND + 36_000,
      createdTime: MIDNIGHT / SECOND + 36_000,
      winner: addressOf('alice'),
      points: 0,
      decision: 'REFUSED',
      reason: 'already rewarded on this day (UTC)',
    });
  });

  test("T11: one's own, and nobody else's", async () => {
    trade('alice', MIDNIGHT);
    for (const name of ['alice', 'bob', 'alice']) seal(name, MIDNIGHT + HOUR);
    await runAt(NOON);
    const ask = (name: string) =>
      lucky.handlers.ownLuckyBlocks(call({ principal: principal('alice'), body: { walletAddress: addressOf(name) } }));
    const own = await ask('alice');
    expect(own.list.map(({ blockId, points }) => [blockId, points])).toEqual([
      [3, 0],
      [1, 77_777],
    ]);
    expect(own.total).toBe(2);
    await expect(Promise.resolve().then(() => ask('bob'))).rejects.toMatchObject({ data: { reason: 'NotYours' } });
  });

  test('T11: the rule is told with its ten prefixes, the excluded addresses, and who seals the blocks', async () => {
    clock.now = NOON;
    const rules = await lucky.handlers.luckyBlockRules(call({}));
    expect(rules).toMatchObject({ points: 77_777, announcedAt: '12:00 UTC', excluded: [OPERATOR], nextAnnouncementAt: NOON + DAY });
    expect(rules.prefixes).toEqual(['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'].map((digit) => `0x${digit.repeat(4)}`));
    expect(rules.disclosure).toContain('One reward for an address and UTC day of block time, and one for a cluster');
    expect(rules.disclosure).toContain('The exchange itself seals the blocks');
  });
});

/** The rule a second time, told from the whole story at once and not from what is kept. */
function naive(story: readonly Told[]): readonly string[] {
  const winners: string[] = [];
  for (const { prefix, name, at, self, empty } of story) {
    const day = new Date(at).toISOString().slice(0, 10);
    const digits = prefix.slice(2);
    const isLucky = digits === (digits[0] ?? '').repeat(4) && '0123456789'.includes(digits[0] ?? 'x');
    const noonAfter = at % DAY < 12 * HOUR ? at - (at % DAY) + 12 * HOUR : at - (at % DAY) + DAY;
    const traded = story.some(
      (other) => other.tradesAt !== undefined && other.name === name && sameDay(other.tradesAt, at) && other.tradesAt < noonAfter,
    );
    if (isLucky && people.has(name) && !self && !empty && traded) winners.push(awardOf(name, day));
  }
  return [...new Set(winners)].toSorted();
}

const sameDay = (a: number, b: number): boolean => Math.floor(a / DAY) === Math.floor(b / DAY);

interface Told {
  readonly prefix: string;
  readonly name: string;
  readonly at: number;
  readonly self: boolean;
  readonly empty: boolean;
  readonly tradesAt: number | undefined;
}

/** Moments around which the rule turns. */
const moment = fc
  .tuple(fc.integer({ min: 0, max: 2 }), fc.constantFrom(0, SECOND, 6 * HOUR, 12 * HOUR - SECOND, 12 * HOUR, 18 * HOUR, DAY - SECOND))
  .map(([day, time]) => MIDNIGHT + day * DAY + time);

const told: fc.Arbitrary<Told> = fc.record({
  prefix: fc.constantFrom('0x0000', '0x5555', '0x9999', '0x7777', '0xaaaa', '0x0001'),
  name: fc.constantFrom('alice', 'bob', 'alice', 'operator', 'stranger'),
  at: moment,
  self: fc.integer({ max: 5, min: 0 }).map((n) => n === 0),
  empty: fc.integer({ max: 5, min: 0 }).map((n) => n === 0),
  tradesAt: fc.option(moment, { nil: undefined }),
});

test('F2: of any story exactly the awards of the rule are given, whenever the program runs', async () => {
  await end();
  await fc.assert(
    fc.asyncProperty(fc.array(told, { maxLength: 12 }), fc.array(moment, { maxLength: 4 }), async (unsorted, starts) => {
      const story = unsorted.toSorted((a, b) => a.at - b.at);
      await begin();
      for (const { name, tradesAt } of story) if (tradesAt !== undefined && people.has(name)) trade(name, tradesAt);
      const waiting = [...story];
      for (const now of [...starts.toSorted((a, b) => a - b), MIDNIGHT + 5 * DAY]) {
        for (let next = waiting[0]; next !== undefined && next.at <= now; next = waiting[0]) {
          const { name, at, self, empty, prefix } = next;
          const sender = addressOf(name);
          chain.seal({ prefix, at, first: { sender, ...(self && { recipient: sender }), ...(empty && { value: 0n }) } });
          waiting.shift();
        }
        await reopen();
        await runAt(now);
      }
      expect(paid().toSorted()).toEqual(naive(story));
      await end();
    }),
    { numRuns: 60 },
  );
  await begin();
});
