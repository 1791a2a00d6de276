/** Values a fund at the end of an interval, and does what waits for it: a bounded number of steps a command. */
import { NO_ATOMS, ppm, unreachable, type Millis } from '@orrery/units';
import type { CloseFund, Command, ContinueFund, Event, FundEnd, SendFundHeartbeat, ValueFund } from '@orrery/protocol';
import { FUND_CLOSING_MS, FUND_REDUCING_MS, FUND_SLIPPAGE_PPM, FUND_VALUATION_MS, intervalOf, monthOf, navOf, reject } from '@orrery/rules';
import { payFunding } from '../clearing/pay-funding.ts';
import { redeeming, type Fund, type FundWork } from '../funds/funds.ts';
import { worthOfFund } from '../funds/worth.ts';
import { executeRedemption, executeSubscription, isRedemptionDue, takeMonthlyFee } from './execute.ts';
import { finishClosing, isRoundDue, payNextHolder, payNextOfRound, returnNext } from './close-fund.ts';
import { gatherCash, gatherFreeCash } from './cash.ts';
import type { FundScope, FundState } from './fund-state.ts';
import { endFundActivity, isFlat, sellNext } from './sell.ts';
import { assertFund } from './shares.ts';

/** Requests that are executed, or holders that are looked at, within one command. */
const STEPS_PER_COMMAND = 64;
/** A sale may trade as an order does: it counts for more. */
const STEPS_PER_SALE = 16;
/** What comes after this many events is left to the next command. */
const EVENTS_PER_COMMAND = 2_000;

/** How far from the mark a fund sells that could not sell within a day. */
const LATE_SLIPPAGE_PPM = ppm(50_000);

/** How far apart the intervals of a fund are. */
export const periodOf = ({ end }: Fund): number => (end === undefined ? FUND_VALUATION_MS : FUND_CLOSING_MS);

export function valueFund(state: FundState, { fund: id, interval }: ValueFund, at: Millis): Event[] {
  if (state.rules < 9) return [reject('RulesTooOld')];
  const fund = state.funds.get(id);
  if (fund === undefined) return [reject('UnknownFund', 'fund')];
  if (interval <= fund.valuedAt) return [{ type: 'CommandRepeated', key: `fund ${id} ${interval}` }];
  const period = periodOf(fund);
  if (interval % period !== 0 || interval > at || interval + period <= at || fund.work !== undefined)
    return [reject('FundNotDue', 'interval')];
  // After this point nothing fails.
  const scope: FundScope = { state, trading: state, fund, at, events: [] };
  fund.valuedAt = interval;
  fund.silent += 1;
  payDueFunding(scope);
  const reason = fund.end ?? reasonToClose(scope);
  if (fund.end === undefined && reason !== undefined) beginClosing(scope, reason);
  if (fund.end !== undefined) fund.work = newWork('returning', interval, { worth: NO_ATOMS, shares: fund.shares });
  else value(scope, interval);
  return run(scope);
}

/** The next steps of what a valuation began. Without any, nothing changes and nothing is emitted. */
export function continueFund(state: FundState, { fund: id }: ContinueFund, at: Millis): Event[] {
  if (state.rules < 9) return [reject('RulesTooOld')];
  const fund = state.funds.get(id);
  if (fund === undefined) return [reject('UnknownFund', 'fund')];
  // After this point nothing fails.
  const scope: FundScope = { state, trading: state, fund, at, events: [] };
  if (fund.work === undefined) return [];
  payDueFunding(scope);
  return run(scope);
}

export function closeFund(state: FundState, { fund: id }: CloseFund, at: Millis): Event[] {
  if (state.rules < 9) return [reject('RulesTooOld')];
  const fund = state.funds.get(id);
  if (fund === undefined) return [reject('UnknownFund', 'fund')];
  if (fund.end !== undefined) return [{ type: 'CommandRepeated', key: `close ${id}` }];
  // After this point nothing fails.
  const scope: FundScope = { state, trading: state, fund, at, events: [] };
  beginClosing(scope, 'halted');
  return scope.events;
}

export function sendFundHeartbeat(state: FundState, { account }: SendFundHeartbeat): Event[] {
  if (state.rules < 9) return [reject('RulesTooOld')];
  const fund = state.funds.of(account);
  if (fund === undefined) return [reject('UnknownFund', 'account')];
  // After this point nothing fails.
  fund.silent = 0;
  return [{ type: 'FundHeartbeat', fund: fund.fund }];
}

/** The fund whose work goes on next: the first one by its id. */
export function fundLeft({ funds }: Pick<FundState, 'funds'>): Command | undefined {
  for (const { fund, work } of funds) if (work !== undefined) return { type: 'ContinueFund', fund };
  return undefined;
}

/** The fund whose interval ended. */
export function fundDue({ funds }: Pick<FundState, 'funds'>, at: Millis): Command | undefined {
  for (const fund of funds) {
    const interval = intervalOf(at, periodOf(fund));
    if (interval > fund.valuedAt && fund.work === undefined) return { type: 'ValueFund', fund: fund.fund, interval };
  }
  return undefined;
}

function payDueFunding({ state, fund, events }: FundScope): void {
  const holder = state.positions.known(fund.account);
  if (holder !== undefined) payFunding(state, holder, events);
}

/** In valuations: a manager that was silent for more of them was silent for an hour in which the exchange ran. */
const SILENT_MAX = 6;

function reasonToClose({ state, fund }: FundScope): FundEnd | undefined {
  if (fund.isLiquidated) return 'liquidated';
  if (state.accounts.is(fund.account, 'blocked')) return 'blocked';
  return fund.silent > SILENT_MAX ? 'silent' : undefined;
}

function beginClosing({ fund, at, events }: FundScope, reason: FundEnd): void {
  fund.end = reason;
  fund.closingSince = at;
  fund.roundAt = at;
  fund.work = undefined;
  events.push({ type: 'FundClosing', fund: fund.fund, reason });
}

const newWork = (phase: FundWork['phase'], interval: Millis, price: Pick<FundWork, 'worth' | 'shares'>): FundWork => ({
  phase,
  interval,
  ...price,
  next: 0,
});

function value(scope: FundScope, interval: Millis): void {
  const { state, fund, at, events } = scope;
  const { worth, cash, stale } = worthOfFund(state, fund, at);
  if (stale !== undefined) {
    events.push({ type: 'FundValuationMissed', fund: fund.fund, interval, market: stale });
    return;
  }
  const price = { worth, shares: fund.shares };
  fund.worth = worth;
  fund.nav = navOf(price);
  events.push({ type: 'FundValued', fund: fund.fund, interval, ...price, nav: fund.nav, cash });
  // At a price of nothing no share can be bought.
  if (fund.nav === NO_ATOMS) beginClosing(scope, 'worthless');
  else fund.work = newWork('subscriptions', interval, price);
}

function run(scope: FundScope): Event[] {
  const { fund, trading, events } = scope;
  for (let left = STEPS_PER_COMMAND; left > 0 && fund.work !== undefined;) {
    if (events.length > EVENTS_PER_COMMAND || trading.fills.isSpent) break;
    left -= isSale(fund.work) ? STEPS_PER_SALE : 1;
    step(scope, fund.work);
  }
  if (scope.state.funds.get(fund.fund) === fund) assertFund(scope.state, fund);
  return events;
}

const isSale = ({ phase }: FundWork): boolean => phase === 'selling' || phase === 'closing';

function step(scope: FundScope, work: FundWork): void {
  switch (work.phase) {
    case 'subscriptions':
      return executeSubscription(scope, work) ? undefined : enter(scope, work, 'redemptions');
    case 'redemptions':
      return executeRedemption(scope, work) ? undefined : enter(scope, work, 'fees');
    case 'fees':
      return takeFees(scope, work);
    case 'selling':
      return sellForRedemptions(scope, work);
    case 'closing':
      return closeEverything(scope, work);
    case 'returning':
      return returnNext(scope) ? undefined : enter(scope, work, 'closing');
    case 'paying':
      return payNext(scope, work);
    case 'round':
      return payRound(scope, work);
    default:
      return unreachable(work.phase);
  }
}

function enter({ fund }: FundScope, work: FundWork, phase: FundWork['phase']): void {
  fund.work = { ...work, phase, next: 0 };
}

function goOn({ fund }: FundScope, work: FundWork, next: number): void {
  fund.work = { ...work, next };
}

function takeFees(scope: FundScope, work: FundWork): void {
  const { fund } = scope;
  const month = monthOf(work.interval);
  const next = month === fund.month ? undefined : takeMonthlyFee(scope, work);
  if (next !== undefined) return goOn(scope, work, next);
  fund.month = month;
  enter(scope, work, 'selling');
}

/** The part of the fund whose shares wait for cash is sold, until they have waited for a day. */
function sellForRedemptions(scope: FundScope, work: FundWork): void {
  const { fund, events } = scope;
  const [first] = fund.redemptions;
  if (first === undefined || !isRedemptionDue(scope, work) || work.interval >= first.interval + FUND_REDUCING_MS) {
    fund.work = undefined;
    return;
  }
  const part = redeeming(fund);
  if (work.next === 0) {
    events.push({ type: 'FundReducing', fund: fund.fund, shares: part, of: fund.shares });
    endFundActivity(scope);
  }
  const market = sellNext(scope, work.next, { part, of: fund.shares, slippagePpm: FUND_SLIPPAGE_PPM });
  if (market === undefined) fund.work = undefined;
  else goOn(scope, work, market + 1);
}

/** Everything is sold; when nothing is left to sell, what there is of money is what the shares are paid by. What finds no buyer does not hold back the cash. */
function closeEverything(scope: FundScope, work: FundWork): void {
  const { fund, at } = scope;
  if (work.next === 0) endFundActivity(scope);
  const isLate = at >= fund.closingSince + FUND_REDUCING_MS;
  const sale = { part: fund.shares, of: fund.shares, slippagePpm: isLate ? LATE_SLIPPAGE_PPM : FUND_SLIPPAGE_PPM };
  const market = sellNext(scope, work.next, sale);
  if (market !== undefined) return goOn(scope, work, market + 1);
  if (isFlat(scope)) fund.work = newWork('paying', work.interval, { worth: gatherCash(scope), shares: fund.shares });
  else if (isRoundDue(scope)) beginRound(scope, work);
  else fund.work = undefined;
}

function beginRound(scope: FundScope, { interval }: FundWork): void {
  const { fund, at } = scope;
  fund.roundAt = at;
  fund.work = newWork('round', interval, { worth: gatherFreeCash(scope), shares: fund.shares });
}

function payRound(scope: FundScope, work: FundWork): void {
  const next = payNextOfRound(scope, work);
  if (next === undefined) scope.fund.work = undefined;
  else goOn(scope, work, next);
}

function payNext(scope: FundScope, work: FundWork): void {
  const next = payNextHolder(scope, work);
  if (next === undefined) finishClosing(scope, work);
  else goOn(scope, work, next);
}
