/** Why an order is refused once its match is planned: what its time in force forbids, the bands, the number of open orders, the money. */
import { addAtoms, NO_LOTS, NO_TICKS } from '@orrery/units';
import type { CommandRejected, Order } from '@orrery/protocol';
import { hasLimit, isByFunds, isWorse, limitOutOfBand, marketBandBound, OPEN_ORDERS_PER_ACCOUNT, reject } from '@orrery/rules';
import type { Entry } from './entry.ts';
import { opposite, type MatchPlan } from './match-plan.ts';
import { referenceOf } from './reference.ts';
import type { Trading } from './trading.ts';

export function refusePlan(trading: Trading, entry: Entry, plan: MatchPlan): CommandRejected | undefined {
  const { order, market } = entry;
  if (order.timeInForce === 'GTX' && takes(plan)) return reject('PostOnlyWouldTake', 'timeInForce');
  if (order.timeInForce === 'FOK' && plan.isPaused) return reject('TooManyFills', 'timeInForce');
  if (order.timeInForce === 'FOK' && !fillsWhole(order, plan)) return reject('FillOrKillUnfilled', 'timeInForce');
  if (isOutOfBand(trading, entry)) return reject('PriceOutOfBand', 'price');
  if (!hasLimit(order) && market.book.bestPrice(opposite(order.side)) === NO_TICKS) return reject('NoLiquidity');
  if ((plan.isPaused || rests(order, plan)) && !hasRoom(trading, entry)) return reject('TooManyOpenOrders');
  return market.clearing.refuse(entry, plan);
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

function isOutOfBand(trading: Trading, { order, market, at }: Entry): boolean {
  const reference = referenceOf(trading, market, at);
  if (hasLimit(order)) return limitOutOfBand(order.price, order.side, reference, market.terms);
  const best = market.book.bestPrice(opposite(order.side));
  const bound = marketBandBound(order.side, reference, market.terms);
  return best !== NO_TICKS && bound !== NO_TICKS && isWorse(best, bound, order.side);
}

/** The order that leaves makes room for the one that comes. */
export function hasRoom({ orders: { ofAccounts } }: Trading, { order: { account }, market, leaving }: Entry): boolean {
  if (leaving !== undefined) return true;
  const count = ofAccounts.of(account).length;
  if (count >= OPEN_ORDERS_PER_ACCOUNT) return false;
  const { maxOpenOrders } = market.terms;
  return count < maxOpenOrders || ofAccounts.countIn(account, market) < maxOpenOrders;
}
