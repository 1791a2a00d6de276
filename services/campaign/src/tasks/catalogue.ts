/** The task catalogue: data in SQL, shown to people and changed by operators. */
import type { TaskOffer, TaskPeriod, TaskUnit } from '@orrery/api';
import { ApiError } from '@orrery/api';
import { AWARD_POINTS_MAX } from '@orrery/rules';
import type { Kysely, Selectable } from 'kysely';
import type { LocalisedText } from '../tables/localised-text.ts';
import type { CampaignTables } from '../tables/tables.ts';
import type { TaskPlan, TaskRule } from './plans.ts';

const REWARD_MAX = Number(AWARD_POINTS_MAX);

export interface Task {
  readonly code: string;
  readonly name: LocalisedText;
  readonly description: LocalisedText;
  readonly rule: TaskRule;
  /** How many times, or how many whole USDC. */
  readonly goal: number;
  readonly unit: TaskUnit;
  readonly period: TaskPeriod;
  /** In its unit, of one cluster on one UTC day. */
  readonly dayCap: number | null;
  /** Points. */
  readonly reward: number;
  /** Unix milliseconds; it counts from the UTC day of the one to that of the other. */
  readonly startsAt: number | null;
  readonly endsAt: number | null;
  readonly active: boolean;
}

/** A task as operators see it: what they may change, and its name. */
export interface OperatedTask extends TaskChange {
  readonly name: string;
}

export interface TaskChange {
  readonly taskCode: string;
  readonly active: boolean;
  readonly reward: number;
  readonly startsAt: number | null;
  readonly endsAt: number | null;
}

export class TaskCatalogue {
  readonly #db: Kysely<CampaignTables>;
  readonly #now: () => number;

  constructor(parts: { db: Kysely<CampaignTables>; now: () => number }) {
    this.#db = parts.db;
    this.#now = parts.now;
  }

  /** Writes the plans: words and rules are overwritten each time, fields that operators may change are written only once. */
  async plant(plans: readonly TaskPlan[]): Promise<void> {
    for (const [position, { code, name, description, rule, goal, unit, period, dayCap, reward }] of plans.entries()) {
      const fixed = {
        name: JSON.stringify({ en: name }),
        description: JSON.stringify({ en: description }),
        rule,
        goal,
        unit,
        period,
        day_cap: dayCap ?? null,
        position,
      };
      await this.#db
        .insertInto('campaign_task')
        .values({ code, ...fixed, reward, starts_at: null, ends_at: null, active: true })
        .onConflict((conflict) => conflict.column('code').doUpdateSet(fixed))
        .execute();
    }
  }

  /** In the order in which they are shown; without those that are switched off or over. */
  async offered(): Promise<readonly Task[]> {
    const now = this.#now();
    const rows = await this.#db
      .selectFrom('campaign_task')
      .selectAll()
      .where('active', '=', true)
      .where((of) => of.or([of('ends_at', 'is', null), of('ends_at', '>', now)]))
      .orderBy('position')
      .execute();
    return rows.map(taskOf);
  }

  /** All of them, for operators. */
  async operated(): Promise<readonly OperatedTask[]> {
    const rows = await this.#db.selectFrom('campaign_task').selectAll().orderBy('position').execute();
    return rows.map((row) => {
      const { code, name, active, reward, startsAt, endsAt } = taskOf(row);
      return { taskCode: code, name: name.en, active, reward, startsAt, endsAt };
    });
  }

  /** @throws ApiError naming the field that can not be so. */
  async change({ taskCode, active, reward, startsAt, endsAt }: TaskChange): Promise<void> {
    if (!Number.isSafeInteger(reward) || reward < 0 || reward > REWARD_MAX) {
      throw new ApiError('MalformedField', { field: 'reward', message: `reward must be a whole number from 0 to ${REWARD_MAX}` });
    }
    checkTime('startsAt', startsAt);
    checkTime('endsAt', endsAt);
    if (startsAt !== null && endsAt !== null && endsAt <= startsAt) {
      throw new ApiError('MalformedField', { field: 'endsAt', message: 'endsAt must come after startsAt' });
    }
    const changed = await this.#db
      .updateTable('campaign_task')
      .set({ active, reward, starts_at: startsAt, ends_at: endsAt })
      .where('code', '=', taskCode)
      .executeTakeFirst();
    if (changed.numUpdatedRows === 0n) throw new ApiError('UnknownThing', { field: 'taskCode' });
  }

  /** @throws ApiError when there is none of this code, or it is switched off, over or not yet begun. */
  async claimable(code: string): Promise<Task> {
    const row = await this.#db.selectFrom('campaign_task').selectAll().where('code', '=', code).executeTakeFirst();
    if (row === undefined) throw new ApiError('UnknownThing', { field: 'taskCode' });
    const now = this.#now();
    const begun = row.starts_at === null || row.starts_at <= now;
    const over = row.ends_at !== null && row.ends_at <= now;
    if (!row.active || !begun || over) throw new ApiError('NotQualified');
    return taskOf(row);
  }
}

function checkTime(field: string, value: number | null): void {
  if (value !== null && (!Number.isSafeInteger(value) || value < 0)) throw new ApiError('MalformedField', { field });
}

function taskOf(row: Selectable<CampaignTables['campaign_task']>): Task {
  const { code, name, description, goal, reward, active } = row;
  return {
    code,
    name,
    description,
    rule: row.rule as TaskRule,
    goal,
    unit: row.unit as TaskUnit,
    period: row.period as TaskPeriod,
    dayCap: row.day_cap,
    reward,
    startsAt: row.starts_at,
    endsAt: row.ends_at,
    active,
  };
}

/** What a visitor sees of it. */
export const offerOf = ({ code, name, description, reward, goal, unit, startsAt, endsAt, period, dayCap }: Task): TaskOffer => ({
  taskCode: code,
  taskName: JSON.stringify(name),
  description: JSON.stringify(description),
  reward,
  goal: String(goal),
  dayCap: dayCap === null ? null : String(dayCap),
  unit,
  startsAt,
  endsAt,
  period,
});
