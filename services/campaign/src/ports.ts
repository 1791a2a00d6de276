/** What the campaign needs from other services: they answer these shapes without knowing it. */
import type { AccountId, Address, AssetId } from '@orrery/units';

/** A payment on the chain between an account and an address outside of the exchange, or within the exchange from one account to another. */
export interface Payment {
  /** `IN` is a deposit, `OUT` a withdrawal to the chain, `INTERNAL` one that came from another account. */
  readonly direction: 'IN' | 'OUT' | 'INTERNAL';
  /** Of the deposit, or the id of the withdrawal. */
  readonly key: string;
  /** Of the account. */
  readonly address: Address;
  /** The sender of a deposit's transaction or of an internal withdrawal, or the recipient of a withdrawal. */
  readonly counterparty: Address;
  readonly asset: AssetId;
  /** Atoms. */
  readonly amount: bigint;
}

/** A change of a funding wallet. */
export interface FundingMove {
  readonly account: AccountId;
  readonly asset: AssetId;
  readonly kind: 'DEPOSIT' | 'DEPOSIT_SUSPENDED' | 'DEPOSIT_WRITTEN_OFF' | 'TRANSFER' | 'WITHDRAW' | 'INTERNAL';
  /** Atoms; below zero where it left the wallet. */
  readonly amount: bigint;
  /** Of a deposit its key, of an internal withdrawal its id. */
  readonly reference: string;
}

/** A withdrawal from one account to another. */
export interface InternalWithdrawal {
  readonly withdrawalId: string;
  readonly account: AccountId;
  /** Of the other account. */
  readonly to: Address;
  readonly asset: AssetId;
  /** Atoms. */
  readonly amount: bigint;
}

export interface MoneyPort {
  /** In the order of the chain. What an account paid in for itself is needed only where another account had paid out to its address. */
  payments(): Promise<readonly Payment[]>;
  /** In the order of the ledger. */
  internalWithdrawals(): Promise<readonly InternalWithdrawal[]>;
  /** Of these accounts and assets, in the order of the ledger. */
  fundingMoves(query: { accounts: readonly AccountId[]; assets: readonly AssetId[] }): Promise<readonly FundingMove[]>;
}

/** Encrypts what is kept of a person under a key of that person alone; once it is erased nothing of it opens. */
export interface PersonKeysPort {
  /** @param what is bound to the encrypted bytes: they open as this only. */
  encrypt(account: AccountId, bytes: Uint8Array, what: string): Promise<Buffer>;
  /** Undefined where the key is erased. */
  decrypt(account: AccountId, encrypted: Buffer, what: string): Promise<Buffer | undefined>;
}

/** What a sign-in left: the same mark is the same network (/24, /56) or the same device. */
export interface Trace {
  readonly account: AccountId;
  readonly kind: 'NETWORK' | 'DEVICE';
  readonly mark: string;
}

/** From where accounts were used. */
export interface TracePort {
  all(): Promise<readonly Trace[]>;
}

/** Which accounts are or were those of funds. */
export interface FundPort {
  leaderOf(account: AccountId): AccountId | undefined;
  all(): readonly { readonly account: AccountId; readonly leader: AccountId }[];
}
