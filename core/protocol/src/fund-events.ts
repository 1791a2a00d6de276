/** Facts of quanto funds. Since rules 9. */
import type { AccountId, AssetId, Atoms, MarketId, Millis } from '@orrery/units';
import type { Wallet } from './commands.ts';

/** Why a subscription was paid back. */
export type SubscriptionEnd = 'capacity' | 'leaderShare' | 'tooSmall' | 'closing';
export const SUBSCRIPTION_ENDS = ['capacity', 'leaderShare', 'tooSmall', 'closing'] as const satisfies readonly SubscriptionEnd[];

/** Why the shares of a redemption were given back. */
export type RedemptionEnd = 'leaderShare' | 'closing';
export const REDEMPTION_ENDS = ['leaderShare', 'closing'] as const satisfies readonly RedemptionEnd[];

/** Why a fund ends. silent: its account has given no command for an hour. worthless: nothing is left of it. */
export type FundEnd = 'halted' | 'blocked' | 'liquidated' | 'silent' | 'worthless';
export const FUND_ENDS = ['halted', 'blocked', 'liquidated', 'silent', 'worthless'] as const satisfies readonly FundEnd[];

export interface FundOpened {
  readonly type: 'FundOpened';
  readonly fund: AssetId;
  readonly account: AccountId;
  readonly leader: AccountId;
  readonly asset: AssetId;
  readonly capacity: Atoms;
  /** What the leader paid, and the shares it has for it. */
  readonly amount: Atoms;
  readonly shares: Atoms;
}

export interface FundCapacitySet {
  readonly type: 'FundCapacitySet';
  readonly fund: AssetId;
  readonly capacity: Atoms;
}

export interface FundSubscriptionQueued {
  readonly type: 'FundSubscriptionQueued';
  readonly fund: AssetId;
  readonly account: AccountId;
  readonly subscriptionId: string;
  readonly amount: Atoms;
  /** The earliest interval whose valuation executes it. */
  readonly interval: Millis;
  /** In which it is settled. */
  readonly asset: AssetId;
}

export interface FundSubscribed {
  readonly type: 'FundSubscribed';
  readonly fund: AssetId;
  readonly account: AccountId;
  readonly subscriptionId: string;
  readonly amount: Atoms;
  readonly shares: Atoms;
  /** Of the valuation: settle atoms of 1,000,000,000 atoms of shares, rounded down. */
  readonly nav: Atoms;
  /** Of all shares of the account from now on. */
  readonly highWaterMark: Atoms;
  readonly lockedUntil: Millis;
  /** In which it is settled. */
  readonly asset: AssetId;
  /** Of the fund. */
  readonly fundAccount: AccountId;
}

/** The money is back in the funding wallet. */
export interface FundSubscriptionReturned {
  readonly type: 'FundSubscriptionReturned';
  readonly fund: AssetId;
  readonly account: AccountId;
  readonly subscriptionId: string;
  readonly amount: Atoms;
  readonly reason: SubscriptionEnd;
  /** In which it is settled. */
  readonly asset: AssetId;
}

export interface FundRedemptionQueued {
  readonly type: 'FundRedemptionQueued';
  readonly fund: AssetId;
  readonly account: AccountId;
  readonly redemptionId: string;
  readonly shares: Atoms;
  /** The earliest interval whose valuation executes it. */
  readonly interval: Millis;
}

/** A redemption, or a part of it, is paid into the funding wallet. */
export interface FundRedeemed {
  readonly type: 'FundRedeemed';
  readonly fund: AssetId;
  readonly account: AccountId;
  readonly redemptionId: string;
  /** That are gone from the account, with those of the fee. */
  readonly shares: Atoms;
  /** Shares that the leader has as performance fee. */
  readonly fee: Atoms;
  readonly amount: Atoms;
  readonly nav: Atoms;
  /** Shares that still wait. */
  readonly left: Atoms;
  /** In which it is settled. */
  readonly asset: AssetId;
  /** Of the fund. */
  readonly fundAccount: AccountId;
  readonly leader: AccountId;
}

/** The shares are no longer held. */
export interface FundRedemptionReturned {
  readonly type: 'FundRedemptionReturned';
  readonly fund: AssetId;
  readonly account: AccountId;
  readonly redemptionId: string;
  readonly shares: Atoms;
  readonly reason: RedemptionEnd;
}

export interface FundValued {
  readonly type: 'FundValued';
  readonly fund: AssetId;
  readonly interval: Millis;
  /** Settle atoms: cash and positions at mark, rounded down. */
  readonly worth: Atoms;
  /** Atoms of all shares before what waits is executed. */
  readonly shares: Atoms;
  /** Settle atoms of 1,000,000,000 atoms of shares, rounded down. */
  readonly nav: Atoms;
  /** How much of the settle asset it has in all wallets. */
  readonly cash: Atoms;
}

/** A price of something that the fund holds is not fresh: what waits goes on waiting. */
export interface FundValuationMissed {
  readonly type: 'FundValuationMissed';
  readonly fund: AssetId;
  readonly interval: Millis;
  readonly market: MarketId;
}

/** The performance fee of a month, in shares that the holder gives to the leader. */
export interface FundFeeTaken {
  readonly type: 'FundFeeTaken';
  readonly fund: AssetId;
  readonly account: AccountId;
  readonly shares: Atoms;
  /** The new high-water mark of the account. */
  readonly nav: Atoms;
  readonly leader: AccountId;
}

/** Redemptions wait for cash: the fund sells this part of what it holds, `shares` of `of`. */
export interface FundReducing {
  readonly type: 'FundReducing';
  readonly fund: AssetId;
  readonly shares: Atoms;
  readonly of: Atoms;
}

export interface FundClosing {
  readonly type: 'FundClosing';
  readonly fund: AssetId;
  readonly reason: FundEnd;
}

/** What a holder has at the end of a fund: its shares are gone. Before that, in a round of one that cannot sell everything: `shares` and `fee` are 0, and the shares stay. */
export interface FundPaidOut {
  readonly type: 'FundPaidOut';
  readonly fund: AssetId;
  readonly account: AccountId;
  readonly shares: Atoms;
  /** Shares that the leader has as performance fee. */
  readonly fee: Atoms;
  readonly amount: Atoms;
  /** In which it is settled. */
  readonly asset: AssetId;
  /** Of the fund. */
  readonly fundAccount: AccountId;
  readonly leader: AccountId;
}

export interface FundEnded {
  readonly type: 'FundEnded';
  readonly fund: AssetId;
  readonly account: AccountId;
  readonly reason: FundEnd;
  /** What it was worth when it had closed everything and paid its rounds, and by how many shares that was paid. */
  readonly worth: Atoms;
  readonly shares: Atoms;
  /** What rounding left over. */
  readonly dust: Atoms;
  /** In which it is settled. */
  readonly asset: AssetId;
}

/** Money or coins of a fund are brought to another of its wallets, to be paid out or sold. */
export interface FundMoneyMoved {
  readonly type: 'FundMoneyMoved';
  readonly fund: AssetId;
  readonly account: AccountId;
  readonly asset: AssetId;
  readonly amount: Atoms;
  readonly from: Wallet;
  readonly to: Wallet;
}

/** The manager of a fund was heard. */
export interface FundHeartbeat {
  readonly type: 'FundHeartbeat';
  readonly fund: AssetId;
}

export type FundEvent =
  | FundOpened
  | FundCapacitySet
  | FundSubscriptionQueued
  | FundSubscribed
  | FundSubscriptionReturned
  | FundRedemptionQueued
  | FundRedeemed
  | FundRedemptionReturned
  | FundValued
  | FundValuationMissed
  | FundFeeTaken
  | FundReducing
  | FundClosing
  | FundPaidOut
  | FundEnded
  | FundMoneyMoved
  | FundHeartbeat;
