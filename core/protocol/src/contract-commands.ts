/** Commands of perpetual contracts: all since rules 5. */
import type { AccountId, AssetId, Atoms, Lots, MarketId, Millis, OrderId, Ticks } from '@orrery/units';
import type {
  AttachedTrigger,
  CloseAllMode,
  Collateral,
  Contract,
  ContractTerms,
  ExternalSample,
  IndexSample,
  MarginDirection,
  MarginGroup,
  MarginMode,
  PositionMode,
  PositionSide,
  ProtectionLeg,
  ProtectionScope,
} from './contract.ts';
import type { TwapTerms } from './twap.ts';
import type { OrderSizing, OrderTerms } from './order.ts';

export interface RegisterContract extends Contract {
  readonly type: 'RegisterContract';
}

/** Given again, the new numbers hold. */
export interface SetCollateral extends Collateral {
  readonly type: 'SetCollateral';
}

/** The account that takes over positions whose margin is nearly used up. */
export interface SetLiquidator {
  readonly type: 'SetLiquidator';
  readonly account: AccountId;
}

/** A round of outside prices of a contract. The engine computes index, mark and state from them. */
export interface SubmitPrices {
  readonly type: 'SubmitPrices';
  readonly market: MarketId;
  readonly index: readonly IndexSample[];
  readonly external: readonly ExternalSample[];
}

/**
 * A round of outside prices of a collateral, in ticks of the spot market that values it. The engine computes what it is valued by from them. Since rules 7.
 */
export interface SubmitCollateralPrices {
  readonly type: 'SubmitCollateralPrices';
  readonly asset: AssetId;
  readonly index: readonly IndexSample[];
}

/** The program started: prices from before count as stale, so that nothing is liquidated until three fresh rounds. Placed at each start, before everything else. */
export interface ResetPrices {
  readonly type: 'ResetPrices';
}

/** Once per (market, interval), and not before all positions have paid the interval before. */
export interface SettleFunding {
  readonly type: 'SettleFunding';
  readonly market: MarketId;
  /** When the interval ends: a multiple of the contract's `fundingIntervalMs`. */
  readonly interval: Millis;
}

/** Settles funding before its interval ends, on an exchange that is for trying things out. Once per (market, interval). */
export interface ForceFunding {
  readonly type: 'ForceFunding';
  readonly market: MarketId;
  /** When the interval is made to end: not ahead, and within the last minute. */
  readonly interval: Millis;
}

export interface SetLeverage {
  readonly type: 'SetLeverage';
  readonly account: AccountId;
  readonly market: MarketId;
  readonly positionSide: PositionSide;
  /** A whole number from 1. */
  readonly leverage: number;
}

/** Of both sides of a contract; only without an open order or a position in it. */
export interface SetMarginMode {
  readonly type: 'SetMarginMode';
  readonly account: AccountId;
  readonly market: MarketId;
  readonly mode: MarginMode;
}

/** Of all contracts of a margin group; only without an open order or a position in any of them. */
export interface SetPositionMode {
  readonly type: 'SetPositionMode';
  readonly account: AccountId;
  readonly payoff: MarginGroup;
  readonly mode: PositionMode;
}

/** Adds margin to an isolated position or removes it. Once per (account, key). */
export interface AdjustMargin {
  readonly type: 'AdjustMargin';
  readonly account: AccountId;
  readonly market: MarketId;
  readonly positionSide: PositionSide;
  readonly direction: MarginDirection;
  /** Settle atoms. */
  readonly amount: Atoms;
  /** 1 to 64 characters. */
  readonly key: string;
}

/** Whether an isolated position near its liquidation takes margin from the free money of its wallet. */
export interface SetAutoMargin {
  readonly type: 'SetAutoMargin';
  readonly account: AccountId;
  readonly market: MarketId;
  readonly positionSide: PositionSide;
  readonly value: boolean;
}

/** Tiers of `fee-tiers.ts` in `@orrery/rules`, by number from 0. */
export interface SetFeeTier {
  readonly type: 'SetFeeTier';
  readonly account: AccountId;
  readonly tier: number;
  /** By share of maker volume; 0 for no rebate. */
  readonly rebateTier: number;
}

/** As `PlaceOrder`, in a contract. */
export interface PlaceContractOrder extends OrderTerms {
  readonly type: 'PlaceContractOrder';
  readonly contract: ContractTerms;
  readonly takeProfit: AttachedTrigger;
  readonly stopLoss: AttachedTrigger;
  /** Left out, the order has its size. One that reverses is a market order without a size, against a position in one-way mode. Since rules 8. */
  readonly sizing?: OrderSizing;
}

/** Changes a waiting take-profit, stop-loss or plan order, which keeps its id. */
export interface AmendTrigger {
  readonly type: 'AmendTrigger';
  readonly account: AccountId;
  readonly orderId: OrderId;
  /** 0 keeps it. */
  readonly triggerPrice: Ticks;
  /** 0 keeps it. */
  readonly price: Ticks;
  /** 0 keeps it. */
  readonly size: Lots;
}

/**
 * Sets the take-profit and the stop-loss of a position: both, one or none, in the place of those that it had of the same scope. All of it holds or nothing
 * changes. Once per (account, key). Since rules 8.
 */
export interface SetProtection {
  readonly type: 'SetProtection';
  readonly account: AccountId;
  readonly market: MarketId;
  readonly positionSide: PositionSide;
  readonly scope: ProtectionScope;
  /** 0 for the whole position. */
  readonly size: Lots;
  /** A trigger price of 0 is none. */
  readonly takeProfit: ProtectionLeg;
  readonly stopLoss: ProtectionLeg;
  /** 1 to 64 characters. */
  readonly key: string;
}

/**
 * Closes every position as far as it can. Take-profits and stop-losses stand until their position is closed, and before rules 8 ended at once. Once per
 * (account, key).
 */
export interface CloseAllPositions {
  readonly type: 'CloseAllPositions';
  readonly account: AccountId;
  /** `any` names all but practice contracts, which are closed by their own name alone. */
  readonly payoff: MarginGroup | 'any';
  readonly mode: CloseAllMode;
  /** 1 to 64 characters. */
  readonly key: string;
}

/** Cancels all orders of an account in contracts at a time, unless it is set again before. */
export interface ScheduleCancel {
  readonly type: 'ScheduleCancel';
  readonly account: AccountId;
  /** At least 5 s ahead; 0 clears it. */
  readonly at: Millis;
}

/** A timer: does what is due of scheduled cancels and TWAP orders. */
export interface RunTimers {
  readonly type: 'RunTimers';
}

/** Once per (account, key). */
export interface PlaceTwap extends TwapTerms {
  readonly type: 'PlaceTwap';
}

export interface CancelTwap {
  readonly type: 'CancelTwap';
  readonly account: AccountId;
  /** Of the `TwapAccepted`. */
  readonly twapId: number;
}

/** Takes the next steps of liquidations that an earlier command left over. Placed by the sequencer, before what waits. */
export interface ContinueLiquidations {
  readonly type: 'ContinueLiquidations';
}

/** Takes the next payments of funding that was settled and not paid by all. Placed by the sequencer, before what waits. Since rules 7. */
export interface ContinueFunding {
  readonly type: 'ContinueFunding';
  readonly market: MarketId;
}

/** Names the asset that practice contracts are settled in: an internal one of code PRACTICE, before anybody has any of it. Once. Since rules 7. */
export interface SetPracticeAsset {
  readonly type: 'SetPracticeAsset';
  readonly asset: AssetId;
}

/** Gives an account what anyone may have of the practice asset in a UTC day. Once per (account, day). Since rules 7. */
export interface GrantPractice {
  readonly type: 'GrantPractice';
  readonly account: AccountId;
  /** When the day of the command began. */
  readonly day: Millis;
}

/** Brings what an account of the exchange has free of the practice asset up to an amount, so that practice contracts are quoted. Since rules 7. */
export interface StockPractice {
  readonly type: 'StockPractice';
  readonly account: AccountId;
  /** Atoms. */
  readonly upTo: Atoms;
}

export type ContractCommand =
  | RegisterContract
  | SetCollateral
  | SetLiquidator
  | SubmitPrices
  | ResetPrices
  | SettleFunding
  | ForceFunding
  | SetLeverage
  | SetMarginMode
  | SetPositionMode
  | AdjustMargin
  | SetAutoMargin
  | SetFeeTier
  | PlaceContractOrder
  | AmendTrigger
  | SetProtection
  | CloseAllPositions
  | ScheduleCancel
  | RunTimers
  | PlaceTwap
  | CancelTwap
  | ContinueLiquidations
  | ContinueFunding
  | SetPracticeAsset
  | GrantPractice
  | StockPractice
  | SubmitCollateralPrices;
