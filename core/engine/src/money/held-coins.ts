/** Coins that stay on the exchange for a while after they came: what newcomers bought at the OTC desk. */
import { addAtoms, NO_ATOMS, type AccountId, type AssetId, type Atoms, type Millis } from '@orrery/units';

export interface HeldCoins {
  readonly account: AccountId;
  readonly asset: AssetId;
  /** Above zero. */
  readonly amount: Atoms;
  readonly until: Millis;
}

export class CoinHolds {
  /** In the order in which they began. */
  readonly #byAccount = new Map<AccountId, readonly HeldCoins[]>();

  /** Those of the account that are over by `at` are forgotten. */
  add(held: HeldCoins, at: Millis): void {
    this.restore(
      held,
      this.#of(held.account).filter(({ until }) => until > at),
    );
  }

  restore(held: HeldCoins, before = this.#of(held.account)): void {
    this.#byAccount.set(held.account, [...before, held]);
  }

  /** How much of an asset must not leave the account at a time. */
  within(account: AccountId, asset: AssetId, at: Millis): Atoms {
    let sum = NO_ATOMS;
    for (const held of this.#of(account)) if (held.asset === asset && held.until > at) sum = addAtoms(sum, held.amount);
    return sum;
  }

  /** By account. */
  list(): readonly HeldCoins[] {
    return [...this.#byAccount].sort(([left], [right]) => left - right).flatMap(([, held]) => held);
  }

  #of(account: AccountId): readonly HeldCoins[] {
    return this.#byAccount.get(account) ?? NONE;
  }
}

const NONE: readonly HeldCoins[] = [];
