/** What a perpetual contract is, and the words of margin and positions. Settle atoms are atoms of the asset a contract is settled in. */
import { NO_TICKS } from '@orrery/units';
import type { AccountId, AssetId, Atoms, Lots, MarketId, Millis, OrderId, Ppm, SignedLots, Ticks } from '@orrery/units';
import type { BookTerms } from './market.ts';

/** A linear contract pays in its quote, an inverse one in its base: `payoff.ts` in `@orrery/rules`. */
export type Payoff = 'linear' | 'inverse';
export const PAYOFFS = ['linear', 'inverse'] as const satisfies readonly Payoff[];

/** Contracts that share a wallet, a position mode and cross margin: those of a payoff, apart from practice contracts, which are settled in an asset of their own. */
export type MarginGroup = Payoff | 'practice';
/** In the order in which the positions of an account are looked at. */
export const MARGIN_GROUPS = [...PAYOFFS, 'practice'] as const satisfies readonly MarginGroup[];

/** A range of position notional and the leverage allowed in it. Its maintenance rate is 1 / (2 × maxLeverage). */
export interface MarginTier {
  /** Settle atoms; the range ends here, and the next one begins. Above zero. */
  readonly maxNotional: Atoms;
  /** A whole number from 1; lower in each further tier. */
  readonly maxLeverage: number;
}

export interface Contract extends BookTerms {
  /** Code of what the contract follows, such as `BTC`. */
  readonly baseCode: string;
  /** Code of what its price counts: `USDC` or `USD`. */
  readonly quoteCode: string;
  readonly payoff: Payoff;
  readonly settle: AssetId;
  /** The leverage of an account that has set none: a whole number from 1, at most the one of the first tier. */
  readonly initLeverage: number;
  /** By rising notional; at least one. No position may grow beyond the last. */
  readonly tiers: readonly MarginTier[];
  /** The most lots that may be open on the long side, which are as many as on the short side. */
  readonly openInterestCap: Lots;
  /** Settle atoms; the impact prices of funding are the average prices for it. */
  readonly impactNotional: Atoms;
  /** Milliseconds; 3,600,000 is an hour. */
  readonly fundingIntervalMs: number;
  /** The interest of 8 hours; 100 is 0.01 %. */
  readonly interestPpm8h: Ppm;
  /** The most that one interval may cost of the notional; 40,000 is 4 %. */
  readonly fundingCapPpm: Ppm;
  /** Settle atoms; of a larger position only a share is liquidated first. */
  readonly partialLiquidationAbove: Atoms;
  /** That share; 200,000 is 20 %. */
  readonly partialLiquidationPpm: Ppm;
  /** Milliseconds between that share and the rest. */
  readonly liquidationCooldownMs: number;
}

/** An asset of the futures wallet that counts for cross margin beside the settle asset. */
export interface Collateral {
  readonly asset: AssetId;
  /** The share of its value that counts; 900,000 is 90 %. */
  readonly ratioPpm: Ppm;
  /** The spot market in whose ticks it is valued: since rules 7 by rounds of its own, before by the index price of the market. */
  readonly market: MarketId;
  /** The most atoms of it that transfers may bring into one futures wallet. */
  readonly cap: Atoms;
}

/** The position an order acts on: `both` in one-way mode, `long` or `short` in hedge mode. */
export type PositionSide = 'both' | 'long' | 'short';
export const POSITION_SIDES = ['both', 'long', 'short'] as const satisfies readonly PositionSide[];

/** Cross positions share the money of their wallet; an isolated one has margin of its own. */
export type MarginMode = 'cross' | 'isolated';
export const MARGIN_MODES = ['cross', 'isolated'] as const satisfies readonly MarginMode[];

/** One-way: one position a contract. Hedge: a long and a short one beside each other. */
export type PositionMode = 'oneWay' | 'hedge';
export const POSITION_MODES = ['oneWay', 'hedge'] as const satisfies readonly PositionMode[];

export type MarginDirection = 'add' | 'remove';
export const MARGIN_DIRECTIONS = ['add', 'remove'] as const satisfies readonly MarginDirection[];

/** The price that a trigger waits for. */
export type TriggerBy = 'last' | 'mark' | 'index';
export const TRIGGER_PRICES = ['last', 'mark', 'index'] as const satisfies readonly TriggerBy[];

/** What the price must do to reach a trigger. `none` where there is no trigger, and for one that trails. */
export type TriggerDirection = 'none' | 'rise' | 'fall';
export const TRIGGER_DIRECTIONS = ['none', 'rise', 'fall'] as const satisfies readonly TriggerDirection[];

/** What a contract order came from. The last three are placed by the exchange alone. */
export type OrderSource = 'plain' | 'plan' | 'takeProfit' | 'stopLoss' | 'twap' | 'closeAll' | 'liquidation';
export const ORDER_SOURCES = [
  'plain',
  'plan',
  'takeProfit',
  'stopLoss',
  'twap',
  'closeAll',
  'liquidation',
] as const satisfies readonly OrderSource[];

/** What an order of a contract requests beyond `OrderTerms`. */
export interface ContractTerms {
  readonly positionSide: PositionSide;
  /** It never opens a position, grows one or changes its direction. */
  readonly reduceOnly: boolean;
  /** It closes what the position is when it acts; its size is 0. */
  readonly closePosition: boolean;
  /** `last` where there is no trigger. */
  readonly triggerBy: TriggerBy;
  /** The distance at which the trigger follows the best price; 0 for a trigger that stands still. */
  readonly trailingPpm: Ppm;
  readonly source: OrderSource;
}

/** A take-profit or stop-loss attached to an order. */
export interface AttachedTrigger {
  /** 0 for none. */
  readonly triggerPrice: Ticks;
  readonly triggerBy: TriggerBy;
  /** The limit it acts with; 0 for a market order. */
  readonly price: Ticks;
}

/** In the place of what is not attached. */
export const NOT_ATTACHED: AttachedTrigger = { triggerPrice: NO_TICKS, triggerBy: 'last', price: NO_TICKS };

/** What an accepted order of a contract has beyond `OrderTerms`. */
export interface ContractOrderTerms extends ContractTerms {
  /** A stop-loss of a sell and a take-profit of a buy wait for a fall; a plan order for whichever its trigger price was on the other side of. */
  readonly triggerDirection: TriggerDirection;
  /** The order it protects; 0 for none. */
  readonly parent: OrderId | 0;
  /** Orders of one group cancel each other when one of them acts; of a slice, its TWAP order; 0 for none. */
  readonly group: number;
  readonly takeProfit: AttachedTrigger;
  readonly stopLoss: AttachedTrigger;
}

/** One position of an account in a contract. */
export interface Position {
  readonly account: AccountId;
  readonly market: MarketId;
  readonly positionSide: PositionSide;
  /** Above zero it is long, below zero short, 0 when it is closed. */
  readonly size: SignedLots;
  /** Settle atoms: the sum of the notionals that opened what is open. Entry price is what it is per lot. From 0. */
  readonly cost: Atoms;
  /** Settle atoms that an isolated position has of its own; 0 under cross. From 0. */
  readonly margin: Atoms;
  /** Settle atoms since it was opened, fees and funding apart. Signed. */
  readonly realised: Atoms;
  /** Settle atoms of fees paid since it was opened; below zero where rebates are more. */
  readonly fees: Atoms;
  /** Settle atoms of funding received since it was opened; below zero where it was paid. */
  readonly funding: Atoms;
  readonly openedAt: Millis;
  /** The largest it has been since it was opened. */
  readonly maxSize: Lots;
}

/** A mid price of a spot exchange. */
export interface IndexSample {
  /** The name of the exchange. */
  readonly source: string;
  readonly price: Ticks;
  /** How old it was when the command was made, in milliseconds. */
  readonly ageMs: number;
  /** A whole number from 1. */
  readonly weight: number;
}

/** A mid price of a derivatives exchange. */
export type ExternalSample = Omit<IndexSample, 'weight'>;

/**
 * DEGRADED: too few fresh sources, and since rules 7 until three fresh rounds after a start, an outage or a halt. Then orders may only reduce, nothing is liquidated or
 * funded, and no money leaves an account that holds a position there.
 */
export type PriceState = 'READY' | 'DEGRADED';
export const PRICE_STATES = ['READY', 'DEGRADED'] as const satisfies readonly PriceState[];

/** What reduced a position. */
export type ReductionCause = 'trade' | 'liquidation' | 'takeover' | 'adl' | 'closeAll';
export const REDUCTION_CAUSES = ['trade', 'liquidation', 'takeover', 'adl', 'closeAll'] as const satisfies readonly ReductionCause[];

export type LiquidationStage = 'orderBook' | 'takeover' | 'adl';
export const LIQUIDATION_STAGES = ['orderBook', 'takeover', 'adl'] as const satisfies readonly LiquidationStage[];

/** Why an order that is to reduce a position and whose price was reached could not act, or only in part. */
export type StallReason =
  /** Nothing stands on the other side of the book, or nothing is left there. */
  | 'noLiquidity'
  /** What stands there is further than the order may go from the best price. */
  | 'slippageBound'
  /** What stands there is further from the reference price than a market order may go. */
  | 'priceOutOfBand'
  /** What stands there is worse than its limit. */
  | 'limitNotReached'
  /** What stands there is of its own account. */
  | 'selfTrade'
  /** Less than all of it could be filled, or more than its time in force takes. */
  | 'timeInForce'
  /** The loss would be larger than what its account has for it. */
  | 'marginMissing';
export const STALL_REASONS = [
  'noLiquidity',
  'slippageBound',
  'priceOutOfBand',
  'limitNotReached',
  'selfTrade',
  'timeInForce',
  'marginMissing',
] as const satisfies readonly StallReason[];

/** Why `CloseAllPositions` has left something of a position open. */
export type LeftReason =
  | StallReason
  /** Nothing is left. */
  | 'none'
  /** Its contract is halted, or takes cancels only. */
  | 'marketClosed'
  /** An order of its contract has more to trade than one command may. */
  | 'matching'
  /** A limit order rests at the middle of the book. */
  | 'restingAtMid'
  /** There is no price at which a limit order could rest. */
  | 'noPrice'
  /** Limit orders of its own that protect it stand in the book for all of it. */
  | 'ordersResting'
  /** An order of its contract may not be this large, or this small. */
  | 'sizeBounds'
  /** Its account may not trade. */
  | 'refused';
export const LEFT_REASONS = [
  'none',
  ...STALL_REASONS,
  'marketClosed',
  'matching',
  'restingAtMid',
  'noPrice',
  'ordersResting',
  'sizeBounds',
  'refused',
] as const satisfies readonly LeftReason[];

/**
 * What a pair of take-profit and stop-loss is for. `whole`: the position as it is when one of them acts. `part`: a size of it, in the place of every take-profit
 * and stop-loss of a size that it has. `furtherPart`: a size of it, beside those.
 */
export type ProtectionScope = 'whole' | 'part' | 'furtherPart';
export const PROTECTION_SCOPES = ['whole', 'part', 'furtherPart'] as const satisfies readonly ProtectionScope[];

/** One leg of a pair. */
export interface ProtectionLeg extends AttachedTrigger {
  /** As of an order; empty for none. */
  readonly clientOrderId: string;
}

/** How `CloseAllPositions` closes: at once, or by limit orders at the middle of the book. */
export type CloseAllMode = 'market' | 'limitAtMid';
export const CLOSE_ALL_MODES = ['market', 'limitAtMid'] as const satisfies readonly CloseAllMode[];
