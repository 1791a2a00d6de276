/** Where the contracts of one chain are: kept in a record, so that a restart finds them again. */
import type { Address, Hex } from 'viem';

export interface DeployedToken {
  readonly code: string;
  readonly address: Address;
  readonly decimals: number;
}

export interface Deployment {
  readonly chainId: number;
  /** No event of ours lies before it. */
  readonly fromBlock: number;
  readonly vault: Address;
  /** Of the vault, between the request of a withdrawal and its payout; absent where an earlier version deployed it: that vault pays at once. */
  readonly disputeSeconds?: number;
  readonly faucet: Address;
  /** The token in which the vault holds the native coin. */
  readonly wrappedNative: Address;
  readonly tokens: readonly DeployedToken[];
  readonly pairs: readonly { readonly base: string; readonly quote: string }[];
  /** The deployer's transactions below this nonce are the deployment: roles and caps that they set are as planned. */
  readonly setUp: { readonly deployer: Address; readonly nextNonce: number };
}

/** What is kept: the plan is fixed by its first nonce, so an interrupted deployment goes on where it stopped. */
export interface DeploymentRecord {
  readonly deployer: Address;
  readonly firstNonce: number;
  /** Keccak-256 over every call of the plan. */
  readonly planDigest: Hex;
  readonly complete: boolean;
  readonly deployment: Deployment;
  /** Of a chain elsewhere: the house's money, once it was begun to bring it there. */
  readonly house?: HouseRecord;
}

/** The deployer's transactions from the first nonce on are those of the digest, so an interrupted run goes on where it stopped. */
export interface HouseRecord {
  readonly firstNonce: number;
  /** Keccak-256 over every call. */
  readonly digest: Hex;
  readonly complete: boolean;
}
