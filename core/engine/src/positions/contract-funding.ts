/** The funding of a contract between a settlement and the last payment for it. Since rules 7. */
import type { AccountId, Atoms, Millis, Ticks } from '@orrery/units';

/** What positions pay for one interval. */
export interface Settlement {
  readonly interval: Millis;
  readonly ratePpb: number;
  /** The index price. */
  readonly price: Ticks;
}

/** A settlement that some positions have not paid yet. */
export interface UnpaidSettlement extends Settlement {
  /** How many positions have not paid. */
  left: number;
  /** Where the sweep goes on: accounts with a smaller id have paid. */
  nextAccount: AccountId;
  /** What the others have received, less what they have paid: CLEARING has advanced it. */
  received: Atoms;
}

export interface ContractFunding {
  /** Counts settlements of rules 7. */
  index: number;
  /** The last settlement, until all positions have paid. */
  unpaid: UnpaidSettlement | undefined;
}
