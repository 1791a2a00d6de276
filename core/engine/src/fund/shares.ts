/** The shares of a fund: issued by EXTERNAL against money, and gone when they are paid for. */
import { addAtoms, assert, NO_ATOMS, subtractAtoms, type AccountId, type Atoms, type Millis } from '@orrery/units';
import { hasLeaderPart, markWith } from '@orrery/rules';
import { holderOf, knownHolder, removeHolder, setHolder, type Fund, type FundHolder } from '../funds/funds.ts';
import type { Balance } from '../ledger/balance.ts';
import { pay, release } from '../ledger/movements.ts';
import type { FundState } from './fund-state.ts';

export const sharesOf = ({ ledger }: FundState, { fund }: Fund, account: AccountId): Balance => ledger.of(account, 'funding', fund);

/** Free and held. */
export function sharesHeldBy(state: FundState, fund: Fund, account: AccountId): Atoms {
  const balance = sharesOf(state, fund, account);
  return addAtoms(state.ledger.free(balance), state.ledger.held(balance));
}

interface Issue {
  readonly account: AccountId;
  readonly shares: Atoms;
  readonly nav: Atoms;
  readonly lockedUntil: Millis;
}

export function issueShares(state: FundState, fund: Fund, { account, shares, nav, lockedUntil }: Issue): FundHolder {
  const { ledger } = state;
  const before = holderOf(fund, account);
  const held = sharesHeldBy(state, fund, account);
  const highWaterMark =
    before === undefined ? nav : markWith({ shares: held, highWaterMark: before.highWaterMark }, { shares, highWaterMark: nav });
  const holder: FundHolder = { account, highWaterMark, lockedUntil };
  setHolder(fund, holder);
  pay(ledger, ledger.system('EXTERNAL', fund.fund), sharesOf(state, fund, account), shares);
  fund.shares = addAtoms(fund.shares, shares);
  return holder;
}

/** Free shares are gone: they are paid for. */
export function burnShares(state: FundState, fund: Fund, account: AccountId, shares: Atoms): void {
  const { ledger } = state;
  pay(ledger, sharesOf(state, fund, account), ledger.system('EXTERNAL', fund.fund), shares);
  fund.shares = subtractAtoms(fund.shares, shares);
  forgetEmpty(state, fund, account);
}

/** Gives free shares of a holder to the leader, as performance fee. The leader has no mark to lose: it pays no fee. */
export function giveFee(state: FundState, fund: Fund, account: AccountId, shares: Atoms): void {
  if (shares === NO_ATOMS) return;
  pay(state.ledger, sharesOf(state, fund, account), sharesOf(state, fund, fund.leader), shares);
  forgetEmpty(state, fund, account);
}

/** Shares of a redemption wait no longer. */
export function releaseShares(state: FundState, fund: Fund, account: AccountId, shares: Atoms): void {
  release(state.ledger, sharesOf(state, fund, account), 'withdrawalHold', shares);
}

function forgetEmpty(state: FundState, fund: Fund, account: AccountId): void {
  if (account !== fund.leader && sharesHeldBy(state, fund, account) === NO_ATOMS) removeHolder(fund, account);
}

export const markOf = (fund: Fund, account: AccountId): Atoms => knownHolder(fund, account).highWaterMark;

/** What holds of a fund after each of its commands. */
export function assertFund(state: FundState, fund: Fund): void {
  const { ledger } = state;
  assert(
    subtractAtoms(NO_ATOMS, ledger.free(ledger.system('EXTERNAL', fund.fund))) === fund.shares,
    'Q1: every share of a fund is counted',
  );
  const queue = ledger.system('FUND_QUEUE', fund.asset);
  assert(ledger.free(queue) === state.funds.queuedOf(fund.asset), 'Q2: what waits to be subscribed lies in the queue');
  const hasPart = fund.end !== undefined || hasLeaderPart(sharesHeldBy(state, fund, fund.leader), fund.shares);
  assert(hasPart, 'Q3: the leader has its part while the fund is open');
}
