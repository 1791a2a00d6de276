/** What accounts have done, as history knows it: by this tasks are measured. */
import type { AccountId } from '@orrery/units';

/** What history knows of an account. */
export interface Activity {
  readonly orders: number;
  /** Quote atoms traded in all. */
  readonly volume: bigint;
  readonly firstDepositAt: number | undefined;
  readonly firstTransferAt: number | undefined;
  readonly firstClaimAt: number | undefined;
}

/** What one account did on one UTC day, beside the trades of the accounts of one query with one another. */
export interface DayActivity {
  readonly account: AccountId;
  /** When the day began, unix milliseconds. */
  readonly dayAt: number;
  readonly orders: number;
  /** For a fee, with an account that is none of the query's. */
  readonly trades: number;
  /** Quote atoms of those trades. */
  readonly volume: bigint;
  /** The same of perpetual contracts; the volume is USDC atoms. */
  readonly contractOrders: number;
  readonly contractTrades: number;
  readonly contractVolume: bigint;
}

export interface ActivityPort {
  activity(account: AccountId): Promise<Activity>;
  /** In the UTC days from that of `from` to that of `until`, both with them. What `accounts` traded with one another is left out. */
  dayActivity(query: { accounts: readonly AccountId[]; from: number; until: number }): Promise<readonly DayActivity[]>;
}
