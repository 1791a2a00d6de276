/**
 * What the withdrawals of each account take of its quotas: by the millisecond in which they were asked for, for a day. Bounded: `QUOTA_USES_MAX`
 * times an account, and only accounts that withdrew within a day before the last withdrawal of all.
 */
import { addAtoms, NO_ATOMS, subtractAtoms, type AccountId, type Atoms, type Millis } from '@orrery/units';
import { countsTowardQuota, QUOTA_USES_MAX } from '@orrery/rules';

/** Withdrawals of one account that count together, without the refunded ones. */
export interface QuotaUse {
  readonly account: AccountId;
  /** When the first of them was asked for. */
  readonly first: Millis;
  /** When the last of them was: all count from then on. */
  readonly since: Millis;
  /** In atoms of the coin in which quotas are given; above zero. */
  readonly worth: Atoms;
}

/** What counts from a time on, as it is now; nothing any more: 0. */
export type QuotaChange = Pick<QuotaUse, 'account' | 'since' | 'worth'>;

/** A withdrawal that may still be refunded. */
export interface RefundableWorth {
  readonly withdrawalId: string;
  /** Above zero. */
  readonly worth: Atoms;
}

export class QuotaUses {
  /** The oldest first of each account; the accounts in the order in which they last withdrew. */
  readonly #byAccount = new Map<AccountId, QuotaUse[]>();
  readonly #refundable = new Map<string, Atoms>();

  /** What counts at `at`. */
  used(account: AccountId, at: Millis): Atoms {
    let sum = NO_ATOMS;
    for (const { since, worth } of this.#byAccount.get(account) ?? []) if (countsTowardQuota(since, at)) sum = addAtoms(sum, worth);
    return sum;
  }

  /**
   * Counts a withdrawal that is asked for at `at`.
   * @param worth from 0
   */
  add(account: AccountId, worth: Atoms, at: Millis): readonly QuotaChange[] {
    if (worth === NO_ATOMS) return [];
    const uses = (this.#byAccount.get(account) ?? []).filter(({ since }) => countsTowardQuota(since, at));
    this.#byAccount.delete(account);
    this.#byAccount.set(account, uses);
    this.#forgetOld(at);
    const last = uses.at(-1);
    if (last?.since === at) {
      const use = { ...last, worth: addAtoms(last.worth, worth) };
      uses[uses.length - 1] = use;
      return [changeOf(use)];
    }
    const use = { account, first: at, since: at, worth };
    uses.push(use);
    return [...joined(uses), changeOf(use)];
  }

  /** Counts one that has an id, and may be refunded. */
  addRefundable(account: AccountId, { withdrawalId, worth }: RefundableWorth, at: Millis): readonly QuotaChange[] {
    if (worth > NO_ATOMS) this.#refundable.set(withdrawalId, worth);
    return this.add(account, worth, at);
  }

  /** It is paid: no refund follows. */
  settle(withdrawalId: string): void {
    this.#refundable.delete(withdrawalId);
  }

  /** Counts it no longer. @returns what has changed; it counted no more: undefined */
  refund(
    { account, withdrawalId, heldAt }: { account: AccountId; withdrawalId: string; heldAt: Millis },
    at: Millis,
  ): QuotaChange | undefined {
    const worth = this.#refundable.get(withdrawalId);
    this.#refundable.delete(withdrawalId);
    const uses = this.#byAccount.get(account);
    const place = uses?.findIndex(({ first, since }) => first <= heldAt && heldAt <= since) ?? -1;
    const use = uses?.[place];
    if (worth === undefined || uses === undefined || use === undefined || !countsTowardQuota(use.since, at)) return undefined;
    const left = { ...use, worth: subtractAtoms(use.worth, worth) };
    if (left.worth === NO_ATOMS) uses.splice(place, 1);
    else uses[place] = left;
    if (uses.length === 0) this.#byAccount.delete(account);
    return changeOf(left);
  }

  /** By account, in the order in which they last withdrew; the oldest of each first. */
  list(): readonly QuotaUse[] {
    return [...this.#byAccount.values()].flat();
  }

  /** In the order of their ids. */
  listRefundable(): readonly RefundableWorth[] {
    return [...this.#refundable]
      .map(([withdrawalId, worth]) => ({ withdrawalId, worth }))
      .sort((left, right) => (left.withdrawalId < right.withdrawalId ? -1 : 1));
  }

  /** As it was listed. */
  restore(use: QuotaUse): void {
    const uses = this.#byAccount.get(use.account);
    if (uses === undefined) this.#byAccount.set(use.account, [use]);
    else uses.push(use);
  }

  restoreRefundable({ withdrawalId, worth }: RefundableWorth): void {
    this.#refundable.set(withdrawalId, worth);
  }

  /** The accounts that withdrew the longest ago stand first. */
  #forgetOld(at: Millis): void {
    for (const [account, uses] of this.#byAccount) {
      const last = uses.at(-1);
      if (last === undefined || countsTowardQuota(last.since, at)) return;
      this.#byAccount.delete(account);
    }
  }
}

/** The two oldest count as one, the longer of the two: more than the quota never passes for it. */
function joined(uses: QuotaUse[]): readonly QuotaChange[] {
  const [oldest, next] = uses;
  if (uses.length <= QUOTA_USES_MAX || oldest === undefined || next === undefined) return [];
  const both = { ...next, first: oldest.first, worth: addAtoms(oldest.worth, next.worth) };
  uses.splice(0, 2, both);
  return [{ ...changeOf(oldest), worth: NO_ATOMS }, changeOf(both)];
}

const changeOf = ({ account, since, worth }: QuotaUse): QuotaChange => ({ account, since, worth });
