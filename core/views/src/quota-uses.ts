/** What the withdrawals of accounts take of their quotas. */
import type { Event } from '@orrery/protocol';
import { countsTowardQuota } from '@orrery/rules';
import { addAtoms, NO_ATOMS, type AccountId, type Atoms, type Millis } from '@orrery/units';
import type { Fold } from './fold.ts';

export class QuotaUsesView implements Fold {
  /** By the time from which they count, for a day; the accounts that withdrew the longest ago stand first. */
  readonly #byAccount = new Map<AccountId, Map<Millis, Atoms>>();

  apply(event: Event): void {
    if (event.type !== 'QuotaUsed') return;
    const { account, since, worth } = event;
    const uses = this.#byAccount.get(account) ?? new Map<Millis, Atoms>();
    for (const old of uses.keys()) if (!countsTowardQuota(old, since)) uses.delete(old);
    if (worth === NO_ATOMS) uses.delete(since);
    else uses.set(since, worth);
    this.#byAccount.delete(account);
    if (uses.size > 0) this.#byAccount.set(account, uses);
    this.#forgetOld(since);
  }

  /** In atoms of the coin in which quotas are given. */
  used(account: AccountId, at: Millis): Atoms {
    let sum = NO_ATOMS;
    for (const [since, worth] of this.#byAccount.get(account) ?? []) if (countsTowardQuota(since, at)) sum = addAtoms(sum, worth);
    return sum;
  }

  #forgetOld(at: Millis): void {
    for (const [account, uses] of this.#byAccount) {
      for (const since of uses.keys()) if (countsTowardQuota(since, at)) return;
      this.#byAccount.delete(account);
    }
  }
}
