/** What a valuation does for those who wait, one request a step: at its price, rounded against the one who moves. */
import {
  addAtoms,
  assert,
  atoms,
  divFloor,
  minAtoms,
  millis,
  NO_ATOMS,
  subtractAtoms,
  type AccountId,
  type AssetId,
  type Atoms,
} from '@orrery/units';
import type { RedemptionEnd, SubscriptionEnd } from '@orrery/protocol';
import { FUND_LOCK_MS, FUND_REDUCING_MS, feeShares, hasLeaderPart, navOf, paidFor, sharesFor, type SharePrice } from '@orrery/rules';
import {
  placeOf,
  setHolder,
  takeRedemption,
  takeSubscription,
  type Fund,
  type FundHolder,
  type FundRedemption,
  type FundSubscription,
  type FundWork,
} from '../funds/funds.ts';
import { pay } from '../ledger/movements.ts';
import { freeCash, fundingOf, payFromFund } from './cash.ts';
import type { FundScope } from './fund-state.ts';
import { burnShares, giveFee, issueShares, markOf, releaseShares, sharesHeldBy, sharesOf } from './shares.ts';

/** @returns whether there was one */
export function executeSubscription(scope: FundScope, work: FundWork): boolean {
  const { state, fund, at, events } = scope;
  const [first] = fund.subscriptions;
  if (first === undefined || first.interval > work.interval) return false;
  const { account, subscriptionId, amount } = first;
  const shares = sharesFor(amount, work);
  const reason = refusalOf(scope, first, shares);
  if (reason !== undefined) {
    returnSubscription(scope, reason);
    return true;
  }
  takeSubscription(fund);
  pay(state.ledger, state.ledger.system('FUND_QUEUE', fund.asset), fundingOf(state, fund, fund.account), amount);
  fund.worth = addAtoms(fund.worth, amount);
  const nav = navOf(work);
  assertNotDiluted(work, { paid: amount, shares });
  const { highWaterMark, lockedUntil } = issueShares(state, fund, { account, shares, nav, lockedUntil: millis(at + FUND_LOCK_MS) });
  events.push({
    type: 'FundSubscribed',
    fund: fund.fund,
    account,
    subscriptionId,
    amount,
    shares,
    nav,
    highWaterMark,
    lockedUntil,
    ...paidBy(fund),
  });
  return true;
}

function refusalOf({ state, fund }: FundScope, { account, amount }: FundSubscription, shares: Atoms): SubscriptionEnd | undefined {
  if (shares === NO_ATOMS) return 'tooSmall';
  if (addAtoms(fund.worth, amount) > fund.capacity) return 'capacity';
  if (account === fund.leader || hasLeaderPart(sharesHeldBy(state, fund, fund.leader), addAtoms(fund.shares, shares))) return undefined;
  return 'leaderShare';
}

/** Pays the first one back. */
export function returnSubscription({ state, fund, events }: FundScope, reason: SubscriptionEnd): void {
  const [first] = fund.subscriptions;
  assert(first !== undefined, 'a subscription that is returned has waited');
  const { account, subscriptionId, amount } = first;
  takeSubscription(fund);
  pay(state.ledger, state.ledger.system('FUND_QUEUE', fund.asset), fundingOf(state, fund, account), amount);
  events.push({ type: 'FundSubscriptionReturned', fund: fund.fund, account, subscriptionId, amount, reason, asset: fund.asset });
}

/** Whether a redemption waits that a valuation executes. */
export const isRedemptionDue = ({ fund: { redemptions } }: FundScope, { interval }: FundWork): boolean =>
  redemptions[0] !== undefined && redemptions[0].interval <= interval;

/** @returns false when there is none, or not enough cash for the first one: those behind it wait too */
export function executeRedemption(scope: FundScope, work: FundWork): boolean {
  const { state, fund } = scope;
  const [first] = fund.redemptions;
  if (first === undefined || first.interval > work.interval) return false;
  const { account, shares } = first;
  const kept = subtractAtoms(sharesHeldBy(state, fund, account), shares);
  if (account === fund.leader && !hasLeaderPart(kept, subtractAtoms(fund.shares, shares))) {
    returnRedemption(scope, 'leaderShare');
    return true;
  }
  const cash = freeCash(scope);
  const all = priceOf(scope, work, first, shares);
  if (all.amount <= cash) {
    payRedemption(scope, work, first, all);
    return true;
  }
  if (work.interval < first.interval + FUND_REDUCING_MS) return false;
  // In parts as cash comes: what the cash pays without a fee it pays with one.
  const part = minAtoms(shares, atoms(divFloor(cash * work.shares, work.worth)));
  if (part > NO_ATOMS && part < shares) payRedemption(scope, work, first, priceOf(scope, work, first, part));
  return false;
}

/** Where the money of a fund comes from and goes to. */
export const paidBy = ({ asset, account: fundAccount }: Fund): { asset: AssetId; fundAccount: AccountId } => ({ asset, fundAccount });

interface Redeemed {
  readonly shares: Atoms;
  readonly fee: Atoms;
  readonly amount: Atoms;
}

function priceOf({ fund }: FundScope, work: SharePrice, { account }: FundRedemption, shares: Atoms): Redeemed {
  const fee = account === fund.leader ? NO_ATOMS : feeShares(shares, navOf(work), markOf(fund, account));
  return { shares, fee, amount: paidFor(subtractAtoms(shares, fee), work) };
}

function payRedemption(scope: FundScope, work: FundWork, first: FundRedemption, { shares, fee, amount }: Redeemed): void {
  const { state, fund, events } = scope;
  const { account, redemptionId } = first;
  releaseShares(state, fund, account, shares);
  giveFee(state, fund, account, fee);
  assertNotDiluted(work, { paid: subtractAtoms(NO_ATOMS, amount), shares: subtractAtoms(fee, shares) });
  payFromFund(scope, account, amount);
  burnShares(state, fund, account, subtractAtoms(shares, fee));
  fund.worth = subtractAtoms(fund.worth, amount);
  first.shares = subtractAtoms(first.shares, shares);
  if (first.shares === NO_ATOMS) takeRedemption(fund);
  events.push({
    type: 'FundRedeemed',
    fund: fund.fund,
    account,
    redemptionId,
    shares,
    fee,
    amount,
    nav: navOf(work),
    left: first.shares,
    ...paidBy(fund),
    leader: fund.leader,
  });
}

/** Gives the shares of the first one back. */
export function returnRedemption({ state, fund, events }: FundScope, reason: RedemptionEnd): void {
  const [first] = fund.redemptions;
  assert(first !== undefined, 'a redemption that is returned has waited');
  const { account, redemptionId, shares } = first;
  takeRedemption(fund);
  releaseShares(state, fund, account, shares);
  events.push({ type: 'FundRedemptionReturned', fund: fund.fund, account, redemptionId, shares, reason });
}

/** Q4: a subscription or a redemption moves the NAV of the others by its rounding alone, and never down. @param change what is paid in, and the shares that are issued */
function assertNotDiluted({ worth, shares }: SharePrice, change: { readonly paid: Atoms; readonly shares: Atoms }): void {
  const moved = change.paid * shares - change.shares * worth;
  assert(moved >= 0n && moved < (worth > shares ? worth : shares), 'Q4: who moves pays for the rounding, and for no more');
}

/** The fee of a month of the next holder. @returns the place to go on from; undefined when there is no other */
export function takeMonthlyFee({ state, fund, events }: FundScope, work: FundWork): number | undefined {
  const holder = fund.holders[placeOf(fund.holders, work.next)];
  if (holder === undefined) return undefined;
  const { account } = holder;
  const nav = navOf(work);
  const fee = account === fund.leader ? NO_ATOMS : feeShares(sharesHeldBy(state, fund, account), nav, holder.highWaterMark);
  // A holder that redeems nearly everything pays the fee with the redemption.
  if (fee > NO_ATOMS && fee <= state.ledger.free(sharesOf(state, fund, account))) {
    const marked: FundHolder = { ...holder, highWaterMark: nav };
    setHolder(fund, marked);
    giveFee(state, fund, account, fee);
    events.push({ type: 'FundFeeTaken', fund: fund.fund, account, shares: fee, nav, leader: fund.leader });
  }
  return account + 1;
}
