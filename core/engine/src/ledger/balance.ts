/** One line of the ledger: what one owner has of one asset in one place. */
import { NO_ATOMS, type AccountId, type AssetId, type Atoms } from '@orrery/units';
import type { Wallet } from '@orrery/protocol';

/**
 * Accounts of the exchange itself. EXTERNAL is the contra account of everything outside (the vault, issued points): the only one below zero.
 * Each of the others can only be paid from, never overdrawn.
 */
export const SYSTEM_ACCOUNTS = ['FEE', 'INSURANCE', 'DUST', 'FAUCET_BUDGET', 'REWARD_BUDGET', 'SUSPENSE', 'EXTERNAL'] as const;
export type SystemAccount = (typeof SYSTEM_ACCOUNTS)[number];

export interface Balance {
  /** Whose it is; both undefined for a system account. */
  readonly account: AccountId | undefined;
  readonly wallet: Wallet | undefined;
  readonly asset: AssetId;
  /** Its place among the balances that one command changed: those of persons by account, asset and wallet, those of the exchange first. */
  readonly rank: number;
  readonly overdraft: 'allowed' | 'refused';
  free: Atoms;
  held: Atoms;
  /** Whether the command at work has changed it. */
  touched: boolean;
}

export function emptyBalance(what: Pick<Balance, 'account' | 'wallet' | 'asset' | 'rank' | 'overdraft'>): Balance {
  const { account, wallet, asset, rank, overdraft } = what;
  return { account, wallet, asset, rank, overdraft, free: NO_ATOMS, held: NO_ATOMS, touched: false };
}
