/** Which accounts are or were those of funds: they are no people, and what is for people is not for them. */
import type { AccountId } from '@orrery/units';
import { accountId } from '@orrery/units';
import type { FundDb } from './tables.ts';

export interface FundAccount {
  readonly account: AccountId;
  readonly leader: AccountId;
}

export class FundAccounts {
  readonly #db: FundDb;
  #leaders: ReadonlyMap<AccountId, AccountId> = new Map();

  constructor(db: FundDb) {
    this.#db = db;
  }

  /** Of the record as it is now. */
  async load(): Promise<void> {
    const rows = await this.#db.selectFrom('fund').select(['account', 'leader']).orderBy('fund').execute();
    this.#leaders = new Map(rows.map(({ account, leader }) => [accountId(account), accountId(leader)]));
  }

  /** Of a fund that has ended, too; undefined of an account that is none of a fund. */
  leaderOf(account: AccountId): AccountId | undefined {
    return this.#leaders.get(account);
  }

  all(): readonly FundAccount[] {
    return [...this.#leaders].map(([account, leader]) => ({ account, leader }));
  }
}
