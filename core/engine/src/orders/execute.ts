/** From a plan to facts: settle what matches, then rest or close what is left. */
import { assert, NO_LOTS, NO_TICKS, unreachable } from '@orrery/units';
import type { CloseReason, Order } from '@orrery/protocol';
import { hasLimit, holdOf, isByFunds, referencePrice, worstPrice } from '@orrery/rules';
import { hold } from '../ledger/movements.ts';
import type { ListedMarket } from '../instruments/listed-market.ts';
import type { Exchange } from '../exchange.ts';
import { closeOrder } from './close-order.ts';
import { opposite, planMatch, type MatchPlan } from './match-plan.ts';
import type { OpenOrder } from './open-order.ts';
import { rests, type Entry } from './refuse-plan.ts';
import { settle } from './settle.ts';
import type { Turn } from './turn.ts';

export function planEntry(exchange: Exchange, { order, market, at }: Entry): MatchPlan {
  const best = market.book.bestPrice(opposite(order.side));
  return planMatch(
    exchange.plan,
    market,
    order,
    worstPrice(order, best, referencePrice(exchange.rules, market, market.terms, at), market.terms),
  );
}

/** Carries out what was planned for an acting order. */
export function execute(turn: Turn, market: ListedMarket, open: OpenOrder, plan: MatchPlan): void {
  if (plan.count > 0) settle({ ...turn, market, taker: open }, plan);
  if (rests(open.order, plan)) rest(turn, market, open, plan);
  else closeOrder(turn, open, { reason: closeReason(open.order, plan), rested: false, removed: NO_LOTS });
  assertNotCrossed(market);
}

function rest({ exchange, events }: Turn, market: ListedMarket, open: OpenOrder, plan: MatchPlan): void {
  const { orderId, account, side, price } = open.order;
  hold(exchange.ledger, open.spends, open.remaining === open.order.size ? plan.need : holdOf(open.order, open.remaining, market.terms));
  open.slot = market.book.add(orderId, account, side, price, open.remaining);
  open.status = 'resting';
  const { remaining, filled, filledNotional } = open;
  events.push({ type: 'OrderRested', orderId, account, market: market.terms.market, side, price, remaining, filled, filledNotional });
}

/** Why an order that does not rest is over. */
function closeReason(order: Order, plan: MatchPlan): CloseReason {
  switch (plan.end) {
    case 'selfTrade':
      return 'selfTrade';
    case 'bookEmpty':
      return 'remainderNotFilled';
    case 'bound':
      return hasLimit(order) ? 'remainderNotFilled' : 'slippageBound';
    case 'complete':
      return isByFunds(order) ? fundsCloseReason(plan) : plan.filled === order.size ? 'filled' : 'selfTrade';
    default:
      return unreachable(plan.end);
  }
}

/** Funds are complete when they buy no further lot, which may be so from the first. */
function fundsCloseReason(plan: MatchPlan): CloseReason {
  if (plan.filled > NO_LOTS) return 'filled';
  return plan.count > 0 ? 'selfTrade' : 'remainderNotFilled';
}

function assertNotCrossed({ book }: ListedMarket): void {
  const ask = book.bestPrice('sell');
  assert(ask === NO_TICKS || book.bestPrice('buy') < ask, 'a book is never crossed after a command');
}
