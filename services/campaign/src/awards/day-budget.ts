/** What a budget gets each UTC day: decided once, in SQL, then given to the engine under the day's key until the engine has it. */
import { ApiError } from '@orrery/api';
import type { AccountDirectory } from '@orrery/foundation';
import type { Budget, Heart } from '@orrery/protocol';
import { atoms } from '@orrery/units';
import { type Kysely, sql } from 'kysely';
import type { CampaignTables } from '../tables/tables.ts';

/** Until the assets are listed nothing can be funded. */
const LISTING_SECONDS = 5;

interface Parts {
  readonly heart: Heart;
  readonly db: Kysely<CampaignTables>;
  readonly members: AccountDirectory;
  readonly budget: Budget;
  /** The code of what the budget holds. */
  readonly code: string;
  /** Atoms to which a new day fills it up. */
  readonly perDay: () => Promise<number>;
  /** Atoms taken from it in all. */
  readonly taken: () => Promise<number>;
  readonly now: () => number;
}

export class DayBudget {
  readonly #parts: Parts;
  #filledDay = '';

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Fills the budget up for the day it is now; asking again changes nothing. */
  async fillToday(): Promise<void> {
    const { heart, db, members, budget, code, now } = this.#parts;
    const day = new Date(now()).toISOString().slice(0, 10);
    if (day === this.#filledDay) return;
    const key = `${budget}:${day}`;
    const asset = members.asset(code)?.asset;
    if (asset === undefined) throw new ApiError('NotNow', { retryAfterSeconds: LISTING_SECONDS });
    const { amount, funded } = await this.#decide(key);
    if (!funded && amount > 0) {
      const { events } = await heart.submit({ type: 'FundBudget', key, budget, asset, amount: atoms(BigInt(amount)) });
      const rejected = events.find((event) => event.type === 'CommandRejected');
      if (rejected !== undefined) throw new ApiError(rejected.reason, { field: rejected.field });
    }
    if (!funded) await db.updateTable('campaign_budget').set({ funded: true }).where('key', '=', key).execute();
    this.#filledDay = day;
  }

  async #decide(key: string): Promise<{ amount: number; funded: boolean }> {
    const decided = await this.#decision(key);
    if (decided !== undefined) return decided;
    const { db, perDay } = this.#parts;
    const taken = await this.#parts.taken();
    const amount = Math.max((await perDay()) - (await this.#funded()) + taken, 0);
    await db
      .insertInto('campaign_budget')
      .values({ key, amount, funded: false })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const written = await this.#decision(key);
    if (written === undefined) throw new Error(`the budget of ${key} was decided and is gone`);
    return written;
  }

  #decision(key: string): Promise<{ amount: number; funded: boolean } | undefined> {
    return this.#parts.db.selectFrom('campaign_budget').select(['amount', 'funded']).where('key', '=', key).executeTakeFirst();
  }

  async #funded(): Promise<number> {
    const { db, budget } = this.#parts;
    const { sum } = await db
      .selectFrom('campaign_budget')
      .select(sql<number>`coalesce(sum(amount), 0)::bigint`.as('sum'))
      .where('funded', '=', true)
      .where('key', 'like', `${budget}:%`)
      .executeTakeFirstOrThrow();
    return sum;
  }
}
