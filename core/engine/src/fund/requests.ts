/** Subscriptions and redemptions: they wait for the next valuation, so that nobody buys or sells at a price that is known already. */
import { addAtoms, NO_ATOMS, subtractAtoms, type AccountId, type AssetId, type Atoms, type Millis } from '@orrery/units';
import type { CommandRejected, Event, RedeemFromFund, SubscribeToFund } from '@orrery/protocol';
import {
  countBeyond,
  FUND_REQUESTS_MAX,
  FUND_REQUESTS_PER_ACCOUNT,
  fundLeaderMin,
  fundSubscriptionMin,
  hasLeaderPart,
  missingMoney,
  moneyBeyond,
  paidFor,
  reject,
  rejectBeyond,
  roomBesideLeader,
  sharesFor,
  valuationFor,
  worthAtNav,
} from '@orrery/rules';
import { enqueueRedemption, enqueueSubscription, holderOf, type Fund } from '../funds/funds.ts';
import { refuseFundAccount } from '../funds/refuse-fund.ts';
import { hold, pay } from '../ledger/movements.ts';
import { checkAmount, checkKey } from '../money/check-money.ts';
import { bodyOf, memoryOf, type Keyed } from '../money/money-records.ts';
import { refuseTrader } from '../orders/refuse-order.ts';
import { fundingOf } from './cash.ts';
import type { FundState } from './fund-state.ts';
import { assertFund, sharesOf } from './shares.ts';

interface Request {
  readonly fund: AssetId;
  readonly account: AccountId;
  readonly key: string;
  readonly keyField: string;
  readonly amount: Atoms;
}

export function subscribeToFund(state: FundState, { fund: id, account, subscriptionId, amount }: SubscribeToFund, at: Millis): Event[] {
  const found = findFund(state, 'subscription', { fund: id, account, key: subscriptionId, keyField: 'subscriptionId', amount });
  if ('type' in found) return [found];
  const refusal = refuseSubscription(state, found, account, amount);
  if (refusal !== undefined) return [refusal];
  // After this point nothing fails.
  const interval = valuationFor(at);
  state.money.remember('subscription', bodyOf(account, subscriptionId), bodyOf(id, amount));
  pay(state.ledger, fundingOf(state, found, account), state.ledger.system('FUND_QUEUE', found.asset), amount);
  enqueueSubscription(found, { account, subscriptionId, amount, interval });
  assertFund(state, found);
  return [{ type: 'FundSubscriptionQueued', fund: id, account, subscriptionId, amount, interval, asset: found.asset }];
}

export function redeemFromFund(state: FundState, { fund: id, account, redemptionId, shares }: RedeemFromFund, at: Millis): Event[] {
  const found = findFund(state, 'redemption', { fund: id, account, key: redemptionId, keyField: 'redemptionId', amount: shares });
  if ('type' in found) return [found];
  const refusal = refuseRedemption(state, found, account, shares, at);
  if (refusal !== undefined) return [refusal];
  // After this point nothing fails.
  const interval = valuationFor(at);
  state.money.remember('redemption', bodyOf(account, redemptionId), bodyOf(id, shares));
  hold(state.ledger, sharesOf(state, found, account), 'withdrawalHold', shares);
  enqueueRedemption(found, { account, redemptionId, shares, interval });
  assertFund(state, found);
  return [{ type: 'FundRedemptionQueued', fund: id, account, redemptionId, shares, interval }];
}

/** The open fund of a request; or why there is none, which is an answer too when the request came before. */
function findFund(state: FundState, kind: Keyed, { fund, account, key, keyField, amount }: Request): Fund | Event {
  if (state.rules < 9) return reject('RulesTooOld');
  const memory = memoryOf(state.money.bodies(kind), bodyOf(account, key), bodyOf(fund, amount));
  if (memory === 'same') return { type: 'CommandRepeated', key };
  const malformed = checkKey(key, keyField) ?? checkAmount(amount);
  if (malformed !== undefined) return malformed;
  const found = state.funds.get(fund);
  if (found === undefined) return reject('UnknownFund', 'fund');
  const refusal = refuseTrader(state, account) ?? refuseFundAccount(state, account);
  if (refusal !== undefined) return refusal;
  if (found.end !== undefined) return reject('FundNotOpen', 'fund');
  return memory === 'other' ? reject('KeyConflict', keyField) : (refuseMore(found, account) ?? found);
}

function refuseMore({ waiting, subscriptions, redemptions }: Fund, account: AccountId): CommandRejected | undefined {
  const own = waiting.get(account) ?? 0;
  const all = subscriptions.length + redemptions.length;
  if (own >= FUND_REQUESTS_PER_ACCOUNT) return tooMany(FUND_REQUESTS_PER_ACCOUNT);
  return all >= FUND_REQUESTS_MAX ? tooMany(FUND_REQUESTS_MAX) : undefined;
}

const tooMany = (limit: number): CommandRejected => rejectBeyond('TooManyFundRequests', '', countBeyond({ asked: limit + 1, limit }));

function refuseSubscription(state: FundState, fund: Fund, account: AccountId, amount: Atoms): CommandRejected | undefined {
  const { asset, capacity, worth, queued } = fund;
  const terms = state.assets.get(asset);
  const least = terms === undefined ? amount : fundSubscriptionMin(terms);
  if (amount < least) return rejectBeyond('SubscriptionTooSmall', 'amount', moneyBeyond(asset, { asked: amount, limit: least }));
  // What leaves the account must not be money whose deposit is gone.
  if (state.money.hasOrphan(account)) return reject('DepositInSuspense', 'account');
  const inCapacity = capacity - worth - queued;
  const besideLeader = account === fund.leader ? inCapacity : roomOfLeader(state, fund) - queued;
  const room = inCapacity < besideLeader ? inCapacity : besideLeader;
  if (amount > room) return rejectBeyond('FundFull', 'amount', { unit: 'atoms', id: asset, asked: amount, limit: room > 0n ? room : 0n });
  const free = state.ledger.free(fundingOf(state, fund, account));
  return free >= amount
    ? undefined
    : rejectBeyond('InsufficientBalance', 'amount', missingMoney(asset, { needed: amount, available: free }));
}

/** Settle atoms from 0, at the last price, that bring the leader to its part, with what it has queued itself and without what it redeems. */
function roomOfLeader(state: FundState, fund: Fund): Atoms {
  const { leader, waiting, subscriptions } = fund;
  const ofLeader = waiting.has(leader) ? subscriptions.filter(({ account }) => account === leader) : [];
  const own = ofLeader.reduce((sum, { amount }) => addAtoms(sum, amount), NO_ATOMS);
  const kept = addAtoms(state.ledger.free(sharesOf(state, fund, leader)), sharesFor(own, fund));
  // Below zero while shares wait that the leader redeems: all others are more than they will be.
  const room = roomBesideLeader(kept, fund.shares);
  return room > NO_ATOMS ? paidFor(room, fund) : NO_ATOMS;
}

function refuseRedemption(state: FundState, fund: Fund, account: AccountId, shares: Atoms, at: Millis): CommandRejected | undefined {
  const holder = holderOf(fund, account);
  if (holder !== undefined && at < holder.lockedUntil) return reject('SharesLocked', 'shares');
  const free = state.ledger.free(sharesOf(state, fund, account));
  if (free < shares) return rejectBeyond('InsufficientBalance', 'shares', missingMoney(fund.fund, { needed: shares, available: free }));
  return account === fund.leader ? refuseLeader(state, fund, subtractAtoms(free, shares), shares) : undefined;
}

/** The leader keeps its part, and the least that it had to pay. @param kept shares that it would have free */
function refuseLeader({ assets }: FundState, fund: Fund, kept: Atoms, shares: Atoms): CommandRejected | undefined {
  const terms = assets.get(fund.asset);
  const hasLeast = terms !== undefined && worthAtNav(kept, fund.nav) >= fundLeaderMin(terms);
  return hasLeast && hasLeaderPart(kept, subtractAtoms(fund.shares, shares)) ? undefined : reject('LeaderShareTooSmall', 'shares');
}
