import type { Accounts } from '../accounts/accounts.ts';
import type { Listings } from '../instruments/listings.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { MoneyRecords } from './money-records.ts';

/** The part of the state that money commands need. */
export interface MoneyState extends Pick<Listings, 'assets' | 'rules'> {
  readonly accounts: Accounts;
  readonly ledger: Ledger;
  readonly money: MoneyRecords;
}
