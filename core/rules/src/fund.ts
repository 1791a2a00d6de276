/** What holds of quanto funds: their terms, the price of a share, and the performance fee. Money in atoms of the settle asset, shares in atoms of theirs. */
import { addAtoms, atoms, divCeil, divFloor, millis, NO_ATOMS, ppm, subtractAtoms, type Atoms, type Millis } from '@orrery/units';
import type { Asset } from '@orrery/protocol';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** A fund is valued at whole intervals of this. */
export const FUND_VALUATION_MS = 10 * MINUTE_MS;
/** While it closes it takes its steps at whole intervals of this. */
export const FUND_CLOSING_MS = MINUTE_MS;
/** The mark lags the index: what comes later than this before a valuation waits for the one after it. */
export const FUND_CUTOFF_MS = MINUTE_MS;
/** Shares are redeemed no sooner than this after the last subscription of their holder. */
export const FUND_LOCK_MS = DAY_MS;
/** A redemption that waits longer is paid in parts as cash comes, and nothing is sold for it any more. */
export const FUND_REDUCING_MS = DAY_MS;
/** A fund whose account gives no command for this long closes. */
export const FUND_SILENCE_MS = 60 * MINUTE_MS;
/** A fund that closes and cannot sell everything pays its free cash to its holders this long after it began to close, and again no sooner than this after each such round. */
export const FUND_ROUND_MS = DAY_MS;
/** Coins that a fund which closes for this long could not sell, and that are worth less than a round, hold back its end no more: they stay in its account. */
export const FUND_UNSOLD_MS = 30 * DAY_MS;
/** How far from the mark a fund sells for redemptions, and in the first day of its closing. */
export const FUND_SLIPPAGE_PPM = ppm(5_000);
/** What is above the high-water mark of a holder is shared with the leader. */
export const FUND_FEE_PPM = 100_000n;
/** The leader has at least a share in this number. */
export const FUND_LEADER_PARTS = 20n;
/** The notional of all contracts, in worths of the fund. */
export const FUND_LEVERAGE_MAX = 3n;
/** The notional of one contract, in percent of the worth of the fund. */
export const FUND_CONTRACT_PERCENT_MAX = 40n;
/** Funds that are open or close at once. */
export const FUNDS_MAX = 64;
/** Requests of one account that wait in one fund. */
export const FUND_REQUESTS_PER_ACCOUNT = 200;
/** Requests that wait in one fund. */
export const FUND_REQUESTS_MAX = 100_000;

const LEADER_UNITS_MIN = 1_000n;
const ROUND_UNITS_MIN = 10n;
const SUBSCRIPTION_UNITS_MIN = 10n;

/** What a leader pays at least. */
export const fundLeaderMin = (asset: Pick<Asset, 'decimals'>): Atoms => atoms(LEADER_UNITS_MIN * oneUnit(asset));
export const fundSubscriptionMin = (asset: Pick<Asset, 'decimals'>): Atoms => atoms(SUBSCRIPTION_UNITS_MIN * oneUnit(asset));
/** Less cash than this is worth no round of a closing fund. */
export const fundRoundMin = (asset: Pick<Asset, 'decimals'>): Atoms => atoms(ROUND_UNITS_MIN * oneUnit(asset));

const oneUnit = ({ decimals }: Pick<Asset, 'decimals'>): bigint => 10n ** BigInt(decimals);

/** What a fund is worth, and by how many shares: the price of a share, exact. */
export interface SharePrice {
  /** Settle atoms, above zero. */
  readonly worth: Atoms;
  /** Atoms of all shares, above zero. */
  readonly shares: Atoms;
}

/** A NAV is of this number of atoms of shares, so that it has nine digits more than the money. */
const NAV_SHARES = 1_000_000_000n;

/** Settle atoms of 1,000,000,000 atoms of shares, rounded down. */
export const navOf = ({ worth, shares }: SharePrice): Atoms => atoms(divFloor(worth * NAV_SHARES, shares));

/** What shares are worth at a NAV, rounded down: for what is shown and compared. */
export const worthAtNav = (shares: Atoms, nav: Atoms): Atoms => atoms(divFloor(shares * nav, NAV_SHARES));

/** The shares that are given for money: rounded down. */
export const sharesFor = (amount: Atoms, { worth, shares }: SharePrice): Atoms => atoms(divFloor(amount * shares, worth));

/** The money that is paid for shares: rounded down. */
export const paidFor = (redeemed: Atoms, { worth, shares }: SharePrice): Atoms => atoms(divFloor(redeemed * worth, shares));

/** The performance fee on shares, in shares: the leader's part of what the NAV is above a high-water mark, rounded up. At most `shares`. */
export function feeShares(shares: Atoms, nav: Atoms, highWaterMark: Atoms): Atoms {
  if (nav <= highWaterMark || shares <= NO_ATOMS) return NO_ATOMS;
  return atoms(divCeil(shares * (nav - highWaterMark) * FUND_FEE_PPM, nav * 1_000_000n));
}

/** The high-water mark of shares that a round of a closing fund has paid something for and that stay: lower by what was paid a share, rounded down, and not below zero. */
export function markAfterRound(highWaterMark: Atoms, paid: SharePrice): Atoms {
  const left = subtractAtoms(highWaterMark, navOf(paid));
  return left > NO_ATOMS ? left : NO_ATOMS;
}

interface Marked {
  readonly shares: Atoms;
  readonly highWaterMark: Atoms;
}

/** The high-water mark of the shares of a holder once it has more: the average by shares, rounded down. */
export function markWith(before: Marked, added: Marked): Atoms {
  const shares = addAtoms(before.shares, added.shares);
  return atoms(divFloor(before.shares * before.highWaterMark + added.shares * added.highWaterMark, shares));
}

/** The shares that all others may have more, while the leader has its part. */
export const roomBesideLeader = (leader: Atoms, shares: Atoms): Atoms => atoms(leader * FUND_LEADER_PARTS - shares);

/** Whether the leader has its part. */
export const hasLeaderPart = (leader: Atoms, shares: Atoms): boolean => roomBesideLeader(leader, shares) >= NO_ATOMS;

/** When the interval of a time began. @param period in milliseconds */
export const intervalOf = (at: Millis, period: number): Millis => millis(at - (at % period));

/** The earliest valuation that executes what comes at a time. */
export const valuationFor = (at: Millis): Millis => millis(Math.ceil((at + FUND_CUTOFF_MS) / FUND_VALUATION_MS) * FUND_VALUATION_MS);

/** The UTC month of a time, counted from January 1970. */
export function monthOf(at: Millis): number {
  // Days from 1 March of year 0: the leap day is the last one of a year then.
  const days = Math.floor(at / DAY_MS) + 719_468;
  const era = Math.floor(days / 146_097);
  const day = days - era * 146_097;
  const year = Math.floor((day - Math.floor(day / 1_460) + Math.floor(day / 36_524) - Math.floor(day / 146_096)) / 365);
  const dayOfYear = day - (365 * year + Math.floor(year / 4) - Math.floor(year / 100));
  const fromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  return (era * 400 + year - 1_970) * 12 + fromMarch + 2;
}
