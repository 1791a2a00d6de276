/** An account: what a wallet address owns here. */
import type { AccountId, Address, AssetId, Atoms, Millis } from '@orrery/units';
import { ACCOUNT_FLAGS, type AccountFlag } from '@orrery/protocol';
import type { OpenOrder } from '../orders/open-order.ts';
import type { ClientOrders } from './client-orders.ts';

/** A deposit that came while the account was blocked. It lies in SUSPENSE until the account is unblocked. */
export interface SuspendedDeposit {
  readonly key: string;
  readonly asset: AssetId;
  readonly amount: Atoms;
}

/** Its flags are fields of its own: every order asks for them. */
export interface Account extends Record<AccountFlag, boolean> {
  readonly id: AccountId;
  readonly address: Address;
  /** Open orders, triggered or not, in no order: each knows its place. Undefined while there is none (`orders/orders-of-account.ts`). */
  openOrders: OpenOrder[] | undefined;
  /** How many of them, by market id; only of an account with many. */
  openIn: number[] | undefined;
  /** The open orders and the lately closed ones that the client gave a name; undefined before the first. */
  clientOrders: ClientOrders | undefined;
  suspended: SuspendedDeposit[];
  /** Of the last faucet claim that did not fail. */
  lastClaimAt: Millis | undefined;
}

export function newAccount(id: AccountId, address: Address): Account {
  return {
    id,
    address,
    termsAccepted: false,
    whitelisted: false,
    connected: false,
    blocked: false,
    openOrders: undefined,
    openIn: undefined,
    clientOrders: undefined,
    suspended: [],
    lastClaimAt: undefined,
  };
}

/** In a fixed order, whatever the order in which they were set. */
export const flagsOf = (account: Account): AccountFlag[] => ACCOUNT_FLAGS.filter((flag) => account[flag]);
