/** Events: facts, in the past tense. A command's events are all true at once, at its `seq` and `at`. */
import type { AccountId, Address, AssetId, Atoms, Lots, MarketId, Millis, OrderId, Ticks, TradeId } from '@orrery/units';
import type { ContractEvent } from './contract-events.ts';
import type { FundEvent } from './fund-events.ts';
import type { AccountFlag, Budget, ClaimOutcome, Wallet } from './commands.ts';
import type { Asset, ChangeableTerms, Market, MarketState, WithdrawalCaps } from './market.ts';
import type { CloseReason, Order, Side } from './order.ts';
import type { OtcEvent } from './otc.ts';
import type { RejectFigures, RejectReason } from './rejects.ts';

/** The command was refused and changed nothing. */
export interface CommandRejected {
  readonly type: 'CommandRejected';
  readonly reason: RejectReason;
  /** The command's field that was refused; empty when no single one was. */
  readonly field: string;
  /** Of a number beyond another one, where both are known. */
  readonly figures?: RejectFigures;
}

export interface AssetRegistered extends Asset {
  readonly type: 'AssetRegistered';
}

export interface MarketRegistered extends Market {
  readonly type: 'MarketRegistered';
}

export interface MarketTermsChanged extends ChangeableTerms {
  readonly type: 'MarketTermsChanged';
}

export interface MarketStateChanged {
  readonly type: 'MarketStateChanged';
  readonly market: MarketId;
  readonly state: MarketState;
}

export interface IndexPriceSet {
  readonly type: 'IndexPriceSet';
  readonly market: MarketId;
  readonly price: Ticks;
}

/** Later commands are applied by the rules of this version. */
export interface RulesUpgraded {
  readonly type: 'RulesUpgraded';
  readonly version: number;
}

export interface WithdrawalCapsSet extends WithdrawalCaps {
  readonly type: 'WithdrawalCapsSet';
}

/** What the withdrawals of an asset that were held within one minute take in all, without the refunded ones. Since rules 4. */
export interface OutflowChanged {
  readonly type: 'OutflowChanged';
  readonly asset: AssetId;
  /** When it began. */
  readonly minute: Millis;
  readonly amount: Atoms;
}

/** What the withdrawals of an account that were asked for at one time take of its quotas in all, without the refunded ones. Since rules 10. */
export interface QuotaUsed {
  readonly type: 'QuotaUsed';
  readonly account: AccountId;
  /** When they were asked for. */
  readonly since: Millis;
  /** In atoms of the coin in which quotas are given; 0: nothing any more. */
  readonly worth: Atoms;
}

/** Also the answer to opening the account a second time. */
export interface AccountOpened {
  readonly type: 'AccountOpened';
  readonly account: AccountId;
  readonly address: Address;
}

export interface AccountFlagSet {
  readonly type: 'AccountFlagSet';
  readonly account: AccountId;
  readonly flag: AccountFlag;
  readonly value: boolean;
}

/** What one account has of one asset in one wallet after the command. Follows the facts that explain it. */
export interface BalanceChanged {
  readonly type: 'BalanceChanged';
  readonly account: AccountId;
  readonly wallet: Wallet;
  readonly asset: AssetId;
  readonly free: Atoms;
  readonly held: Atoms;
}

/** Emitted again when the money leaves suspense, with the amount that lay there. */
export interface DepositCredited {
  readonly type: 'DepositCredited';
  readonly key: string;
  readonly account: AccountId;
  readonly asset: AssetId;
  readonly amount: Atoms;
  /** True when the account is blocked: the money waits in suspense and is not the account's to use. */
  readonly suspended: boolean;
}

/** Its block is gone: what lay free of it is in SUSPENSE now. Of a blocked account's deposit it lay there before, and comes from nowhere. */
export interface DepositSuspended {
  readonly type: 'DepositSuspended';
  readonly key: string;
  readonly account: AccountId;
  readonly asset: AssetId;
  /** In SUSPENSE now: less than the deposit where the rest is spent, or bound. */
  readonly amount: Atoms;
  readonly fromFunding: Atoms;
  readonly fromSpot: Atoms;
  readonly fromFutures: Atoms;
}

/** Of the deposit that `DepositSuspended` of the same command is about, `amount` came from the wallet of inverse contracts; its amount includes it. */
export interface CoinFuturesSuspended {
  readonly type: 'CoinFuturesSuspended';
  readonly key: string;
  readonly account: AccountId;
  readonly asset: AssetId;
  readonly amount: Atoms;
}

/** It will not return to the chain, and has left the ledger: who paid its amount. Its account can withdraw again. */
export interface DepositWrittenOff {
  readonly type: 'DepositWrittenOff';
  readonly key: string;
  readonly account: AccountId;
  readonly asset: AssetId;
  /** Of the whole deposit: the sum of the parts that follow. */
  readonly amount: Atoms;
  readonly fromSuspense: Atoms;
  readonly fromFunding: Atoms;
  readonly fromSpot: Atoms;
  readonly fromFutures: Atoms;
  readonly fromCoinFutures: Atoms;
  readonly fromInsurance: Atoms;
  /** What nobody could pay: the exchange owes it. */
  readonly uncovered: Atoms;
}

/** A deposit that was written off is on the chain after all: what the exchange paid for it is in the insurance fund again. */
export interface WriteOffRepaid {
  readonly type: 'WriteOffRepaid';
  readonly key: string;
  readonly account: AccountId;
  readonly asset: AssetId;
  readonly amount: Atoms;
}

export interface Transferred {
  readonly type: 'Transferred';
  readonly account: AccountId;
  readonly transferId: string;
  readonly asset: AssetId;
  readonly amount: Atoms;
  readonly from: Wallet;
  readonly to: Wallet;
}

export interface WithdrawalHeld {
  readonly type: 'WithdrawalHeld';
  readonly account: AccountId;
  readonly withdrawalId: string;
  readonly asset: AssetId;
  readonly amount: Atoms;
  readonly to: Address;
}

/** From the funding wallet of `account` to that of `recipient`, whose address is `to`. */
export interface WithdrawnInternally {
  readonly type: 'WithdrawnInternally';
  readonly account: AccountId;
  readonly recipient: AccountId;
  readonly withdrawalId: string;
  readonly asset: AssetId;
  readonly amount: Atoms;
  readonly to: Address;
}

export interface WithdrawalSent {
  readonly type: 'WithdrawalSent';
  readonly account: AccountId;
  readonly withdrawalId: string;
  readonly txHash: string;
}

export interface WithdrawalPosted {
  readonly type: 'WithdrawalPosted';
  readonly account: AccountId;
  readonly withdrawalId: string;
  readonly asset: AssetId;
  readonly amount: Atoms;
  readonly txHash: string;
}

export interface WithdrawalRefunded {
  readonly type: 'WithdrawalRefunded';
  readonly account: AccountId;
  readonly withdrawalId: string;
  readonly asset: AssetId;
  readonly amount: Atoms;
}

export interface BudgetFunded {
  readonly type: 'BudgetFunded';
  readonly key: string;
  readonly budget: Budget;
  readonly asset: AssetId;
  readonly amount: Atoms;
}

export interface Awarded {
  readonly type: 'Awarded';
  readonly key: string;
  readonly budget: Budget;
  readonly account: AccountId;
  readonly asset: AssetId;
  readonly amount: Atoms;
}

/** The counter-entry of an award: the whole of it is in its budget again. */
export interface AwardReversed {
  readonly type: 'AwardReversed';
  readonly key: string;
  readonly awardKey: string;
  readonly budget: Budget;
  readonly account: AccountId;
  readonly asset: AssetId;
  readonly amount: Atoms;
}

export interface FaucetClaimReserved {
  readonly type: 'FaucetClaimReserved';
  readonly account: AccountId;
  readonly claimId: string;
}

export interface FaucetClaimSettled {
  readonly type: 'FaucetClaimSettled';
  readonly account: AccountId;
  readonly claimId: string;
  readonly outcome: ClaimOutcome;
}

/** The command had been applied before under this key: nothing changed. Money commands answer so. */
export interface CommandRepeated {
  readonly type: 'CommandRepeated';
  readonly key: string;
}

export interface OrderAccepted extends Order {
  readonly type: 'OrderAccepted';
}

/** The same order under the same clientOrderId was accepted before: nothing changed. */
export interface OrderRepeated {
  readonly type: 'OrderRepeated';
  readonly orderId: OrderId;
  readonly account: AccountId;
  readonly clientOrderId: string;
}

/** The order's remainder stands in the book. */
export interface OrderRested {
  readonly type: 'OrderRested';
  readonly orderId: OrderId;
  readonly account: AccountId;
  readonly market: MarketId;
  readonly side: Side;
  readonly price: Ticks;
  readonly remaining: Lots;
  /** What it had traded until then, and for how many quote atoms: a view that starts from facts knows no earlier trades. */
  readonly filled: Lots;
  readonly filledNotional: Atoms;
}

/** The order has more to trade than one command may: it stands nowhere, what is left of it stays reserved, and `ContinueMatching` goes on with it. */
export interface OrderPaused {
  readonly type: 'OrderPaused';
  readonly orderId: OrderId;
  readonly account: AccountId;
  readonly market: MarketId;
  /** 0 for an order by funds. */
  readonly remaining: Lots;
  readonly filled: Lots;
  readonly filledNotional: Atoms;
}

/** A stop order waits for its trigger price. */
export interface OrderArmed {
  readonly type: 'OrderArmed';
  readonly orderId: OrderId;
  readonly account: AccountId;
  readonly market: MarketId;
}

/** A trailing stop that waited for its activation price follows the last price from this one on. */
export interface TrailingStarted {
  readonly type: 'TrailingStarted';
  readonly orderId: OrderId;
  readonly account: AccountId;
  readonly market: MarketId;
  readonly lastPrice: Ticks;
}

/** A stop order's price was reached: it acts now as a market or limit order under the same id. `lastPrice` is the price that reached it, of whichever kind. */
export interface OrderTriggered {
  readonly type: 'OrderTriggered';
  readonly orderId: OrderId;
  readonly account: AccountId;
  readonly market: MarketId;
  readonly lastPrice: Ticks;
}

/** A resting order lost size to self-trade prevention by decrement. */
export interface OrderReduced {
  readonly type: 'OrderReduced';
  readonly orderId: OrderId;
  readonly account: AccountId;
  readonly market: MarketId;
  readonly side: Side;
  readonly price: Ticks;
  readonly reducedBy: Lots;
  readonly remaining: Lots;
}

/** A resting order has other terms under its id. Since rules 8; before them another order came in its place. */
export interface OrderAmended {
  readonly type: 'OrderAmended';
  readonly orderId: OrderId;
  readonly account: AccountId;
  readonly market: MarketId;
  /** The one that it has from now on. */
  readonly clientOrderId: string;
  readonly side: Side;
  readonly price: Ticks;
  /** Of the whole order, what it has filled included. */
  readonly size: Lots;
  /** What is left to trade. */
  readonly remaining: Lots;
  /** Where it stood, and what was taken out of the book there. */
  readonly oldPrice: Ticks;
  readonly removed: Lots;
  /** Whether it still stands there, before the same orders as ever. One that does not acts again: it trades, rests or closes within the command. */
  readonly keepsPlace: boolean;
}

/**
 * Printed at the maker's price. The buyer's fee is in base atoms, the seller's in quote atoms: each pays in what it receives.
 * In a contract both are in settle atoms, and a maker's rebate is a fee below zero.
 */
export interface Trade {
  readonly type: 'Trade';
  readonly tradeId: TradeId;
  readonly market: MarketId;
  readonly price: Ticks;
  readonly size: Lots;
  /** Quote atoms; in a contract settle atoms. */
  readonly notional: Atoms;
  readonly takerSide: Side;
  readonly takerOrderId: OrderId;
  readonly takerAccount: AccountId;
  readonly takerFee: Atoms;
  readonly makerOrderId: OrderId;
  readonly makerAccount: AccountId;
  readonly makerFee: Atoms;
  /** What the maker's order still has in the book. */
  readonly makerRemaining: Lots;
}

/** The order is over. */
export interface OrderClosed {
  readonly type: 'OrderClosed';
  readonly orderId: OrderId;
  readonly account: AccountId;
  readonly market: MarketId;
  readonly clientOrderId: string;
  readonly reason: CloseReason;
  readonly side: Side;
  /** Where it stood in the book; 0 when it never rested. */
  readonly price: Ticks;
  /** What was taken out of the book by this closing; 0 when nothing of it stood there. */
  readonly removed: Lots;
  readonly filled: Lots;
  /** Quote atoms traded in all. */
  readonly filledNotional: Atoms;
}

export type Event =
  | CommandRejected
  | CommandRepeated
  | AssetRegistered
  | MarketRegistered
  | MarketStateChanged
  | MarketTermsChanged
  | IndexPriceSet
  | RulesUpgraded
  | WithdrawalCapsSet
  | OutflowChanged
  | QuotaUsed
  | AccountOpened
  | AccountFlagSet
  | BalanceChanged
  | DepositCredited
  | DepositSuspended
  | CoinFuturesSuspended
  | DepositWrittenOff
  | WriteOffRepaid
  | Transferred
  | WithdrawalHeld
  | WithdrawnInternally
  | WithdrawalSent
  | WithdrawalPosted
  | WithdrawalRefunded
  | BudgetFunded
  | Awarded
  | FaucetClaimReserved
  | FaucetClaimSettled
  | OrderAccepted
  | OrderRepeated
  | OrderRested
  | OrderArmed
  | OrderTriggered
  | OrderReduced
  | OrderAmended
  | Trade
  | OrderClosed
  | AwardReversed
  | OrderPaused
  | TrailingStarted
  | ContractEvent
  | OtcEvent
  | FundEvent;
