/** The ground of the tests of lucky blocks: four people, a chain that seals blocks on demand, and a program that can be restarted. */
import type { LuckyBlock } from '@orrery/api';
import { AccountDirectory, localLease } from '@orrery/foundation';
import type { AccountId, Address } from '@orrery/units';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { Database } from '../../../../exchange/src/database.ts';
import { registerListing } from '../../../../exchange/src/listing.ts';
import { MemoryHeart } from '../../../../exchange/src/testing/memory-heart.ts';
import { temporaryDatabase } from '../../../../exchange/src/testing/temporary-database.ts';
import { Awards } from '../awards/awards.ts';
import { DAILY_NOON_CRON } from '../lucky/announcements.ts';
import { type Lucky, openLucky } from '../lucky/lucky.ts';
import { type CampaignTables, migrations } from '../tables/tables.ts';
import { LuckyChain, noClusters, Trades } from './lucky-chain.ts';

export const SECOND = 1_000;
export const HOUR = 3_600 * SECOND;
export const DAY = 24 * HOUR;
export const MIDNIGHT = Date.UTC(2026, 10, 23);
export const NOON = MIDNIGHT + 12 * HOUR;

export const OPERATOR = `0x${'0'.repeat(39)}f` as Address;
export const STRANGER = `0x${'0'.repeat(39)}e` as Address;

export const call = (parts: object) => ({ principal: undefined, query: {}, body: {}, caller: undefined, ...parts }) as never;

/** New for each test of the file that asks for it. */
export function luckyGround(): LuckyGround {
  const ground = new LuckyGround();
  beforeAll(async () => {
    ground.db = await temporaryDatabase<CampaignTables>(migrations);
  });
  afterAll(() => ground.db.close());
  beforeEach(ground.begin);
  afterEach(ground.end);
  return ground;
}

interface Terms {
  readonly announcedAt?: string;
  readonly pointsPerDay?: number;
}

class LuckyGround {
  declare db: Database<CampaignTables>;
  declare heart: MemoryHeart;
  declare members: AccountDirectory;
  declare awards: Awards;
  declare clock: { now: number };
  declare chain: LuckyChain;
  declare trades: Trades;
  declare lucky: Lucky;
  troubles: string[] = [];
  readonly people = new Map<string, { readonly address: Address; readonly account: AccountId }>();
  /** Leaders, by the account of their fund. */
  readonly funds = new Map<AccountId, AccountId>();

  readonly begin = async (): Promise<void> => {
    for (const table of ['campaign_award', 'campaign_budget', 'campaign_lucky_decision', 'campaign_lucky_alarm'] as const)
      await this.db.sql.deleteFrom(table).execute();
    await this.db.sql.updateTable('campaign_lucky_cursor').set({ decided_id: 0, examined_id: 0, announced_at: 0 }).execute();
    this.clock = { now: MIDNIGHT };
    this.heart = new MemoryHeart(() => this.clock.now);
    await registerListing(this.heart);
    this.members = new AccountDirectory(this.heart);
    this.members.start();
    this.chain = new LuckyChain();
    this.trades = new Trades();
    this.troubles = [];
    this.people.clear();
    this.funds.clear();
    for (const name of ['alice', 'bob', 'carol', 'dave']) await this.join(name);
    this.open();
  };

  readonly join = async (name: string): Promise<void> => {
    const address = `0x1${(this.people.size + 1).toString(16).padStart(39, '0')}` as Address;
    this.people.set(name, { address, account: (await this.members.open(address)).account });
  };

  readonly end = async (): Promise<void> => {
    await this.lucky.stop();
    await this.members.stop();
  };

  readonly open = (options: Terms = {}): void => {
    const { heart, members, chain: finds, trades } = this;
    const parts = { heart, db: this.db.sql, members, now: () => this.clock.now };
    this.awards = new Awards({
      ...parts,
      reads: this.db.sql,
      terms: { pointsPerDay: options.pointsPerDay ?? 5_000_000 },
      onGiven: () => undefined,
    });
    this.lucky = openLucky({
      ...parts,
      awards: this.awards,
      lease: localLease('lucky blocks'),
      clusters: noClusters,
      funds: { leaderOf: (account) => this.funds.get(account) },
      onTrouble: (error) => this.troubles.push(String(error)),
      terms: { finds, trades, announcedAt: options.announcedAt ?? DAILY_NOON_CRON, excluded: [OPERATOR], chain: 'ours' },
    });
  };

  readonly reopen = async (options: Terms = {}): Promise<void> => {
    await this.lucky.stop();
    this.open(options);
  };

  readonly person = (name: string) => {
    const found = this.people.get(name);
    if (found === undefined) throw new Error(name);
    return found;
  };

  readonly addressOf = (name: string): Address => this.people.get(name)?.address ?? (name === 'operator' ? OPERATOR : STRANGER);

  readonly nameOf = (address: string | null): string =>
    [...this.people].find(([, { address: own }]) => own === address)?.[0] ?? String(address);

  readonly trade = (name: string, at: number, fee = 1n): void => this.trades.add({ account: this.person(name).account, at, fee });

  readonly seal = (name: string, at: number, more: object = {}): string =>
    this.chain.seal({ at, first: { sender: this.addressOf(name), ...more } });

  readonly runAt = async (now: number): Promise<void> => {
    this.clock.now = now;
    await this.lucky.operations.runDue();
  };

  /** Everything ever paid, from the ledger's own history. */
  readonly paid = (): readonly string[] =>
    this.heart.history
      .flatMap(({ events }) => events)
      .flatMap((event) => (event.type === 'Awarded' ? [`${event.key} ${event.amount}`] : []));

  readonly awardOf = (name: string, day: string): string => `lucky:${day}:${this.addressOf(name)} 77777`;

  readonly listed = async (): Promise<LuckyBlock[]> => (await this.lucky.handlers.luckyBlocks(call({ body: { pageSize: 100 } }))).list;

  readonly tape = async (): Promise<readonly string[]> =>
    (await this.listed())
      .toReversed()
      .map(({ winner, decision, reason }) => `${this.nameOf(winner)} ${decision}${reason === '' ? '' : `: ${reason}`}`);
}
