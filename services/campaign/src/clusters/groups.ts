/** Accounts in groups that grow together. */
import type { AccountId } from '@orrery/units';

export class Groups {
  readonly #parent = new Map<AccountId, AccountId>();

  copy(): Groups {
    const copy = new Groups();
    for (const [account, above] of this.#parent) copy.join(account, above);
    return copy;
  }

  join(one: AccountId, other: AccountId): void {
    const [first, second] = [this.rootOf(one), this.rootOf(other)];
    this.#parent.set(one, this.#parent.get(one) ?? one);
    this.#parent.set(other, this.#parent.get(other) ?? other);
    // The lowest account leads, so that the groups do not depend on the order of joining.
    if (first < second) this.#parent.set(second, first);
    else this.#parent.set(first, second);
  }

  /** The lowest account of its group. */
  rootOf(account: AccountId): AccountId {
    let root = account;
    for (let above = this.#parent.get(root); above !== undefined && above !== root; above = this.#parent.get(root)) root = above;
    // What was walked is shortened for the next.
    for (let at = account; at !== root;) {
      const above = this.#parent.get(at) ?? root;
      this.#parent.set(at, root);
      at = above;
    }
    return root;
  }

  isTogether(one: AccountId, other: AccountId): boolean {
    return one === other || this.rootOf(one) === this.rootOf(other);
  }

  /** Groups of two and more, each by account, by their lowest account. */
  all(): readonly (readonly AccountId[])[] {
    const groups = new Map<AccountId, AccountId[]>();
    for (const account of [...this.#parent.keys()].sort((left, right) => left - right)) {
      const root = this.rootOf(account);
      groups.set(root, [...(groups.get(root) ?? []), account]);
    }
    return [...groups.values()].filter((members) => members.length > 1);
  }
}
