/**
 * The OTC desk: people buy and sell coins among themselves against fiat money, which they pay outside the exchange. The exchange holds the coin meanwhile. Texts, payment
 * methods and evidence are no part of this: here are the money, the prices and the steps. All of it since rules 9.
 */
import type { AccountId, AdvertisementId, AssetId, Atoms, Cents, FiatPrice, Millis, OtcOrderId, SignedPpm } from '@orrery/units';
import type { Side } from './order.ts';

/** What is paid outside the exchange. */
export type Fiat = 'usd' | 'cny';
export const FIATS = ['usd', 'cny'] as const satisfies readonly Fiat[];

/** Open, halted for a while by its advertiser, ended, or with less left than one order needs. */
export type AdvertisementState = 'PUBLISHED' | 'PAUSED' | 'TAKEN_DOWN' | 'EXHAUSTED';
export const ADVERTISEMENT_STATES = ['PUBLISHED', 'PAUSED', 'TAKEN_DOWN', 'EXHAUSTED'] as const satisfies readonly AdvertisementState[];

/** The states that an advertiser, or an operator, sets. */
export type SettableState = Exclude<AdvertisementState, 'EXHAUSTED'>;
export const SETTABLE_STATES = ['PUBLISHED', 'PAUSED', 'TAKEN_DOWN'] as const satisfies readonly SettableState[];

/** An order ends once, in one of the last four. */
export type OtcStatus = 'CREATED' | 'PAID' | 'DISPUTED' | 'RELEASED' | 'RETURNED' | 'CANCELLED' | 'EXPIRED';
export const OTC_STATUSES = [
  'CREATED',
  'PAID',
  'DISPUTED',
  'RELEASED',
  'RETURNED',
  'CANCELLED',
  'EXPIRED',
] as const satisfies readonly OtcStatus[];

/** How a dispute ends: the coin goes to the buyer, or back. */
export type DisputeOutcome = 'RELEASED' | 'RETURNED';
export const DISPUTE_OUTCOMES = ['RELEASED', 'RETURNED'] as const satisfies readonly DisputeOutcome[];

/** A price of its own, or a premium on the assist price of the moment in which an order is made. */
export type Pricing = { readonly kind: 'FIXED'; readonly price: FiatPrice } | { readonly kind: 'FLOATING'; readonly premium: SignedPpm };

/** What an advertiser may change. */
export interface ChangeableAdvertisement {
  readonly pricing: Pricing;
  /** The least and the most of one order. */
  readonly minTotal: Cents;
  readonly maxTotal: Cents;
  /** How long the buyer has to pay. */
  readonly payWindowMs: number;
}

export interface AdvertisementTerms extends ChangeableAdvertisement {
  /** Of the advertiser: what `sell` offers lies in escrow from the beginning. */
  readonly side: Side;
  readonly asset: AssetId;
  readonly currency: Fiat;
}

/** What a whole coin costs outside, as a service knows it. */
export interface AssistPrice {
  readonly asset: AssetId;
  readonly currency: Fiat;
  readonly price: FiatPrice;
}

/** The times and the deposit of the desk. */
export interface OtcTerms {
  /** After a payment either side may open a dispute. */
  readonly disputeAfterMs: number;
  /** After a payment a dispute opens by itself. */
  readonly autoDisputeMs: number;
  /** A decision stands this long before it is executed. */
  readonly appealWindowMs: number;
  /** Coins that somebody without a finished order bought stay on the exchange this long. */
  readonly holdMs: number;
  readonly depositAsset: AssetId;
  readonly merchantDeposit: Atoms;
}

// ---- commands ------------------------------------------------------------------------------------------------------

/** Opens the desk, or changes its terms: what was begun under the old ones keeps its times. */
export interface SetOtcTerms extends OtcTerms {
  readonly type: 'SetOtcTerms';
}

/** They are as old as this command: floating advertisements are taken at fresh ones alone. A price that is not named stays as it is. */
export interface SetAssistPrices {
  readonly type: 'SetAssistPrices';
  readonly prices: readonly AssistPrice[];
}

/** The amount of a `sell` moves from the funding wallet into escrow. Once per (account, clientAdvertisementId). */
export interface PublishAdvertisement extends AdvertisementTerms {
  readonly type: 'PublishAdvertisement';
  readonly account: AccountId;
  readonly clientAdvertisementId: string;
  readonly amount: Atoms;
}

/** Of open orders nothing changes. */
export interface UpdateAdvertisement extends ChangeableAdvertisement {
  readonly type: 'UpdateAdvertisement';
  readonly account: AccountId;
  readonly advertisement: AdvertisementId;
  /** What is available from now on: of a `sell` the difference moves. Absent, it stays what it is when the command is applied, whatever orders have taken meanwhile. */
  readonly amount?: Atoms;
  /** The version that the advertiser saw: one that has changed since stays as it is. Absent, any is changed. */
  readonly version?: number;
}

/** Taken down is for good, and returns what is available of a `sell`. Open orders go on. */
export interface SetAdvertisementState {
  readonly type: 'SetAdvertisementState';
  /** 0 for an operator. */
  readonly account: AccountId | 0;
  readonly advertisement: AdvertisementId;
  readonly state: SettableState;
}

/** Give `amount`, or 0 and the `total`. Once per (account, clientOrderId). */
export interface CreateOtcOrder {
  readonly type: 'CreateOtcOrder';
  /** The taker: buys what is for sale, and sells to who buys. */
  readonly account: AccountId;
  readonly clientOrderId: string;
  readonly advertisement: AdvertisementId;
  readonly amount: Atoms;
  readonly total: Cents;
  /** The one that the taker saw: a worse one is refused. */
  readonly price: FiatPrice;
}

/** The buyer says that the fiat money is on its way: from now on no timer returns the coin. */
export interface MarkOtcOrderPaid {
  readonly type: 'MarkOtcOrderPaid';
  readonly account: AccountId;
  readonly order: OtcOrderId;
}

/** The seller has the fiat money: the coin goes to the buyer. */
export interface ReleaseOtcOrder {
  readonly type: 'ReleaseOtcOrder';
  readonly account: AccountId;
  readonly order: OtcOrderId;
}

/** By the buyer alone: the coin goes back. */
export interface CancelOtcOrder {
  readonly type: 'CancelOtcOrder';
  readonly account: AccountId;
  readonly order: OtcOrderId;
}

/** By either side of a paid order. */
export interface DisputeOtcOrder {
  readonly type: 'DisputeOtcOrder';
  readonly account: AccountId;
  readonly order: OtcOrderId;
}

/** By the operators. The first decision stands until the time for an appeal is over; the one after an appeal is executed at once. */
export interface DecideOtcDispute {
  readonly type: 'DecideOtcDispute';
  readonly order: OtcOrderId;
  readonly outcome: DisputeOutcome;
  /** Which of the two it is, so that the first one that comes again after an appeal is not taken for the second. */
  readonly nth: 1 | 2;
}

/** By the side against which the decision went, once an order. */
export interface AppealOtcDecision {
  readonly type: 'AppealOtcDecision';
  readonly account: AccountId;
  readonly order: OtcOrderId;
}

/** Moves the deposit of a merchant from the funding wallet into escrow. Once per (account, key). */
export interface DepositAsMerchant {
  readonly type: 'DepositAsMerchant';
  readonly account: AccountId;
  readonly key: string;
}

/** What is left of the deposit returns to its account, which has no open order and no live advertisement. Once per (account, key). */
export interface ReturnMerchantDeposit {
  readonly type: 'ReturnMerchantDeposit';
  readonly account: AccountId;
  readonly key: string;
}

/** From the deposit of the side against which a dispute went, to the other one. Once an order, and once per `key`. */
export interface PayFromMerchantDeposit {
  readonly type: 'PayFromMerchantDeposit';
  readonly key: string;
  readonly order: OtcOrderId;
  readonly amount: Atoms;
}

/** Does what is due on the desk. Placed by the sequencer, or by a clock. A repetition finds nothing left. */
export interface RunOtcTimers {
  readonly type: 'RunOtcTimers';
}

export type OtcCommand =
  | SetOtcTerms
  | SetAssistPrices
  | PublishAdvertisement
  | UpdateAdvertisement
  | SetAdvertisementState
  | CreateOtcOrder
  | MarkOtcOrderPaid
  | ReleaseOtcOrder
  | CancelOtcOrder
  | DisputeOtcOrder
  | DecideOtcDispute
  | AppealOtcDecision
  | DepositAsMerchant
  | ReturnMerchantDeposit
  | PayFromMerchantDeposit
  | RunOtcTimers;

const OTC_COMMANDS: Readonly<Record<OtcCommand['type'], true>> = {
  SetOtcTerms: true,
  SetAssistPrices: true,
  PublishAdvertisement: true,
  UpdateAdvertisement: true,
  SetAdvertisementState: true,
  CreateOtcOrder: true,
  MarkOtcOrderPaid: true,
  ReleaseOtcOrder: true,
  CancelOtcOrder: true,
  DisputeOtcOrder: true,
  DecideOtcDispute: true,
  AppealOtcDecision: true,
  DepositAsMerchant: true,
  ReturnMerchantDeposit: true,
  PayFromMerchantDeposit: true,
  RunOtcTimers: true,
};

export const isOtcCommand = (command: { readonly type: string }): command is OtcCommand => Object.hasOwn(OTC_COMMANDS, command.type);

// ---- events --------------------------------------------------------------------------------------------------------

export interface OtcTermsSet extends OtcTerms {
  readonly type: 'OtcTermsSet';
}

export interface AssistPricesSet {
  readonly type: 'AssistPricesSet';
  /** When they were set. */
  readonly at: Millis;
  readonly prices: readonly AssistPrice[];
}

/** An advertisement as it is now. */
export interface Advertisement extends AdvertisementTerms {
  readonly advertisement: AdvertisementId;
  readonly account: AccountId;
  readonly state: AdvertisementState;
  /** What orders can still take. */
  readonly available: Atoms;
  /** 1 as it is published, and one more with each change, those by orders included. */
  readonly version: number;
}

export interface AdvertisementPublished extends Advertisement {
  readonly type: 'AdvertisementPublished';
  readonly clientAdvertisementId: string;
}

/** By its advertiser, an operator, or an order that took of it or gave back to it. */
export interface AdvertisementChanged extends Advertisement {
  readonly type: 'AdvertisementChanged';
}

/** The coin of the order lies in escrow. */
export interface OtcOrderCreated {
  readonly type: 'OtcOrderCreated';
  readonly order: OtcOrderId;
  readonly clientOrderId: string;
  readonly advertisement: AdvertisementId;
  readonly advertiser: AccountId;
  readonly taker: AccountId;
  readonly buyer: AccountId;
  readonly seller: AccountId;
  readonly asset: AssetId;
  readonly amount: Atoms;
  readonly currency: Fiat;
  readonly price: FiatPrice;
  readonly total: Cents;
  readonly createdAt: Millis;
  /** Until when the buyer has to pay. */
  readonly deadline: Millis;
  /** Whether the coins stay on the exchange for a while after they are released: the buyer had no finished order. */
  readonly coinsAreHeld: boolean;
}

export interface OtcOrderStepped {
  readonly type: 'OtcOrderStepped';
  readonly order: OtcOrderId;
  readonly advertisement: AdvertisementId;
  readonly buyer: AccountId;
  readonly seller: AccountId;
  readonly asset: AssetId;
  readonly amount: Atoms;
  readonly status: OtcStatus;
  /** 0 when it was a timer, or an arbiter. */
  readonly by: AccountId | 0;
  /** When it took this step. */
  readonly at: Millis;
  /** From when on either side may open a dispute; 0 when none can be opened. */
  readonly disputableAt: Millis;
  /** When a timer takes the next step; 0 when none does. */
  readonly deadline: Millis;
  /** Until when the coins that the buyer received stay on the exchange; 0 when they may leave. */
  readonly heldUntil: Millis;
}

export interface OtcDisputeDecided {
  readonly type: 'OtcDisputeDecided';
  readonly order: OtcOrderId;
  readonly buyer: AccountId;
  readonly seller: AccountId;
  readonly outcome: DisputeOutcome;
  /** 0 when it is executed by this command. */
  readonly executesAt: Millis;
}

/** The decision is not executed: another one is needed. */
export interface OtcDecisionAppealed {
  readonly type: 'OtcDecisionAppealed';
  readonly order: OtcOrderId;
  readonly by: AccountId;
}

/** Nobody could act while the exchange was away: of open orders, what lies after `since` comes later by `by`, a time in milliseconds. */
export interface OtcDeadlinesMoved {
  readonly type: 'OtcDeadlinesMoved';
  /** When the exchange was there last. */
  readonly since: Millis;
  readonly by: Millis;
}

/** What lies there is the whole deposit. */
export interface MerchantDeposited {
  readonly type: 'MerchantDeposited';
  readonly account: AccountId;
  readonly key: string;
  readonly asset: AssetId;
  readonly amount: Atoms;
}

export interface MerchantDepositReturned {
  readonly type: 'MerchantDepositReturned';
  readonly account: AccountId;
  readonly key: string;
  readonly asset: AssetId;
  readonly amount: Atoms;
}

/** From the deposit of `account` to the funding wallet of `recipient`. */
export interface MerchantDepositPaid {
  readonly type: 'MerchantDepositPaid';
  readonly key: string;
  readonly order: OtcOrderId;
  readonly account: AccountId;
  readonly recipient: AccountId;
  readonly asset: AssetId;
  readonly amount: Atoms;
  /** What lies there still. */
  readonly left: Atoms;
}

export type OtcEvent =
  | OtcTermsSet
  | AssistPricesSet
  | AdvertisementPublished
  | AdvertisementChanged
  | OtcOrderCreated
  | OtcOrderStepped
  | OtcDisputeDecided
  | OtcDecisionAppealed
  | OtcDeadlinesMoved
  | MerchantDeposited
  | MerchantDepositReturned
  | MerchantDepositPaid;
