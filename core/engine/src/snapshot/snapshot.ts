/**
 * The whole state as plain lists, each in an order that does not depend on history: equal states give equal snapshots.
 * The book is written in priority order: the book knows the priority, and no ids.
 */
import type { Address, AssetId, Atoms, Lots, Millis, OrderId, Ticks } from '@orrery/units';
import type { AccountFlag, Asset, Market, MarketState, Order, WithdrawalCaps } from '@orrery/protocol';
import type { RulesVersion } from '@orrery/rules';
import type { SuspendedDeposit } from '../accounts/account.ts';
import type { EncodedClosings } from '../client-order-ids/closings.ts';
import type { PersonalBalance, SystemAccount } from '../ledger/balance.ts';
import type { Marks } from '../triggers/trigger-ladder.ts';
import type { Claim, Keyed, Withdrawal } from '../money/money-records.ts';
import type { Outflow } from '../money/outflows.ts';
import type { ContractsSnapshot } from './contract-snapshot.ts';
import type { FundsSnapshot } from './fund-snapshot.ts';
import type { QuotaSnapshot } from './quota-snapshot.ts';
import type { OtcSnapshot } from './otc-snapshot.ts';
import type { Rules7Snapshot } from './rules-7-snapshot.ts';
import type { Rules8Snapshot } from './rules-8-snapshot.ts';
import type { SpotTermsSnapshot } from './spot-terms-snapshot.ts';

export interface MarketSnapshot {
  readonly terms: Market;
  readonly state: MarketState;
  readonly lastPrice: Ticks;
  readonly lastTradeAt: Millis;
  readonly indexPrice: Ticks;
  readonly indexAt: Millis;
  readonly average: number;
  readonly averageAt: Millis;
  /** What the last price reached whose triggers have not all fired. */
  readonly reached: Marks;
  /** Resting orders in priority: buys, then sells. */
  readonly resting: readonly OrderId[];
}

export interface AccountSnapshot {
  readonly address: Address;
  readonly flags: readonly AccountFlag[];
  /** In the order of their closing. */
  readonly closed: EncodedClosings;
  readonly suspended: readonly SuspendedDeposit[];
  /** At most one. */
  readonly lastClaimAt: readonly Millis[];
}

export interface SystemBalanceSnapshot {
  readonly system: SystemAccount;
  readonly asset: AssetId;
  readonly free: Atoms;
  readonly held: Atoms;
}

export interface OrderSnapshot {
  readonly order: Order;
  readonly replaces: OrderId | 0;
  readonly remaining: Lots;
  readonly filled: Lots;
  readonly filledNotional: Atoms;
}

export interface KeySnapshot {
  readonly kind: Keyed;
  readonly key: string;
  readonly body: string;
}

export interface WithdrawalSnapshot extends Omit<Withdrawal, 'heldAt'> {
  readonly withdrawalId: string;
  /** At most one. */
  readonly heldAt: readonly Millis[];
}

export type ClaimSnapshot = Claim & { readonly claimId: string };

export interface Snapshot
  extends ContractsSnapshot, Rules7Snapshot, Rules8Snapshot, SpotTermsSnapshot, OtcSnapshot, FundsSnapshot, QuotaSnapshot {
  readonly rules: RulesVersion;
  readonly lastOrderId: number;
  readonly lastTradeId: number;
  readonly assets: readonly Asset[];
  /** Accounts by id, from 1 without a gap. */
  readonly accounts: readonly AccountSnapshot[];
  readonly balances: readonly PersonalBalance[];
  readonly systemBalances: readonly SystemBalanceSnapshot[];
  /** Open orders by id. The ones that no market names as resting are armed stops. */
  readonly orders: readonly OrderSnapshot[];
  readonly markets: readonly MarketSnapshot[];
  readonly keys: readonly KeySnapshot[];
  readonly withdrawals: readonly WithdrawalSnapshot[];
  readonly claims: readonly ClaimSnapshot[];
  /** By asset. */
  readonly caps: readonly WithdrawalCaps[];
  /** By asset, then by minute. */
  readonly outflows: readonly Outflow[];
}
