/** Facts of perpetual contracts. */
import type { AccountId, AssetId, Atoms, Lots, MarketId, Millis, OrderId, SignedLots, Ticks } from '@orrery/units';
import type {
  CloseAllMode,
  Collateral,
  Contract,
  LeftReason,
  LiquidationStage,
  MarginDirection,
  MarginGroup,
  MarginMode,
  Position,
  PositionMode,
  PositionSide,
  PriceState,
  ProtectionScope,
  ReductionCause,
  StallReason,
} from './contract.ts';
import type { TwapEnd, TwapTerms } from './twap.ts';

export interface ContractRegistered extends Contract {
  readonly type: 'ContractRegistered';
}

export interface CollateralSet extends Collateral {
  readonly type: 'CollateralSet';
}

/** What a collateral is valued by from now on. Since rules 7; before them it was the index price of its market. */
export interface CollateralPriced {
  readonly type: 'CollateralPriced';
  readonly asset: AssetId;
  /** The spot market in whose ticks the price is. */
  readonly market: MarketId;
  /** 0 before the first round: it counts for nothing. */
  readonly price: Ticks;
  /** When its last round came. What opens counts it in full for a minute after that, and for nothing after ten. */
  readonly at: Millis;
}

export interface LiquidatorSet {
  readonly type: 'LiquidatorSet';
  readonly account: AccountId;
}

/** The prices of a contract after a round. */
export interface PricesSet {
  readonly type: 'PricesSet';
  readonly market: MarketId;
  readonly index: Ticks;
  readonly mark: Ticks;
  readonly state: PriceState;
  /** The funding rate of the running interval as it would be settled now: a share of the notional in 10^-9, signed. Above zero longs pay. */
  readonly fundingPpb: number;
  /** Rounds since the last stale one; liquidations need 3. */
  readonly freshRounds: number;
}

/** What a position is after the command. Once per position and command, after the facts that explain it. */
export interface PositionChanged extends Position {
  readonly type: 'PositionChanged';
}

/**
 * A part of a position, or all of it, was closed. Of no lots, at price 0: its profit at mark paid a loss of the account elsewhere, and its cost moved by it.
 */
export interface PositionReduced {
  readonly type: 'PositionReduced';
  readonly account: AccountId;
  readonly market: MarketId;
  readonly positionSide: PositionSide;
  /** Whether what was closed was long. */
  readonly isLong: boolean;
  /** Lots closed. */
  readonly size: Lots;
  readonly price: Ticks;
  /** Settle atoms at `price`. */
  readonly notional: Atoms;
  /** Settle atoms of cost that left with it. */
  readonly releasedCost: Atoms;
  /** Settle atoms realised, the fee apart. Signed. */
  readonly profit: Atoms;
  /** Settle atoms; of the part that was closed. */
  readonly fee: Atoms;
  readonly cause: ReductionCause;
}

export interface FundingSettled {
  readonly type: 'FundingSettled';
  readonly market: MarketId;
  /** When the interval ended. */
  readonly interval: Millis;
  /** A share of the notional in 10^-9, signed. Above zero longs pay. */
  readonly ratePpb: number;
  /** The index price it was paid by. */
  readonly price: Ticks;
}

export interface FundingPaid {
  readonly type: 'FundingPaid';
  readonly account: AccountId;
  readonly market: MarketId;
  readonly positionSide: PositionSide;
  readonly interval: Millis;
  /** Settle atoms received; below zero where they were paid. */
  readonly amount: Atoms;
}

export interface LeverageSet {
  readonly type: 'LeverageSet';
  readonly account: AccountId;
  readonly market: MarketId;
  readonly positionSide: PositionSide;
  readonly leverage: number;
}

export interface MarginModeSet {
  readonly type: 'MarginModeSet';
  readonly account: AccountId;
  readonly market: MarketId;
  readonly mode: MarginMode;
}

export interface PositionModeSet {
  readonly type: 'PositionModeSet';
  readonly account: AccountId;
  readonly payoff: MarginGroup;
  readonly mode: PositionMode;
}

export interface MarginAdjusted {
  readonly type: 'MarginAdjusted';
  readonly account: AccountId;
  readonly market: MarketId;
  readonly positionSide: PositionSide;
  readonly direction: MarginDirection;
  /** Settle atoms. */
  readonly amount: Atoms;
  /** Of the command; empty when auto-margin moved it. */
  readonly key: string;
}

export interface AutoMarginSet {
  readonly type: 'AutoMarginSet';
  readonly account: AccountId;
  readonly market: MarketId;
  readonly positionSide: PositionSide;
  readonly value: boolean;
}

export interface FeeTierSet {
  readonly type: 'FeeTierSet';
  readonly account: AccountId;
  readonly tier: number;
  readonly rebateTier: number;
}

/** Collateral went to the insurance fund for the settle asset that a loss needed. */
export interface CollateralSold {
  readonly type: 'CollateralSold';
  readonly account: AccountId;
  readonly asset: AssetId;
  readonly amount: Atoms;
  /** The index price it was valued by. */
  readonly price: Ticks;
  readonly settle: AssetId;
  /** Settle atoms paid for it. */
  readonly proceeds: Atoms;
}

/** One step of a liquidation: what was closed, by which numbers, and who bore the loss. Money in settle atoms. */
export interface LiquidationStep {
  readonly type: 'LiquidationStep';
  readonly liquidationId: number;
  readonly account: AccountId;
  readonly market: MarketId;
  readonly positionSide: PositionSide;
  readonly stage: LiquidationStage;
  readonly mark: Ticks;
  /** Of the account under cross, of the position when it is isolated, before the step. Signed. */
  readonly equity: Atoms;
  /** What it had to be at least. */
  readonly maintenance: Atoms;
  /** Lots closed or taken over. */
  readonly size: Lots;
  /** The average price they were closed at: the mark of a takeover and of a deleveraging, whose price was that of bankruptcy before rules 7; 0 when nothing was closed. */
  readonly price: Ticks;
  /** What the margin of the position or the account paid. */
  readonly fromMargin: Atoms;
  readonly fromLiquidator: Atoms;
  readonly fromInsurance: Atoms;
  /** What nobody paid. */
  readonly uncovered: Atoms;
}

/** A position was closed against a bankrupt one: at mark, and before rules 7 at the price where the bankrupt one had lost what it had. */
export interface PositionDeleveraged {
  readonly type: 'PositionDeleveraged';
  readonly liquidationId: number;
  readonly account: AccountId;
  readonly market: MarketId;
  readonly positionSide: PositionSide;
  readonly size: Lots;
  readonly price: Ticks;
  /** Its place in the order of profit and leverage, from 1. */
  readonly rank: number;
  /** Settle atoms. Signed. */
  readonly profit: Atoms;
}

/**
 * The gain of a position paid a part of what a bankrupt account on its other side was missing: its cost moved towards the mark by that, and nothing else of its
 * account changed.
 */
export interface DeficitShared {
  readonly type: 'DeficitShared';
  readonly liquidationId: number;
  readonly account: AccountId;
  readonly market: MarketId;
  readonly positionSide: PositionSide;
  readonly mark: Ticks;
  /** Its place in the order of profit and leverage, from 1. */
  readonly rank: number;
  /** What the position had gained at mark, in settle atoms. */
  readonly gain: Atoms;
  /** What of it paid, at most all of it. */
  readonly paid: Atoms;
}

/** The insurance fund has another amount of an asset. Once per asset and command, after everything else. */
export interface InsuranceChanged {
  readonly type: 'InsuranceChanged';
  readonly asset: AssetId;
  /** Atoms in the fund after the command. */
  readonly amount: Atoms;
  /** Atoms that the command added; below zero where it took them. 0 of a present fact. */
  readonly change: Atoms;
}

/** A waiting order has other terms now. */
export interface TriggerAmended {
  readonly type: 'TriggerAmended';
  readonly orderId: OrderId;
  readonly account: AccountId;
  readonly market: MarketId;
  readonly triggerPrice: Ticks;
  readonly price: Ticks;
  readonly size: Lots;
}

/**
 * An order that is to reduce a position, and whose price was reached, could not act, or only in part. It waits on for what is left, and is tried with the rounds
 * of prices while its price is reached; `OrderArmed` says that it is so no more, `OrderTriggered` that it acts. Once per order and reason. Since rules 8.
 */
export interface TriggerStalled {
  readonly type: 'TriggerStalled';
  readonly orderId: OrderId;
  readonly account: AccountId;
  readonly market: MarketId;
  readonly reason: StallReason;
  /** What it waits for from now on: of a trailing stop the price that reached it, and it trails no more. */
  readonly triggerPrice: Ticks;
  readonly remaining: Lots;
  readonly filled: Lots;
  /** Settle atoms. */
  readonly filledNotional: Atoms;
}

/** The take-profit and the stop-loss that a position has now of this scope, by the ids of their orders; 0 for none. */
export interface ProtectionSet {
  readonly type: 'ProtectionSet';
  readonly account: AccountId;
  readonly market: MarketId;
  readonly positionSide: PositionSide;
  readonly scope: ProtectionScope;
  readonly size: Lots;
  readonly takeProfit: OrderId | 0;
  readonly stopLoss: OrderId | 0;
  readonly key: string;
}

/** What `CloseAllPositions` left open. */
export interface PositionLeft {
  readonly market: MarketId;
  readonly positionSide: PositionSide;
  readonly size: SignedLots;
  /** The limit order that is to close it; 0 for none. */
  readonly orderId: OrderId | 0;
}

/** What `CloseAllPositions` did with one position. */
export interface PositionClosing {
  readonly market: MarketId;
  readonly positionSide: PositionSide;
  /** As it was. */
  readonly asked: SignedLots;
  /** Lots that were closed at once. */
  readonly closed: Lots;
  /** As it is now. */
  readonly left: SignedLots;
  /** Why something is left. */
  readonly reason: LeftReason;
  /** The limit order that is to close it; 0 for none. */
  readonly orderId: OrderId | 0;
}

export interface PositionsClosed {
  readonly type: 'PositionsClosed';
  readonly account: AccountId;
  readonly key: string;
  readonly mode: CloseAllMode;
  readonly left: readonly PositionLeft[];
  /** Of each position that was open, by contract and side; empty before rules 8. */
  readonly closings: readonly PositionClosing[];
}

export interface CancelScheduled {
  readonly type: 'CancelScheduled';
  readonly account: AccountId;
  /** 0: there is none any more. */
  readonly at: Millis;
}

export interface TwapAccepted extends TwapTerms {
  readonly type: 'TwapAccepted';
  readonly twapId: number;
}

/** A slice has filled something; also what has been filled when an engine starts. */
export interface TwapAdvanced {
  readonly type: 'TwapAdvanced';
  readonly twapId: number;
  readonly account: AccountId;
  readonly market: MarketId;
  readonly startedAt: Millis;
  /** Of all its slices until now. */
  readonly filled: Lots;
  /** Settle atoms. */
  readonly filledNotional: Atoms;
}

export interface TwapClosed {
  readonly type: 'TwapClosed';
  readonly twapId: number;
  readonly account: AccountId;
  readonly market: MarketId;
  readonly reason: TwapEnd;
  /** Of all its slices. */
  readonly filled: Lots;
  /** Settle atoms. */
  readonly filledNotional: Atoms;
}

export interface PracticeAssetSet {
  readonly type: 'PracticeAssetSet';
  readonly asset: AssetId;
}

/** Into the wallet of linear contracts. */
export interface PracticeGranted {
  readonly type: 'PracticeGranted';
  readonly account: AccountId;
  readonly asset: AssetId;
  readonly amount: Atoms;
  /** When the day that it counts for began; 0 of what an account of the exchange was stocked with. */
  readonly day: Millis;
}

export type ContractEvent =
  | ContractRegistered
  | CollateralSet
  | LiquidatorSet
  | PricesSet
  | PositionChanged
  | PositionReduced
  | FundingSettled
  | FundingPaid
  | LeverageSet
  | MarginModeSet
  | PositionModeSet
  | MarginAdjusted
  | AutoMarginSet
  | FeeTierSet
  | CollateralSold
  | LiquidationStep
  | PositionDeleveraged
  | InsuranceChanged
  | TriggerAmended
  | TriggerStalled
  | ProtectionSet
  | PositionsClosed
  | CancelScheduled
  | TwapAccepted
  | TwapAdvanced
  | TwapClosed
  | DeficitShared
  | PracticeAssetSet
  | PracticeGranted
  | CollateralPriced;
