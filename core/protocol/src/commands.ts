/**
 * Commands: orders given to the exchange. Each is answered by facts (events), the refused ones by `CommandRejected`.
 * Every command may arrive twice; each names the key by which the second one is known.
 */
import type { AccountId, Address, AssetId, Atoms, Lots, MarketId, Millis, OrderId, Seq, Ticks } from '@orrery/units';
import type { ContractCommand, PlaceContractOrder } from './contract-commands.ts';
import type { FundCommand } from './fund.ts';
import type { Asset, ChangeableTerms, Market, MarketState, WithdrawalCaps } from './market.ts';
import type { OrderTerms } from './order.ts';
import type { OtcCommand } from './otc.ts';
import type { PlacePair, PlaceSpotOrder } from './spot-commands.ts';

/** The places of an account where its money can lie: `futures` is the margin of linear contracts, `coinFutures` that of inverse ones. */
export type Wallet = 'funding' | 'spot' | 'futures' | 'coinFutures';
export const WALLETS = ['funding', 'spot', 'futures', 'coinFutures'] as const satisfies readonly Wallet[];

/** What an account needs before it may trade, and the mark that forbids it everything. */
export type AccountFlag = 'termsAccepted' | 'whitelisted' | 'connected' | 'blocked';
export const ACCOUNT_FLAGS = ['termsAccepted', 'whitelisted', 'connected', 'blocked'] as const satisfies readonly AccountFlag[];

/** Accounts of the exchange from which faucet claims, rewards and losses beyond margin are paid; never below zero. */
export type Budget = 'faucet' | 'rewards' | 'insurance';
export const BUDGETS = ['faucet', 'rewards', 'insurance'] as const satisfies readonly Budget[];

export type ClaimOutcome = 'paid' | 'failed';
export const CLAIM_OUTCOMES = ['paid', 'failed'] as const satisfies readonly ClaimOutcome[];

// ---- the exchange itself -------------------------------------------------------------------------------------------

export interface RegisterAsset extends Asset {
  readonly type: 'RegisterAsset';
}

export interface RegisterMarket extends Market {
  readonly type: 'RegisterMarket';
}

/**
 * Changes the fees and order limits of a listed market; since rules 4. Open orders stay as they were accepted; every trade from now on pays the new
 * fees, which are taken from what is received, so that every hold still covers its order.
 */
export interface SetMarketTerms extends ChangeableTerms {
  readonly type: 'SetMarketTerms';
}

export interface SetMarketState {
  readonly type: 'SetMarketState';
  readonly market: MarketId;
  readonly state: MarketState;
}

/**
 * Switches the exchange to the rules of a version, from this command on. A journal is replayed by the rules it was written under: it switches where
 * this command stands in it. Once per version; the version never goes back.
 */
export interface UpgradeRules {
  readonly type: 'UpgradeRules';
  readonly version: number;
}

/** The outside price of a market. While it is fresh, price bands are measured from it (`referencePrice` in `@orrery/rules`). */
export interface SetIndexPrice {
  readonly type: 'SetIndexPrice';
  readonly market: MarketId;
  readonly price: Ticks;
}

/**
 * The most of a chain asset that withdrawals may take within any hour and within any day, in atoms; since rules 4. A minute counts as a whole, so that
 * what was held in the minute before the hour still counts. Given again, the new caps hold, and what was held before counts toward them.
 */
export interface SetWithdrawalCaps extends WithdrawalCaps {
  readonly type: 'SetWithdrawalCaps';
}

// ---- accounts ------------------------------------------------------------------------------------------------------

/** Opens the account of an address; the same address always gives the same account. */
export interface OpenAccount {
  readonly type: 'OpenAccount';
  readonly address: Address;
}

export interface SetAccountFlag {
  readonly type: 'SetAccountFlag';
  readonly account: AccountId;
  readonly flag: AccountFlag;
  readonly value: boolean;
}

// ---- money ---------------------------------------------------------------------------------------------------------

/**
 * A final deposit on the chain. Opens the address's account when there is none. Once per `key`, however late it is repeated; one that was suspended
 * by `SuspendDeposit` is given back by the same command again, with what was taken of it.
 */
export interface CreditDeposit {
  readonly type: 'CreditDeposit';
  /** `chainId:txHash:logIndex`. */
  readonly key: string;
  readonly address: Address;
  readonly asset: AssetId;
  readonly amount: Atoms;
}

/**
 * The chain took the block of a credited deposit back: what its account has free of it goes into SUSPENSE, from the funding wallet
 * first, then spot, then futures; and the account can not withdraw until the deposit is credited again.
 */
export interface SuspendDeposit {
  readonly type: 'SuspendDeposit';
  /** Of the `CreditDeposit`. */
  readonly key: string;
}

/**
 * A deposit in suspense will not return to the chain: it leaves the ledger, and its account can withdraw again. What lies in SUSPENSE pays first, then
 * what the account has free of its asset, then the insurance fund; what the fund lacks is uncovered. Credited after all, it pays everybody back.
 * Once per `key`. Since rules 6.
 */
export interface WriteOffDeposit {
  readonly type: 'WriteOffDeposit';
  /** Of the `CreditDeposit`. */
  readonly key: string;
}

/** Between the wallets of one account. Once per (account, transferId). */
export interface Transfer {
  readonly type: 'Transfer';
  readonly account: AccountId;
  readonly transferId: string;
  readonly asset: AssetId;
  readonly amount: Atoms;
  readonly from: Wallet;
  readonly to: Wallet;
}

/** What a withdrawal takes of the quota of its account: the gateway knows the prices and the level, the engine knows what was withdrawn before. */
export interface QuotaTerms {
  /** Of the withdrawal, in atoms of the coin in which quotas are given; from 0: a coin without a price takes nothing. */
  readonly worth: Atoms;
  /** The most that withdrawals of the account may be worth within any 24 hours, in the same atoms; from 0. */
  readonly limit: Atoms;
}

/** Holds funding money for a payout on the chain, within the caps of its asset. Once per withdrawalId (32 bytes in hex). */
export interface RequestWithdrawal {
  readonly type: 'RequestWithdrawal';
  readonly account: AccountId;
  readonly withdrawalId: string;
  readonly asset: AssetId;
  readonly amount: Atoms;
  readonly to: Address;
  /** Undefined: no quota holds, and it counts toward none. Since rules 10. */
  readonly quota?: QuotaTerms | undefined;
}

/**
 * A withdrawal to the address of another account: funding money goes to that account's funding wallet at once. Nothing leaves the exchange, so
 * no cap counts it; the quota of the account does. Once per withdrawalId, which it shares with `RequestWithdrawal`. Since rules 6.
 */
export interface WithdrawInternally {
  readonly type: 'WithdrawInternally';
  readonly account: AccountId;
  readonly withdrawalId: string;
  readonly asset: AssetId;
  readonly amount: Atoms;
  readonly to: Address;
  /** As of `RequestWithdrawal`. */
  readonly quota?: QuotaTerms | undefined;
}

export interface MarkWithdrawalSent {
  readonly type: 'MarkWithdrawalSent';
  readonly withdrawalId: string;
  readonly txHash: string;
}

/** The payout is final on the chain: the held money leaves the ledger. */
export interface PostWithdrawal {
  readonly type: 'PostWithdrawal';
  readonly withdrawalId: string;
  readonly txHash: string;
}

/** The payout can never happen any more: the held money returns to the account, and no longer counts toward the caps. */
export interface RefundWithdrawal {
  readonly type: 'RefundWithdrawal';
  readonly withdrawalId: string;
}

/** Once per `key`. Internal assets are issued; chain assets must lie in the vault already. */
export interface FundBudget {
  readonly type: 'FundBudget';
  readonly key: string;
  readonly budget: Budget;
  readonly asset: AssetId;
  readonly amount: Atoms;
}

/** Pays an account's funding wallet out of a budget. Once per `key`. */
export interface AwardFromBudget {
  readonly type: 'AwardFromBudget';
  readonly key: string;
  readonly budget: Budget;
  readonly account: AccountId;
  readonly asset: AssetId;
  readonly amount: Atoms;
}

/** Takes a whole award back from the account's funding wallet into the budget it came from. Once per award, and once per `key`. */
export interface ReverseAward {
  readonly type: 'ReverseAward';
  readonly key: string;
  /** The `key` of the award. */
  readonly awardKey: string;
}

/** Takes one claim out of the faucet budget, at most one per account and 24 h. Once per claimId. */
export interface ReserveFaucetClaim {
  readonly type: 'ReserveFaucetClaim';
  readonly account: AccountId;
  readonly claimId: string;
}

/** The claim's chain transaction is final, or can never happen: then the claim returns to the budget. */
export interface SettleFaucetClaim {
  readonly type: 'SettleFaucetClaim';
  readonly claimId: string;
  readonly outcome: ClaimOutcome;
}

// ---- orders --------------------------------------------------------------------------------------------------------

/** Once per (account, clientOrderId) while open and for a while after: see `OrderRepeated`. */
export interface PlaceOrder extends OrderTerms {
  readonly type: 'PlaceOrder';
  /** Left out, the order has its size, or its funds. Since rules 8. */
  readonly sizing?: 'most';
}

/**
 * Places orders of one account together: all of them are taken, or none is and nothing changes. Only the last one may take what stands in the book, or trail: the others are
 * post-only, or wait for a trigger price. The field of a refusal begins with the place of its order: `2.price`. Since rules 8.
 */
export interface PlaceOrders {
  readonly type: 'PlaceOrders';
  readonly account: AccountId;
  /** From one to `ORDERS_PER_BATCH`, all of `account`. */
  readonly orders: readonly (PlaceOrder | PlaceSpotOrder | PlaceContractOrder)[];
}

/** Cancels orders of one account together, by their ids: all of them, or none. The field of a refusal is the place of its order. Since rules 8. */
export interface CancelOrders {
  readonly type: 'CancelOrders';
  readonly account: AccountId;
  readonly orderIds: readonly OrderId[];
}

/** Give `orderId`, or 0 and the `clientOrderId`. */
export interface CancelOrder {
  readonly type: 'CancelOrder';
  readonly account: AccountId;
  readonly orderId: OrderId | 0;
  readonly clientOrderId: string;
}

export interface CancelAllOrders {
  readonly type: 'CancelAllOrders';
  readonly account: AccountId;
  /** 0 for every market. */
  readonly market: MarketId | 0;
}

/**
 * Gives a resting limit order another price or size. Refused whole, with the order untouched, if an order of these terms would be refused. It keeps
 * its id; with a smaller size at the same price it keeps its place in the queue too, otherwise it stands behind. With a size that is filled already it ends.
 * Before rules 8 a new order came in its place, under an id of its own and always behind the queue.
 */
export interface AmendOrder {
  readonly type: 'AmendOrder';
  readonly account: AccountId;
  readonly orderId: OrderId;
  /** What its client calls it from now on; empty keeps what it has. Before rules 8: the client id of the new order; empty for none. */
  readonly clientOrderId: string;
  /** 0 keeps the price. */
  readonly price: Ticks;
  /** Of the whole order, what it has filled included; 0 keeps it. Before rules 8: the size of the new order; 0 took what remained of the old one. */
  readonly size: Lots;
}

/** A timer: closes orders that have rested longer than 90 days. */
export interface ExpireOrders {
  readonly type: 'ExpireOrders';
}

/**
 * Continues to trigger the orders of a market whose trigger prices were reached: an earlier command reached more of them than one command triggers.
 * Placed by the sequencer, before what waits. A repetition finds nothing left.
 */
export interface ContinueTriggers {
  readonly type: 'ContinueTriggers';
  readonly market: MarketId;
}

/**
 * Goes on with the order of a market that had more to trade than one command may; since rules 7. Placed by the sequencer, before anything else in that market.
 * A repetition finds nothing left.
 */
export interface ContinueMatching {
  readonly type: 'ContinueMatching';
  readonly market: MarketId;
}

export type Command =
  | RegisterAsset
  | RegisterMarket
  | SetMarketState
  | SetMarketTerms
  | SetIndexPrice
  | UpgradeRules
  | SetWithdrawalCaps
  | OpenAccount
  | SetAccountFlag
  | CreditDeposit
  | SuspendDeposit
  | WriteOffDeposit
  | Transfer
  | RequestWithdrawal
  | WithdrawInternally
  | MarkWithdrawalSent
  | PostWithdrawal
  | RefundWithdrawal
  | FundBudget
  | AwardFromBudget
  | ReserveFaucetClaim
  | SettleFaucetClaim
  | PlaceOrder
  | CancelOrder
  | CancelAllOrders
  | AmendOrder
  | ExpireOrders
  | ContinueTriggers
  | ReverseAward
  | ContinueMatching
  | PlaceOrders
  | CancelOrders
  | PlaceSpotOrder
  | PlacePair
  | ContractCommand
  | OtcCommand
  | FundCommand;

/** A command with its place and time in history, set once by the sequencer. `at` never runs backwards. */
export interface Sequenced {
  readonly seq: Seq;
  readonly at: Millis;
  readonly command: Command;
}
