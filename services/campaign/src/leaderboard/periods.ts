/** Leaderboard campaigns as data: when each runs, what it ranks, the prizes of its ranks. One a week is created automatically. */
import { ApiError } from '@orrery/api';
import { AWARD_POINTS_MAX } from '@orrery/rules';
import type { Kysely, Selectable } from 'kysely';
import { type Board, BOARDS, type Prize } from '../tables/leaderboard.ts';
import type { LocalisedText } from '../tables/localised-text.ts';
import type { CampaignTables } from '../tables/tables.ts';

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
/** Monday, 5 January 1970, 00:00 UTC. */
const FIRST_MONDAY = 4 * DAY_MS;

export interface LeaderboardTerms {
  /** Between the end of a campaign and its payout: time to look into it. */
  readonly reviewMs: number;
  /** Of the campaigns of each week. */
  readonly weeklyPrizes: readonly Prize[];
  /** Quote atoms that the accounts of one cluster may bring onto the volume board on one UTC day, in all; of every campaign that is made from now on. */
  readonly volumeCapPerDay: bigint;
}

export interface NewPeriod {
  readonly campaignId: string;
  readonly name: LocalisedText;
  readonly startsAt: number;
  readonly endsAt: number;
  readonly boards: readonly Board[];
  readonly prizes: readonly Prize[];
}

export interface Period extends NewPeriod {
  /** Quote atoms; a campaign that was made before there were caps has none. */
  readonly volumeCapPerDay: bigint | undefined;
  readonly paysAt: number;
  readonly isDecided: boolean;
  readonly isPaid: boolean;
}

export type PeriodState = 'UPCOMING' | 'RUNNING' | 'REVIEW' | 'PAID';

export function stateOf(period: Period, now: number): PeriodState {
  if (period.isPaid) return 'PAID';
  if (now < period.startsAt) return 'UPCOMING';
  return now < period.endsAt ? 'RUNNING' : 'REVIEW';
}

/** Points that a rank brings; nothing for a value that is not above zero. */
export function prizeOf({ prizes }: Period, { rank, value }: { rank: number; value: bigint }): number {
  if (value <= 0n) return 0;
  return prizes.find(({ fromRank, toRank }) => fromRank <= rank && rank <= toRank)?.points ?? 0;
}

/** The latest Monday 00:00 UTC that is not after `now`. */
export const lastMonday = (now: number): number => FIRST_MONDAY + Math.floor((now - FIRST_MONDAY) / WEEK_MS) * WEEK_MS;

export class Periods {
  readonly #db: Kysely<CampaignTables>;
  readonly #terms: LeaderboardTerms;
  readonly #now: () => number;
  #periods: readonly Period[] = [];

  constructor(parts: { db: Kysely<CampaignTables>; terms: LeaderboardTerms; now: () => number }) {
    this.#db = parts.db;
    this.#terms = parts.terms;
    this.#now = parts.now;
  }

  /** Latest first. */
  all(): readonly Period[] {
    return this.#periods;
  }

  /** @throws ApiError when there is none. */
  get(campaignId: string): Period {
    const found = this.#periods.find((period) => period.campaignId === campaignId);
    if (found === undefined) throw new ApiError('UnknownThing', { field: 'campaignId' });
    return found;
  }

  runningAt(at: number): readonly Period[] {
    return this.#periods.filter(({ startsAt, endsAt }) => startsAt <= at && at < endsAt);
  }

  async load(): Promise<void> {
    const rows = await this.#db.selectFrom('campaign_period').selectAll().orderBy('starts_at', 'desc').orderBy('campaign_id').execute();
    this.#periods = rows.map(periodOf);
  }

  /** The campaign of this week and the one of the next, so that the next is there before its first trade. Each is made once. */
  async makeWeekly(): Promise<void> {
    const monday = lastMonday(this.#now());
    for (const startsAt of [monday, monday + WEEK_MS]) {
      const day = new Date(startsAt).toISOString().slice(0, 10);
      const campaignId = `week-${day}`;
      if (this.#periods.some((period) => period.campaignId === campaignId)) continue;
      const name = { en: `Weekly leaderboard, ${day}` };
      const prizes = this.#terms.weeklyPrizes;
      await this.#insert({ campaignId, name, startsAt, endsAt: startsAt + WEEK_MS, boards: BOARDS, prizes });
    }
    await this.load();
  }

  /** @throws ApiError naming the field that can not be so. */
  check(wanted: NewPeriod): void {
    const field = fieldAtFault(wanted, this.#now());
    if (field !== undefined) throw new ApiError('MalformedField', { field });
    if (this.#periods.some(({ campaignId }) => campaignId === wanted.campaignId))
      throw new ApiError('KeyConflict', { field: 'campaignId' });
  }

  /** Asked for again it makes nothing more. @throws ApiError naming the field that can not be so. */
  async create(wanted: NewPeriod): Promise<void> {
    if (this.#periods.some((period) => isSame(period, wanted))) return;
    this.check(wanted);
    if (!(await this.#insert(wanted))) throw new ApiError('KeyConflict', { field: 'campaignId' });
    await this.load();
  }

  /** Ends a running campaign now; its payout is due after the usual review. One that has not begun never will. */
  async stop(campaignId: string): Promise<void> {
    const now = this.#now();
    const state = stateOf(this.get(campaignId), now);
    if (state === 'REVIEW' || state === 'PAID')
      throw new ApiError('UnknownThing', { field: 'campaignId', message: 'this campaign is over' });
    const { startsAt } = this.get(campaignId);
    const endsAt = Math.max(startsAt, now);
    await this.#db
      .updateTable('campaign_period')
      .set({ ends_at: endsAt, pays_at: endsAt + this.#terms.reviewMs })
      .where('campaign_id', '=', campaignId)
      .execute();
    await this.load();
  }

  async #insert(period: NewPeriod): Promise<boolean> {
    const { numInsertedOrUpdatedRows } = await this.#db
      .insertInto('campaign_period')
      .values({
        campaign_id: period.campaignId,
        name: JSON.stringify(period.name),
        starts_at: period.startsAt,
        ends_at: period.endsAt,
        pays_at: period.endsAt + this.#terms.reviewMs,
        boards: JSON.stringify(period.boards),
        prizes: JSON.stringify(period.prizes),
        volume_cap: String(this.#terms.volumeCapPerDay),
        decided_at: null,
        paid_at: null,
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow();
    return numInsertedOrUpdatedRows === 1n;
  }
}

function periodOf(row: Selectable<CampaignTables['campaign_period']>): Period {
  return {
    campaignId: row.campaign_id,
    name: row.name,
    startsAt: row.starts_at,
    endsAt: row.ends_at,
    paysAt: row.pays_at,
    boards: row.boards,
    prizes: row.prizes,
    volumeCapPerDay: row.volume_cap === null ? undefined : BigInt(row.volume_cap),
    isDecided: row.decided_at !== null,
    isPaid: row.paid_at !== null,
  };
}

/** The order of fields is not theirs: one of the two comes from the database. */
const termsOf = ({ campaignId, name, startsAt, endsAt, boards, prizes }: NewPeriod): string =>
  JSON.stringify([campaignId, name.en, startsAt, endsAt, boards, prizes.map(({ fromRank, toRank, points }) => [fromRank, toRank, points])]);

const isSame = (one: NewPeriod, other: NewPeriod): boolean => termsOf(one) === termsOf(other);

const CAMPAIGN_ID = /^[0-9a-z-]{1,60}$/;
const NAME_LENGTH_MAX = 100;

/** What has begun is not made: its first trades would be missing. */
function fieldAtFault({ campaignId, name, startsAt, endsAt, boards, prizes }: NewPeriod, now: number): keyof NewPeriod | undefined {
  if (!CAMPAIGN_ID.test(campaignId)) return 'campaignId';
  if (name.en.trim() === '' || name.en.length > NAME_LENGTH_MAX) return 'name';
  if (!Number.isSafeInteger(startsAt) || startsAt <= now) return 'startsAt';
  if (!Number.isSafeInteger(endsAt) || endsAt <= startsAt) return 'endsAt';
  if (boards.length === 0 || new Set(boards).size !== boards.length || !boards.every((board) => BOARDS.includes(board))) return 'boards';
  return arePrizes(prizes) ? undefined : 'prizes';
}

/** Ranks rise without overlapping, and no prize is more than one award may be. */
function arePrizes(prizes: readonly Prize[]): boolean {
  let last = 0;
  for (const { fromRank, toRank, points } of prizes) {
    if (![fromRank, toRank, points].every((number) => Number.isSafeInteger(number))) return false;
    if (fromRank <= last || toRank < fromRank || points < 1 || BigInt(points) > AWARD_POINTS_MAX) return false;
    last = toRank;
  }
  return true;
}
