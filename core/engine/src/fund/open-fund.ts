/** Makes a fund of an empty account, with the shares of its leader. */
import { millis, NO_ATOMS, type AccountId, type Millis } from '@orrery/units';
import { type CommandRejected, type Event, type OpenFund, type SetFundCapacity } from '@orrery/protocol';
import {
  AMOUNT_MAX,
  CLAIM,
  FUND_VALUATION_MS,
  fundLeaderMin,
  FUNDS_MAX,
  intervalOf,
  missingMoney,
  moneyBeyond,
  monthOf,
  navOf,
  POINTS,
  reject,
  rejectBeyond,
} from '@orrery/rules';
import type { Fund } from '../funds/funds.ts';
import { refuseFundAccount } from '../funds/refuse-fund.ts';
import { totalOf } from '../funds/worth.ts';
import { refusePractice } from '../instruments/refuse-practice.ts';
import { isInUse } from '../instruments/set-practice-asset.ts';
import { pay } from '../ledger/movements.ts';
import { checkAmount, checkTerms } from '../money/check-money.ts';
import { fundingOf } from './cash.ts';
import type { FundState } from './fund-state.ts';
import { assertFund, issueShares } from './shares.ts';

export function openFund(state: FundState, command: OpenFund, at: Millis): Event[] {
  if (state.rules < 9) return [reject('RulesTooOld')];
  const { fund: id, account, leader, asset, amount, capacity } = command;
  const before = state.funds.get(id);
  if (before?.account === account && before.leader === leader && before.asset === asset)
    return [{ type: 'CommandRepeated', key: `fund ${id}` }];
  const refusal = refuse(state, command);
  if (refusal !== undefined) return [refusal];
  // After this point nothing fails.
  const nav = navOf({ worth: amount, shares: amount });
  const fund: Fund = {
    fund: id,
    account,
    leader,
    asset,
    capacity,
    shares: NO_ATOMS,
    nav,
    worth: amount,
    valuedAt: intervalOf(at, FUND_VALUATION_MS),
    month: monthOf(at),
    silent: 0,
    isLiquidated: false,
    end: undefined,
    closingSince: millis(0),
    roundAt: millis(0),
    work: undefined,
    holders: [],
    subscriptions: [],
    redemptions: [],
    waiting: new Map(),
    queued: NO_ATOMS,
  };
  state.funds.add(fund);
  pay(state.ledger, fundingOf(state, fund, leader), fundingOf(state, fund, account), amount);
  issueShares(state, fund, { account: leader, shares: amount, nav, lockedUntil: at });
  assertFund(state, fund);
  return [{ type: 'FundOpened', fund: id, account, leader, asset, capacity, amount, shares: amount }];
}

function refuse(state: FundState, command: OpenFund): CommandRejected | undefined {
  const { fund, account, leader, asset: settle, amount, capacity } = command;
  const malformed =
    refusePractice(state, settle) ??
    checkAmount(amount) ??
    (capacity < amount || capacity > AMOUNT_MAX ? reject('InvalidField', 'capacity') : undefined) ??
    (account === leader ? reject('InvalidCombination', 'leader') : undefined);
  if (malformed !== undefined) return malformed;
  const asset = state.assets.get(settle);
  const shares = state.assets.get(fund);
  if (asset === undefined) return reject('UnknownAsset', 'asset');
  if (shares === undefined) return reject('UnknownAsset', 'fund');
  if (!state.accounts.has(account)) return reject('UnknownAccount', 'account');
  if (!state.accounts.has(leader)) return reject('UnknownAccount', 'leader');
  const least = fundLeaderMin(asset);
  if (asset.kind !== 'chain') return reject('InvalidField', 'asset');
  if (shares.kind !== 'internal' || shares.decimals !== asset.decimals || [POINTS, CLAIM].includes(shares.code))
    return reject('InvalidField', 'fund');
  if (amount < least) return rejectBeyond('SubscriptionTooSmall', 'amount', moneyBeyond(settle, { asked: amount, limit: least }));
  if (state.funds.shares.has(fund) || isInUse(state, fund) || state.practiceAssets.has(fund)) return reject('AlreadyRegistered', 'fund');
  return refuseAccounts(state, command);
}

function refuseAccounts(state: FundState, { account, leader, asset, amount }: OpenFund): CommandRejected | undefined {
  const { accounts, ledger } = state;
  if (accounts.is(account, 'blocked')) return reject('AccountBlocked', 'account');
  if (accounts.is(leader, 'blocked')) return reject('AccountBlocked', 'leader');
  const refusal = checkTerms(state, leader) ?? refuseFundAccount(state, account) ?? refuseFundAccount(state, leader, 'leader');
  if (refusal !== undefined) return refusal;
  if (state.money.hasOrphan(leader)) return reject('DepositInSuspense', 'leader');
  if (state.funds.size >= FUNDS_MAX) return reject('TooManyFunds');
  if (isUsed(state, account)) return reject('FundAccountInUse', 'account');
  const free = ledger.free(ledger.of(leader, 'funding', asset));
  return free >= amount
    ? undefined
    : rejectBeyond('InsufficientBalance', 'amount', missingMoney(asset, { needed: amount, available: free }));
}

/** Whether an account has anything, or is one of the exchange. */
function isUsed(state: FundState, account: AccountId): boolean {
  const { positions, orders, liquidations, timers } = state;
  if (isAtDesk(state, account)) return true;
  if (liquidations.liquidator === account || orders.ofAccounts.of(account).length > 0 || timers.twaps.of(account).length > 0) return true;
  if (positions.known(account)?.exposures.some(({ rows }) => rows.some((row) => row !== undefined && row.size !== 0)) === true) return true;
  return [...state.assets.keys()].some((asset) => totalOf(state, account, asset) !== NO_ATOMS);
}

/** Whether the OTC desk may still pay an account something: for an order that has ended, too. */
function isAtDesk({ otc }: FundState, account: AccountId): boolean {
  if (otc.deposit(account) !== undefined || otc.people.open(account).advertisements > 0) return true;
  for (const { terms } of otc.orders()) if (terms.buyer === account || terms.seller === account) return true;
  return false;
}

export function setFundCapacity(state: FundState, { fund: id, capacity }: SetFundCapacity): Event[] {
  if (state.rules < 9) return [reject('RulesTooOld')];
  if (capacity < NO_ATOMS || capacity > AMOUNT_MAX) return [reject('InvalidField', 'capacity')];
  const fund = state.funds.get(id);
  if (fund === undefined) return [reject('UnknownFund', 'fund')];
  // After this point nothing fails.
  fund.capacity = capacity;
  return [{ type: 'FundCapacitySet', fund: id, capacity }];
}
