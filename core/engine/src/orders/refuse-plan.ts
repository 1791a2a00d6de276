/** Why an order is refused once its match is planned: what its time in force forbids, the bands, the number of open orders, the money. */
import { addAtoms, NO_LOTS, NO_TICKS, type AccountId } from '@orrery/units';
import type { CommandRejected, Order, RejectFigures } from '@orrery/protocol';
import {
  countBeyond,
  hasLimit,
  isByFunds,
  isWorse,
  limitOutOfBand,
  marketBandBound,
  OPEN_ORDERS_PER_ACCOUNT,
  priceBeyond,
  reject,
  rejectBeyond,
  worseBy,
} from '@orrery/rules';
import type { Listed } from '../instruments/listed-market.ts';
import type { Entry } from './entry.ts';
import { opposite, type MatchPlan } from './match-plan.ts';
import { referenceOf } from './reference.ts';
import type { Trading } from './trading.ts';

export function refusePlan(trading: Trading, entry: Entry, plan: MatchPlan): CommandRejected | undefined {
  const { order, market } = entry;
  if (order.timeInForce === 'GTX' && takes(plan)) return reject('PostOnlyWouldTake', 'timeInForce');
  if (order.timeInForce === 'FOK' && plan.isPaused) return reject('TooManyFills', 'timeInForce');
  if (order.timeInForce === 'FOK' && !fillsWhole(order, plan)) return reject('FillOrKillUnfilled', 'timeInForce');
  const outside = outOfBand(trading, entry);
  if (outside !== undefined) return rejectBeyond('PriceOutOfBand', 'price', outside);
  if (!hasLimit(order) && market.book.bestPrice(opposite(order.side)) === NO_TICKS) return reject('NoLiquidity');
  return (plan.isPaused || rests(order, plan) ? refuseRoom(trading, entry) : undefined) ?? market.clearing.refuse(entry, plan);
}

/** True when the remainder stands in the book afterwards. */
export function rests(order: Order, plan: MatchPlan): boolean {
  const mayRest = hasLimit(order) && (order.timeInForce === 'GTC' || order.timeInForce === 'GTX');
  return mayRest && plan.remaining > NO_LOTS && plan.end !== 'selfTrade' && !plan.isPaused;
}

function takes(plan: MatchPlan): boolean {
  return plan.count > 0 || plan.end === 'selfTrade' || plan.isPaused;
}

/** Size lost to self-trade prevention is not filled. */
function fillsWhole(order: Order, plan: MatchPlan): boolean {
  if (!isByFunds(order)) return plan.filled === order.size;
  return plan.end === 'complete' && plan.filled > NO_LOTS && addAtoms(plan.traded, plan.funds) === order.funds;
}

/** The price that the order has, or would meet first, and the bound that it is beyond. */
function outOfBand(trading: Trading, { order, market, at }: Entry): RejectFigures | undefined {
  const reference = referenceOf(trading, market, at);
  const { terms } = market;
  if (hasLimit(order)) {
    if (!limitOutOfBand(order.price, order.side, reference, terms)) return undefined;
    return priceBeyond(terms.market, { asked: order.price, limit: worseBy(reference, terms.limitBandPpm, order.side) });
  }
  const best = market.book.bestPrice(opposite(order.side));
  const bound = marketBandBound(order.side, reference, terms);
  if (best === NO_TICKS || bound === NO_TICKS || !isWorse(best, bound, order.side)) return undefined;
  return priceBeyond(terms.market, { asked: best, limit: bound });
}

/** The order that leaves makes room for the one that comes. */
export const refuseRoom = (trading: Trading, { order, market, leaving }: Entry): CommandRejected | undefined =>
  leaving === undefined ? refuseMore(trading, order.account, market) : undefined;

/** Of a further order of an account. */
export function refuseMore({ orders: { ofAccounts } }: Trading, account: AccountId, market: Listed): CommandRejected | undefined {
  const { maxOpenOrders } = market.terms;
  const count = ofAccounts.of(account).length;
  if (count >= OPEN_ORDERS_PER_ACCOUNT) return tooMany(OPEN_ORDERS_PER_ACCOUNT);
  return count < maxOpenOrders || ofAccounts.countIn(account, market) < maxOpenOrders ? undefined : tooMany(maxOpenOrders);
}

export const tooMany = (limit: number): CommandRejected => rejectBeyond('TooManyOpenOrders', '', countBeyond({ asked: limit + 1, limit }));
