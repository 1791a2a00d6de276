/**
 * The one ledger, double entry: every command's postings sum to zero per asset, and no balance but EXTERNAL is ever below zero.
 * Both are asserted after every command, in production too.
 */
import { addAtoms, assert, NO_ATOMS, type AccountId, type AssetId, type Atoms } from '@orrery/units';
import { WALLETS, type BalanceChanged, type Wallet } from '@orrery/protocol';
import { emptyBalance, type Balance, type SystemAccount } from './balance.ts';

const WALLET_INDEX: Readonly<Record<Wallet, number>> = { funding: 0, spot: 1, futures: 2 };

export class Ledger {
  /** By account id, then by asset and wallet. */
  readonly #personal: (Balance | undefined)[][] = [];
  /** By system account, then by asset. */
  readonly #system: Readonly<Record<SystemAccount, (Balance | undefined)[]>> = {
    FEE: [],
    INSURANCE: [],
    DUST: [],
    FAUCET_BUDGET: [],
    REWARD_BUDGET: [],
    SUSPENSE: [],
    EXTERNAL: [],
  };
  /** By asset: the sum of this command's postings. */
  readonly #net: Atoms[] = [];
  readonly #touched: Balance[] = [];

  /** The balance of an account, made empty when it has none yet. */
  of(account: AccountId, wallet: Wallet, asset: AssetId): Balance {
    const balances = (this.#personal[account] ??= []);
    return (balances[asset * WALLETS.length + WALLET_INDEX[wallet]] ??= emptyBalance({ account, wallet }, asset, 'refused'));
  }

  system(account: SystemAccount, asset: AssetId): Balance {
    return (this.#system[account][asset] ??= emptyBalance(undefined, asset, account === 'EXTERNAL' ? 'allowed' : 'refused'));
  }

  /** Puts back what a snapshot knew: not a posting. */
  restore(balance: Balance, free: Atoms, held: Atoms): void {
    balance.free = free;
    balance.held = held;
  }

  /** Changes what is free by signed atoms. */
  postFree(balance: Balance, change: Atoms): void {
    if (!balance.touched) this.#touch(balance);
    balance.free = addAtoms(balance.free, change);
    assert(balance.free >= NO_ATOMS || balance.overdraft === 'allowed', 'a free balance is never below zero');
    this.#net[balance.asset] = addAtoms(this.#net[balance.asset] ?? NO_ATOMS, change);
  }

  /** Changes what is held by signed atoms. */
  postHeld(balance: Balance, change: Atoms): void {
    if (!balance.touched) this.#touch(balance);
    balance.held = addAtoms(balance.held, change);
    assert(balance.held >= NO_ATOMS, 'a held balance is never below zero');
    this.#net[balance.asset] = addAtoms(this.#net[balance.asset] ?? NO_ATOMS, change);
  }

  /** Ends a command: asserts that its postings sum to zero and tells the personal balances that changed, by account, asset and wallet. */
  closeCommand(): BalanceChanged[] {
    for (const balance of this.#touched) {
      assert(this.#net[balance.asset] === NO_ATOMS, 'the postings of one command sum to zero');
    }
    const changed: BalanceChanged[] = [];
    for (const balance of this.#touched) {
      balance.touched = false;
      const { owner, asset, free, held } = balance;
      if (owner === undefined || (free === balance.freeBefore && held === balance.heldBefore)) continue;
      changed.push({ type: 'BalanceChanged', account: owner.account, wallet: owner.wallet, asset, free, held });
    }
    this.#touched.length = 0;
    return changed.length > 1 ? changed.sort(byOwner) : changed;
  }

  /** Personal balances that are not empty, by account, asset and wallet. */
  *personal(): Generator<Balance> {
    for (const balances of this.#personal) {
      if (balances === undefined) continue;
      for (const balance of balances) if (balance !== undefined && !isEmpty(balance)) yield balance;
    }
  }

  /** System balances that are not empty, by account and asset. */
  *systemOf(account: SystemAccount): Generator<Balance> {
    for (const balance of this.#system[account]) {
      if (balance !== undefined && !isEmpty(balance)) yield balance;
    }
  }

  #touch(balance: Balance): void {
    balance.touched = true;
    balance.freeBefore = balance.free;
    balance.heldBefore = balance.held;
    this.#touched.push(balance);
  }
}

const isEmpty = (balance: Balance): boolean => balance.free === NO_ATOMS && balance.held === NO_ATOMS;

function byOwner(left: BalanceChanged, right: BalanceChanged): number {
  return left.account - right.account || left.asset - right.asset || WALLET_INDEX[left.wallet] - WALLET_INDEX[right.wallet];
}
