/** Carries a plan out: matches what it says, then rests or closes what is left. */
import { assert, NO_LOTS, NO_TICKS, unreachable, type Lots } from '@orrery/units';
import type { CloseReason, Order } from '@orrery/protocol';
import { hasLimit, isByFunds, worstPrice } from '@orrery/rules';
import { payFunding } from '../clearing/pay-funding.ts';
import type { Listed } from '../instruments/listed-market.ts';
import { closeOrder } from './close-order.ts';
import type { CommandScope } from './command-scope.ts';
import type { Entry } from './entry.ts';
import { matchPlanned } from './match.ts';
import { opposite, planMatch, type MatchPlan } from './match-plan.ts';
import type { OpenOrder } from './open-order.ts';
import { referenceOf } from './reference.ts';
import { rests } from './refuse-plan.ts';
import { stall, stallOfPlan, waitsOn } from './stall.ts';
import { settleGroups } from './trigger-group.ts';
import type { Trading } from './trading.ts';

export function planEntry(trading: Trading, { order, market, at }: Entry): MatchPlan {
  const best = market.book.bestPrice(opposite(order.side));
  const worst = worstPrice(order, best, referenceOf(trading, market, at), market.terms);
  const matching = { order, remaining: order.size, funds: order.funds, worst, fills: trading.fills.of(order), at };
  return planMatch(trading.plan, market, matching, market.contract === undefined ? undefined : trading);
}

/** Carries out what was planned for an acting order. */
export function execute(scope: CommandScope, open: OpenOrder, plan: MatchPlan): void {
  const { trading, events } = scope;
  trading.fills.take(plan.count);
  if (open.market.contract !== undefined) payFunding(trading, trading.positions.at(open.payer).exposure.holder, events);
  if (plan.count > 0) matchPlanned(scope, open, plan);
  if (plan.isPaused && mayPause(open.order)) pause(scope, open, plan);
  else if (rests(open.order, plan)) rest(scope, open);
  else if (open.remaining > NO_LOTS && waitsOn(trading, open)) stall(scope, open, stallOfPlan(open.order, plan));
  else closeOrder(scope, open, { reason: closeReason(open, plan), rested: false, removed: NO_LOTS });
  settleGroups(scope);
  assertNotCrossed(open.market);
}

function rest({ events }: CommandScope, open: OpenOrder): void {
  const { market, remaining, filled, filledNotional } = open;
  const { orderId, account, side, price } = open.order;
  open.status = 'resting';
  market.clearing.reserve(open);
  open.slot = market.book.add(orderId, account, side, price, remaining);
  events.push({ type: 'OrderRested', orderId, account, market: market.terms.market, side, price, remaining, filled, filledNotional });
}

/** It stands nowhere until `ContinueMatching` goes on with it. */
function pause({ trading, events }: CommandScope, open: OpenOrder, { worst, funds }: MatchPlan): void {
  const { market, remaining, filled, filledNotional } = open;
  const { orderId, account } = open.order;
  open.status = 'matching';
  open.bound = worst;
  open.fundsLeft = funds;
  market.clearing.reserve(open);
  trading.matching.set(market.terms.market, orderId);
  events.push({ type: 'OrderPaused', orderId, account, market: market.terms.market, remaining, filled, filledNotional });
}

/** What a liquidation or a slice of a TWAP order does not take now it takes with its next order. */
const mayPause = ({ contract }: Order): boolean => contract?.source !== 'liquidation' && contract?.source !== 'twap';

/** Why an order that does not rest is over. */
function closeReason({ order, filled }: OpenOrder, plan: MatchPlan): CloseReason {
  switch (plan.end) {
    case 'selfTrade':
      return 'selfTrade';
    case 'bookEmpty':
    case 'budget':
      return 'remainderNotFilled';
    case 'bound':
      return hasLimit(order) ? 'remainderNotFilled' : 'slippageBound';
    case 'complete':
      return isByFunds(order) ? fundsCloseReason(plan, filled) : filled === order.size ? 'filled' : 'selfTrade';
    default:
      return unreachable(plan.end);
  }
}

/** Funds are complete when they buy no further lot, which may be so from the first. */
function fundsCloseReason(plan: MatchPlan, filled: Lots): CloseReason {
  if (filled > NO_LOTS) return 'filled';
  return plan.count > 0 ? 'selfTrade' : 'remainderNotFilled';
}

function assertNotCrossed({ book }: Listed): void {
  const ask = book.bestPrice('sell');
  assert(ask === NO_TICKS || book.bestPrice('buy') < ask, 'a book is never crossed after a command');
}
