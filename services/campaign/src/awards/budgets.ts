/** What the budgets get each UTC day: as configured, until operators say otherwise. */
import { ApiError } from '@orrery/api';
import type { Kysely } from 'kysely';
import type { CampaignTables } from '../tables/tables.ts';

/** The amount to which a new UTC day tops up each budget. */
export interface BudgetTerms {
  readonly pointsPerDay: number;
  readonly faucetClaimsPerDay: number;
}

const MOST: BudgetTerms = { pointsPerDay: 900_000_000, faucetClaimsPerDay: 1_000_000 };

export class Budgets {
  readonly #db: Kysely<CampaignTables>;
  readonly #configured: BudgetTerms;

  constructor(parts: { db: Kysely<CampaignTables>; configured: BudgetTerms }) {
    this.#db = parts.db;
    this.#configured = parts.configured;
  }

  async list(): Promise<BudgetTerms> {
    const row = await this.#db.selectFrom('campaign_budget_terms').selectAll().executeTakeFirst();
    if (row === undefined) return this.#configured;
    return { pointsPerDay: row.points_per_day, faucetClaimsPerDay: row.faucet_claims_per_day };
  }

  /** More counts from the next UTC day on: what a day gets is decided once. Fewer claims of the faucet count at once. */
  async change({ pointsPerDay, faucetClaimsPerDay }: BudgetTerms): Promise<void> {
    check('pointsPerDay', pointsPerDay, MOST.pointsPerDay);
    check('faucetClaimsPerDay', faucetClaimsPerDay, MOST.faucetClaimsPerDay);
    const terms = { points_per_day: pointsPerDay, faucet_claims_per_day: faucetClaimsPerDay };
    await this.#db
      .insertInto('campaign_budget_terms')
      .values({ id: 1, ...terms })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(terms))
      .execute();
  }
}

function check(field: string, value: number, most: number): void {
  if (!Number.isSafeInteger(value) || value < 0 || value > most) {
    throw new ApiError('MalformedField', { field, message: `${field} must be a whole number from 0 to ${most}` });
  }
}
