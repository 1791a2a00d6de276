/** One line of the ledger: what one owner has of one asset in one place. */
import { NO_ATOMS, type AccountId, type AssetId, type Atoms } from '@orrery/units';
import type { Wallet } from '@orrery/protocol';

/**
 * Accounts of the exchange itself. EXTERNAL is the contra account of everything outside (the vault, issued points): the only one below zero.
 * Each of the others can only be paid from, never overdrawn.
 */
export const SYSTEM_ACCOUNTS = ['FEE', 'INSURANCE', 'DUST', 'FAUCET_BUDGET', 'REWARD_BUDGET', 'SUSPENSE', 'EXTERNAL'] as const;
export type SystemAccount = (typeof SYSTEM_ACCOUNTS)[number];

export interface PersonalOwner {
  readonly account: AccountId;
  readonly wallet: Wallet;
}

export interface Balance {
  /** Undefined for a system account. */
  readonly owner: PersonalOwner | undefined;
  readonly asset: AssetId;
  /** Its place among the balances that one command changed: those of persons by account, asset and wallet, those of the exchange first. */
  readonly rank: number;
  readonly overdraft: 'allowed' | 'refused';
  free: Atoms;
  held: Atoms;
  /** What it was before the command that is being applied; meaningful while touched. */
  freeBefore: Atoms;
  heldBefore: Atoms;
  touched: boolean;
}

export function emptyBalance(what: Pick<Balance, 'owner' | 'asset' | 'rank' | 'overdraft'>): Balance {
  const { owner, asset, rank, overdraft } = what;
  return { owner, asset, rank, overdraft, free: NO_ATOMS, held: NO_ATOMS, freeBefore: NO_ATOMS, heldBefore: NO_ATOMS, touched: false };
}
