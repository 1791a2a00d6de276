/** From where the relations between accounts come: the chain, and sign-ins. */
import type { Address } from '@orrery/units';
import type { Relations } from './links.ts';

/** Where the money of accounts came from and went to on the chain. */
export interface MoneyPort {
  /** The account's address, and the address that paid in for it or that it paid out to; each two once. */
  counterparties(): Promise<readonly { readonly address: Address; readonly counterparty: Address }[]>;
}

/** From where accounts were used. */
export interface TracePort {
  /** The same mark is the same network or device. */
  all(): Promise<Relations['traces']>;
}
