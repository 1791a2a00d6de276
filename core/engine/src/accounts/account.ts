/** An account: what a wallet address owns here. What every order asks of it stands elsewhere, in columns by id (`accounts.ts`). */
import type { AccountId, Address, AssetId, Atoms, Millis } from '@orrery/units';

/** A deposit that came while the account was blocked. It lies in SUSPENSE until the account is unblocked. */
export interface SuspendedDeposit {
  readonly key: string;
  readonly asset: AssetId;
  readonly amount: Atoms;
}

export interface Account {
  readonly id: AccountId;
  readonly address: Address;
  suspended: readonly SuspendedDeposit[];
  /** Of the last faucet claim that did not fail. */
  lastClaimAt: Millis | undefined;
}

const NONE_SUSPENDED: readonly SuspendedDeposit[] = [];

export const newAccount = (id: AccountId, address: Address): Account => ({
  id,
  address,
  suspended: NONE_SUSPENDED,
  lastClaimAt: undefined,
});
