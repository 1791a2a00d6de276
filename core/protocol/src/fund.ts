/**
 * Quanto funds: accounts that a strategy trades and share holders own. A share is an internal asset, and a fund is named by it. Everything is settled in one asset,
 * USDC. Since rules 9.
 */
import type { AccountId, AssetId, Atoms, Millis } from '@orrery/units';

/**
 * Makes a fund of an account that has nothing: no money, no positions, no orders. The leader pays the first money out of its funding wallet and has the first shares, an
 * atom of them for an atom of money.
 */
export interface OpenFund {
  readonly type: 'OpenFund';
  /** Its shares: an internal asset with the decimals of the settle asset, which nobody has and nothing is traded in. */
  readonly fund: AssetId;
  /** The account that its manager trades. */
  readonly account: AccountId;
  readonly leader: AccountId;
  /** In which it is settled. */
  readonly asset: AssetId;
  /** What the leader pays, in atoms of the settle asset: at least 1,000 units. */
  readonly amount: Atoms;
  /** The most that the fund may be worth by a subscription, in atoms of the settle asset. */
  readonly capacity: Atoms;
}

export interface SetFundCapacity {
  readonly type: 'SetFundCapacity';
  readonly fund: AssetId;
  readonly capacity: Atoms;
}

/** Takes money out of the funding wallet; shares are given for it at the next valuation. Once per (account, subscriptionId). */
export interface SubscribeToFund {
  readonly type: 'SubscribeToFund';
  readonly fund: AssetId;
  readonly account: AccountId;
  readonly subscriptionId: string;
  /** Atoms of the settle asset: at least 10 units. */
  readonly amount: Atoms;
}

/** Holds shares; they are paid for at the next valuation, or a later one when the fund has not the cash. Once per (account, redemptionId). */
export interface RedeemFromFund {
  readonly type: 'RedeemFromFund';
  readonly fund: AssetId;
  readonly account: AccountId;
  readonly redemptionId: string;
  /** Atoms of the shares. */
  readonly shares: Atoms;
}

/** Values a fund, and executes what waits for it. Placed by the sequencer at each interval: of ten minutes, of one while the fund closes. Once per interval. */
export interface ValueFund {
  readonly type: 'ValueFund';
  readonly fund: AssetId;
  /** When the interval began. */
  readonly interval: Millis;
}

/** The next steps of what a valuation began. Placed by the sequencer; a repetition finds nothing left. */
export interface ContinueFund {
  readonly type: 'ContinueFund';
  readonly fund: AssetId;
}

/** The manager is there: a fund whose account gives no command for an hour closes. */
export interface SendFundHeartbeat {
  readonly type: 'SendFundHeartbeat';
  readonly account: AccountId;
}

/** Halts a fund: it closes what it has, pays by share and ends. */
export interface CloseFund {
  readonly type: 'CloseFund';
  readonly fund: AssetId;
}

export type FundCommand =
  | OpenFund
  | SetFundCapacity
  | SubscribeToFund
  | RedeemFromFund
  | ValueFund
  | ContinueFund
  | SendFundHeartbeat
  | CloseFund;

const FUND_COMMANDS: Readonly<Record<FundCommand['type'], true>> = {
  OpenFund: true,
  SetFundCapacity: true,
  SubscribeToFund: true,
  RedeemFromFund: true,
  ValueFund: true,
  ContinueFund: true,
  SendFundHeartbeat: true,
  CloseFund: true,
};

export const isFundCommand = (command: { readonly type: string }): command is FundCommand => Object.hasOwn(FUND_COMMANDS, command.type);
