/**
 * The end of a fund: what waits is given back, every holder is paid by its shares, the leader last, and the account is one like any other. While something finds no buyer the
 * cash that is free is paid in rounds.
 */
import { assert, NO_ATOMS, subtractAtoms, type AccountId, type Atoms } from '@orrery/units';
import { FUND_ROUND_MS, feeShares, fundRoundMin, markAfterRound, navOf, paidFor } from '@orrery/rules';
import { placeOf, type FundWork } from '../funds/funds.ts';
import { pay } from '../ledger/movements.ts';
import { creditSuspended } from '../money/credit-suspended.ts';
import { freeCash, fundingOf } from './cash.ts';
import { paidBy, returnRedemption, returnSubscription } from './execute.ts';
import type { FundScope } from './fund-state.ts';
import { burnShares, giveFee, sharesHeldBy } from './shares.ts';

/** @returns whether there was one */
export function returnNext(scope: FundScope): boolean {
  const { fund } = scope;
  if (fund.subscriptions.length > 0) returnSubscription(scope, 'closing');
  else if (fund.redemptions.length > 0) returnRedemption(scope, 'closing');
  else return false;
  return true;
}

/** @returns the account to go on from; undefined when everybody but the leader is paid */
export function payNextHolder(scope: FundScope, work: FundWork): number | undefined {
  const { state, fund } = scope;
  const holder = fund.holders[placeOf(fund.holders, work.next)];
  if (holder === undefined) return undefined;
  const { account, highWaterMark } = holder;
  if (account !== fund.leader) {
    const shares = sharesHeldBy(state, fund, account);
    const nav = navOf(work);
    payOut(scope, work, account, feeShares(shares, nav, highWaterMark));
  }
  return account + 1;
}

function payOut({ state, fund, events }: FundScope, work: FundWork, account: AccountId, fee: Atoms): void {
  const shares = sharesHeldBy(state, fund, account);
  const paid = subtractAtoms(shares, fee);
  const amount = paidFor(paid, work);
  giveFee(state, fund, account, fee);
  burnShares(state, fund, account, paid);
  pay(state.ledger, fundingOf(state, fund, fund.account), fundingOf(state, fund, account), amount);
  events.push({ type: 'FundPaidOut', fund: fund.fund, account, shares, fee, amount, ...paidBy(fund), leader: fund.leader });
}

/** Whether the fund has waited for a round, and its cash is worth one. */
export function isRoundDue(scope: FundScope): boolean {
  const { state, fund, at } = scope;
  if (at < fund.roundAt + FUND_ROUND_MS) return false;
  const asset = state.assets.get(fund.asset);
  return asset !== undefined && freeCash(scope) >= fundRoundMin(asset);
}

/**
 * Pays the next holder its part of a round, whose cash lies in the funding wallet. The shares stay, for what is sold later. There is no fee: what is paid lowers the mark,
 * so that the last payment bears the fee of what all of them are above the cost.
 *
 * @returns the account to go on from; undefined when everybody is paid
 */
export function payNextOfRound({ state, fund, events }: FundScope, work: FundWork): number | undefined {
  const holder = fund.holders[placeOf(fund.holders, work.next)];
  if (holder === undefined) return undefined;
  const { account, highWaterMark } = holder;
  const shares = sharesHeldBy(state, fund, account);
  const amount = paidFor(shares, work);
  pay(state.ledger, fundingOf(state, fund, fund.account), fundingOf(state, fund, account), amount);
  holder.highWaterMark = markAfterRound(highWaterMark, { worth: amount, shares });
  const none = { shares: NO_ATOMS, fee: NO_ATOMS };
  events.push({ type: 'FundPaidOut', fund: fund.fund, account, ...none, amount, ...paidBy(fund), leader: fund.leader });
  return account + 1;
}

export function finishClosing(scope: FundScope, work: FundWork): void {
  const { state, fund, events } = scope;
  const { ledger } = state;
  const holders = BigInt(work.next);
  payOut(scope, work, fund.leader, NO_ATOMS);
  assert(fund.shares === NO_ATOMS, 'Q5: a fund that has ended has no shares');
  const funding = fundingOf(state, fund, fund.account);
  const dust = ledger.free(funding);
  assert(dust <= holders, 'Q5: rounding leaves an atom of a holder at most');
  pay(ledger, funding, ledger.system('DUST', fund.asset), dust);
  state.funds.remove(fund);
  fund.work = undefined;
  const reason = fund.end;
  assert(reason !== undefined, 'a fund ends for a reason');
  events.push({
    type: 'FundEnded',
    fund: fund.fund,
    account: fund.account,
    reason,
    worth: work.worth,
    shares: work.shares,
    asset: fund.asset,
    dust,
  });
  // Deposits to its address waited: they were no subscriptions, and are the money of the account.
  if (!state.accounts.is(fund.account, 'blocked')) creditSuspended(state, fund.account, events);
}
