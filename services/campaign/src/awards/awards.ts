/**
 * Awards: the one way in which points are given. An award is decided once, in SQL under its key, then given through the ledger
 * until the ledger has it; the ledger retains the key permanently, so that no crash between two steps gives twice or loses an award.
 */
import { ApiError, type FaultName } from '@orrery/api';
import { type AccountDirectory, countUpTo } from '@orrery/foundation';
import type { Command, Heart } from '@orrery/protocol';
import { POINTS } from '@orrery/rules';
import { type AccountId, accountId, atoms } from '@orrery/units';
import { type Kysely, type Selectable, sql } from 'kysely';
import { DayBudget } from './day-budget.ts';
import type { LocalisedText } from '../tables/localised-text.ts';
import type { CampaignTables } from '../tables/tables.ts';

/** The maximum number of dialogs that wait for a person. */
const NEWS_MAX = 20;
/** Until the assets are listed nothing can be given. */
const LISTING_SECONDS = 5;
/** A reversal's key is this and the key of the award. */
const REVERSAL_PREFIX = 'reverse:';

export type AwardKind = 'TASK' | 'LUCKY_BLOCK' | 'LEADERBOARD' | 'MANUAL';

/** A line of the history of points. */
export interface PointsEntry {
  readonly key: string;
  readonly account: AccountId;
  /** A reversal takes back what an award gave. */
  readonly kind: AwardKind | 'REVERSAL';
  readonly name: LocalisedText;
  /** Whole points; below zero in a reversal. */
  readonly points: number;
  /** Unix milliseconds. */
  readonly at: number;
}

export interface Award extends PointsEntry {
  /** Visible ASCII without spaces, at most 190 characters: the same key is given once, whatever else is asked with it. */
  readonly key: string;
  readonly kind: AwardKind;
}

/** `repeated`: the account had it already. */
export type AwardOutcome = 'given' | 'repeated';

export interface PointsPage {
  readonly list: readonly PointsEntry[];
  readonly total: number;
}

export interface Tally {
  readonly count: number;
  /** Points. */
  readonly sum: number;
}

export interface RewardTerms {
  /** Points to which a new UTC day tops up the budget. */
  readonly pointsPerDay: number;
}

type AwardRow = Selectable<CampaignTables['campaign_award']>;

export class Awards {
  readonly #heart: Heart;
  readonly #db: Kysely<CampaignTables>;
  readonly #reads: Kysely<CampaignTables>;
  readonly #members: AccountDirectory;
  readonly #budget: DayBudget;
  readonly #now: () => number;
  readonly #onGiven: (award: Award) => void;
  /** Awards in progress, by key: concurrent calls with one key share one promise. */
  readonly #running = new Map<string, Promise<AwardOutcome>>();

  constructor(parts: {
    heart: Heart;
    db: Kysely<CampaignTables>;
    /** For lists that are paged through. */
    reads: Kysely<CampaignTables>;
    members: AccountDirectory;
    terms: RewardTerms;
    /** Asked each day instead of the terms, where operators may change them. */
    pointsPerDay?: () => Promise<number>;
    /** Resolves when SQL has all the awards the ledger has, where history fills them in. */
    caughtUp?: () => Promise<void>;
    now: () => number;
    onGiven: (award: Award) => void;
  }) {
    const { heart, db, members, terms, now, onGiven } = parts;
    const perDay = parts.pointsPerDay ?? (() => Promise.resolve(terms.pointsPerDay));
    this.#heart = heart;
    this.#db = db;
    this.#reads = parts.reads;
    this.#members = members;
    this.#onGiven = onGiven;
    this.#now = now;
    const taken = async (): Promise<number> => {
      await parts.caughtUp?.();
      return this.#givenInAll();
    };
    this.#budget = new DayBudget({ heart, db, members, budget: 'rewards', code: POINTS, perDay, taken, now });
  }

  /** @throws ApiError when the budget is empty or the account is blocked: then nothing is given and nothing kept. */
  give(award: Award): Promise<AwardOutcome> {
    return this.#enterOnce(award);
  }

  /**
   * Takes an award back by a counter-entry that stands in the history with its reason.
   * @throws ApiError when there is no such award.
   */
  async reverse({ key, reason }: { key: string; reason: string }): Promise<AwardOutcome> {
    const award = await this.#db
      .selectFrom('campaign_award')
      .selectAll()
      .where('key', '=', key)
      .where('kind', '<>', 'REVERSAL')
      .where('command_seq', 'is not', null)
      .executeTakeFirst();
    if (award === undefined) throw new ApiError('UnknownAward', { field: 'awardKey' });
    const name = { en: `Taken back: ${award.name.en} (${reason})` };
    const { account, points } = entryOf(award);
    return this.#enterOnce({ key: REVERSAL_PREFIX + key, account, kind: 'REVERSAL', name, points: -points, at: this.#now() });
  }

  fundToday(): Promise<void> {
    return this.#budget.fillToday();
  }

  /** Gives what was decided and not given when the program ended. */
  async resume(): Promise<void> {
    const rows = await this.#db.selectFrom('campaign_award').selectAll().where('command_seq', 'is', null).orderBy('at').execute();
    for (const row of rows) {
      try {
        await this.#enterOnce(entryOf(row));
      } catch (error) {
        // Refused: nothing was promised, and a later call is decided then.
        if (!(error instanceof ApiError)) throw error;
      }
    }
  }

  async total(account: AccountId): Promise<number> {
    const { sum } = await this.#given(account).select(SUM_OF_POINTS).executeTakeFirstOrThrow();
    return sum;
  }

  /** Which of these keys the account has been given. */
  async givenOf({ account, keys }: { account: AccountId; keys: readonly string[] }): Promise<ReadonlySet<string>> {
    if (keys.length === 0) return new Set();
    const rows = await this.#given(account).select('key').where('key', 'in', keys).execute();
    return new Set(rows.map(({ key }) => key));
  }

  /** Awards of a kind the account was given, and the points of those whose key begins with `prefix`. */
  async tally({ account, kind, prefix = '' }: { account: AccountId; kind: AwardKind; prefix?: string }): Promise<Tally> {
    return this.#given(account)
      .select((of) => [of.fn.countAll<number>().as('count'), SUM_OF_POINTS])
      .where('kind', '=', kind)
      .where('key', 'like', patternOf(prefix))
      .executeTakeFirstOrThrow();
  }

  /** Newest first; of these keys where `prefix` is given. `page` counts from 1. */
  async history(query: { account: AccountId; page: number; size: number; prefix?: string }): Promise<PointsPage> {
    const { account, page, size, prefix = '' } = query;
    const given = this.#given(account, this.#reads).where('key', 'like', patternOf(prefix));
    const total = await countUpTo(this.#reads, given.select('key'));
    const rows = await given
      .selectAll()
      .orderBy('at', 'desc')
      .orderBy('command_seq', 'desc')
      .limit(size)
      .offset((page - 1) * size)
      .execute();
    return { list: rows.map(entryOf), total };
  }

  /** Awards whose dialog the person has not seen, oldest first. */
  async news(account: AccountId): Promise<readonly Award[]> {
    const rows = await this.#given(account)
      .selectAll()
      .where('seen_at', 'is', null)
      .where('kind', '<>', 'REVERSAL')
      .orderBy('at')
      .limit(NEWS_MAX)
      .execute();
    return rows.map(entryOf).filter(isAward);
  }

  /** @throws ApiError when the account has no such award. */
  async seen(query: { account: AccountId; key: string; at: number }): Promise<void> {
    const { account, key, at } = query;
    const row = await this.#db
      .updateTable('campaign_award')
      .set((of) => ({ seen_at: of.fn.coalesce('seen_at', of.val(at)) }))
      .where('key', '=', key)
      .where('account', '=', account)
      .returning('key')
      .executeTakeFirst();
    if (row === undefined) throw new ApiError('UnknownThing', { field: 'awardId' });
  }

  #enterOnce(entry: PointsEntry): Promise<AwardOutcome> {
    const running = this.#running.get(entry.key);
    if (running !== undefined) return running.then(() => 'repeated');
    const entering = this.#enter(entry).finally(() => this.#running.delete(entry.key));
    this.#running.set(entry.key, entering);
    return entering;
  }

  async #enter(asked: PointsEntry): Promise<AwardOutcome> {
    const decided = await this.#decide(asked);
    if (decided.command_seq !== null) return 'repeated';
    const entry = entryOf(decided);
    const { key } = entry;
    await this.#budget.fillToday();
    const { events, seq } = await this.#heart.submit(this.#commandOf(entry));
    const rejected = events.find((event) => event.type === 'CommandRejected');
    if (rejected !== undefined) {
      await this.#db.deleteFrom('campaign_award').where('key', '=', key).where('command_seq', 'is', null).execute();
      throw refusal(rejected.reason);
    }
    await this.#db.updateTable('campaign_award').set({ command_seq: seq }).where('key', '=', key).execute();
    if (isAward(entry)) this.#onGiven(entry);
    return 'given';
  }

  #commandOf(entry: PointsEntry): Command {
    const { key, account, points } = entry;
    if (!isAward(entry)) return { type: 'ReverseAward', key, awardKey: key.slice(REVERSAL_PREFIX.length) };
    const asset = this.#members.asset(POINTS)?.asset;
    if (asset === undefined) throw new ApiError('NotNow', { retryAfterSeconds: LISTING_SECONDS });
    return { type: 'AwardFromBudget', key, budget: 'rewards', account, asset, amount: atoms(BigInt(points)) };
  }

  /** The first decision under a key stays: its points are what is given. */
  async #decide({ key, account, kind, name, points, at }: PointsEntry): Promise<AwardRow> {
    await this.#db
      .insertInto('campaign_award')
      .values({ key, account, kind, name: JSON.stringify(name), points, at, seen_at: null, command_seq: null })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return this.#db.selectFrom('campaign_award').selectAll().where('key', '=', key).executeTakeFirstOrThrow();
  }

  #given(account: AccountId, db = this.#db) {
    return db.selectFrom('campaign_award').where('account', '=', account).where('command_seq', 'is not', null);
  }

  async #givenInAll(): Promise<number> {
    const { sum } = await this.#db
      .selectFrom('campaign_award')
      .where('command_seq', 'is not', null)
      .select(SUM_OF_POINTS)
      .executeTakeFirstOrThrow();
    return sum;
  }
}

const SUM_OF_POINTS = sql<number>`coalesce(sum(points), 0)::bigint`.as('sum');

function entryOf(row: AwardRow): PointsEntry {
  const { key, name, points, at } = row;
  return { key, account: accountId(row.account), kind: row.kind as PointsEntry['kind'], name, points, at };
}

const isAward = (entry: PointsEntry): entry is Award => entry.kind !== 'REVERSAL';

function refusal(reason: FaultName): ApiError {
  if (reason !== 'BudgetExhausted') return new ApiError(reason);
  return new ApiError(reason, { message: "today's rewards are all given: come back after 00:00 UTC" });
}

/** Of the keys that begin so. */
const patternOf = (prefix: string): string => `${prefix.replaceAll('_', '\\_')}%`;
