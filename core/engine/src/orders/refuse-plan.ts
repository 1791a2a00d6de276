/** Why an order is refused once it is known how it would match: not allowed or not affordable, in the order of precedence. */
import { addAtoms, NO_ATOMS, NO_LOTS, NO_TICKS, type Atoms, type Millis } from '@orrery/units';
import type { CommandRejected, Order } from '@orrery/protocol';
import {
  hasLimit,
  holdOf,
  isByFunds,
  isWorse,
  limitOutOfBand,
  marketBandBound,
  OPEN_ORDERS_PER_ACCOUNT,
  referencePrice,
  reject,
} from '@orrery/rules';
import type { Ledger } from '../ledger/ledger.ts';
import type { ListedMarket } from '../instruments/listed-market.ts';
import type { Exchange } from '../exchange.ts';
import { opposite, type MatchPlan } from './match-plan.ts';
import type { OpenOrder } from './open-order.ts';
import type { PlacedOrder } from './placed-order.ts';

/** An order on its way in, and which open order leaves for it (the amended one, or itself when a stop triggers). */
export interface Entry extends PlacedOrder {
  readonly leaving: OpenOrder | undefined;
  /** The time of the command. */
  readonly at: Millis;
}

export function refusePlan(exchange: Exchange, entry: Entry, plan: MatchPlan): CommandRejected | undefined {
  const { order, market } = entry;
  if (order.timeInForce === 'GTX' && takes(plan)) return reject('PostOnlyWouldTake', 'timeInForce');
  if (order.timeInForce === 'FOK' && !fillsWhole(order, plan)) return reject('FillOrKillUnfilled', 'timeInForce');
  if (isOutOfBand(exchange, entry)) return reject('PriceOutOfBand', 'price');
  if (!hasLimit(order) && market.book.bestPrice(opposite(order.side)) === NO_TICKS) return reject('NoLiquidity');
  if (rests(order, plan) && !hasRoom(exchange, entry)) return reject('TooManyOpenOrders');
  plan.need = needOf(order, market, plan);
  return refuseNeed(exchange.ledger, entry, plan.need);
}

/** True when the remainder stands in the book afterwards. */
export function rests(order: Order, plan: MatchPlan): boolean {
  const mayRest = hasLimit(order) && (order.timeInForce === 'GTC' || order.timeInForce === 'GTX');
  return mayRest && plan.remaining > NO_LOTS && plan.end !== 'selfTrade';
}

function takes(plan: MatchPlan): boolean {
  return plan.count > 0 || plan.end === 'selfTrade';
}

/** Size lost to self-trade prevention is not filled. */
function fillsWhole(order: Order, plan: MatchPlan): boolean {
  if (!isByFunds(order)) return plan.filled === order.size;
  return plan.end === 'complete' && plan.filled > NO_LOTS && addAtoms(plan.traded, plan.funds) === order.funds;
}

function isOutOfBand({ rules }: Exchange, { order, market, at }: Entry): boolean {
  const reference = referencePrice(rules, market, market.terms, at);
  if (hasLimit(order)) return limitOutOfBand(order.price, order.side, reference, market.terms);
  const best = market.book.bestPrice(opposite(order.side));
  const bound = marketBandBound(order.side, reference, market.terms);
  return best !== NO_TICKS && bound !== NO_TICKS && isWorse(best, bound, order.side);
}

/** The order that leaves makes room for the one that comes. */
export function hasRoom({ orders: { ofAccounts } }: Exchange, { order: { account }, market, leaving }: Entry): boolean {
  if (leaving !== undefined) return true;
  const count = ofAccounts.of(account).length;
  if (count >= OPEN_ORDERS_PER_ACCOUNT) return false;
  const { maxOpenOrders } = market.terms;
  return count < maxOpenOrders || ofAccounts.countIn(account, market) < maxOpenOrders;
}

/** A market buy needs what it will spend; every other order what it holds for its whole size. */
function needOf(order: Order, market: ListedMarket, plan: MatchPlan): Atoms {
  return order.side === 'buy' && !hasLimit(order) ? plan.traded : holdOf(order, order.size, market.terms);
}

export function refuseNeed(ledger: Ledger, { spends, market, leaving }: Entry, need: Atoms): CommandRejected | undefined {
  const returned = leaving === undefined ? NO_ATOMS : holdOf(leaving.order, leaving.remaining, market.terms);
  const free = addAtoms(ledger.free(spends), returned);
  return free < need ? reject('InsufficientBalance') : undefined;
}
