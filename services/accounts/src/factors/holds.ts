/** Holds: after a change of the security of an account its withdrawals wait, and no call shortens it. */
import { ApiError } from '@orrery/api';
import { type AccountId, accountId } from '@orrery/units';
import type { Kysely, Transaction } from 'kysely';
import type { AccountsTables } from '../tables.ts';

export class Holds {
  readonly #db: Kysely<AccountsTables>;
  readonly #now: () => number;
  readonly #holdMs: number;
  readonly #until = new Map<AccountId, number>();

  /** @param parts.holdMs how long a hold lasts, milliseconds. */
  constructor(parts: { db: Kysely<AccountsTables>; now: () => number; holdMs: number }) {
    this.#db = parts.db;
    this.#now = parts.now;
    this.#holdMs = parts.holdMs;
  }

  load(): Promise<void> {
    return this.readAgain();
  }

  /** As the row says, whatever memory has. @param account undefined: of all */
  async readAgain(account?: AccountId): Promise<void> {
    const rows = await this.#db
      .selectFrom('accounts_hold')
      .selectAll()
      .where('until', '>', this.#now())
      .$if(account !== undefined, (of) => of.where('account', '=', account ?? 0))
      .execute();
    if (account === undefined) this.#until.clear();
    else this.#until.delete(account);
    for (const row of rows) this.#until.set(accountId(row.account), row.until);
  }

  /** From now, and never shorter than a hold that runs: with the change that it follows, or not at all. @returns its end, unix milliseconds. */
  async begin(account: AccountId, tx: Transaction<AccountsTables>): Promise<number> {
    const until = Math.max(this.#now() + this.#holdMs, this.of(account) ?? 0);
    this.#until.set(account, until);
    await tx
      .insertInto('accounts_hold')
      .values({ account, until })
      .onConflict((conflict) => conflict.column('account').doUpdateSet({ until }))
      .execute();
    return until;
  }

  /** A hold that runs becomes another account's too. */
  async move({ from, to }: { from: AccountId; to: AccountId }, tx: Transaction<AccountsTables>): Promise<void> {
    const until = this.of(from);
    if (until === undefined) return;
    this.#until.set(to, until);
    await tx.insertInto('accounts_hold').values({ account: to, until }).execute();
  }

  /** After the transaction in which it was deleted. */
  erased(account: AccountId): void {
    this.#until.delete(account);
  }

  /** The end of the hold that runs; undefined when there is none. */
  of(account: AccountId): number | undefined {
    const until = this.#until.get(account);
    return until === undefined || until <= this.#now() ? undefined : until;
  }

  /** @throws ApiError WithdrawalsHeld with the time of the end in its message. */
  check(account: AccountId): void {
    const until = this.of(account);
    if (until === undefined) return;
    const message = `withdrawals are held until ${new Date(until).toISOString()}, because the security of this account was changed`;
    throw new ApiError('WithdrawalsHeld', { message });
  }
}
