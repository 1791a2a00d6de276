import type { Accounts } from '../accounts/accounts.ts';
import type { Listings } from '../instruments/listings.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Collaterals } from '../margin/collaterals.ts';
import type { Liquidations } from '../risk/liquidations.ts';
import type { Positions } from '../positions/positions.ts';
import type { CoinHolds } from './held-coins.ts';
import type { MoneyRecords } from './money-records.ts';

/** The part of the state that money commands need. */
export interface MoneyState extends Pick<Listings, 'assets' | 'rules' | 'contracts' | 'markets' | 'practiceAssets' | 'funds'> {
  readonly accounts: Accounts;
  readonly ledger: Ledger;
  readonly positions: Positions;
  readonly collaterals: Collaterals;
  readonly liquidations: Liquidations;
  readonly money: MoneyRecords;
  /** Since rules 9. */
  readonly coinHolds: CoinHolds;
}
