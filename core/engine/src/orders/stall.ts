/**
 * An order that is to reduce a position, and whose price was reached, does not end because nothing or only a part could be taken: what is left waits on, and is tried with
 * each round of prices while its price is reached. Since rules 8.
 */
import { addLots, assert, minLots, NO_LOTS, NO_TICKS, ppm, subtractLots, type Lots, type Ticks } from '@orrery/units';
import type { Order, RejectReason, StallReason } from '@orrery/protocol';
import { hasLimit, isReached, isStop, stopDirection } from '@orrery/rules';
import { onlyReduces } from '../clearing/reduces.ts';
import { isTrailing, kindOf } from '../triggers/triggers.ts';
import { NO_SLOT } from '../book/book.ts';
import type { CommandScope } from './command-scope.ts';
import type { MatchPlan } from './match-plan.ts';
import type { OpenOrder } from './open-order.ts';
import { isOfOthers } from './pair.ts';
import { presentPrices } from './present-prices.ts';
import type { Trading } from './trading.ts';

/** Whether it waits on when it acts and something of it is left. */
export const waitsOn = ({ rules }: Pick<Trading, 'rules'>, open: Pick<OpenOrder, 'order' | 'filled' | 'market'>): boolean =>
  rules >= 8 && isStop(open.order) && (onlyReduces(open.order) || protectsMoney(open, rules));

/**
 * Of a spot market: one of a pair or of a purchase, and since rules 9 whatever sells, which protects what is held. What is left of a buy that has traded may cost more than
 * was reserved for it.
 */
function protectsMoney({ order, filled, market }: Pick<OpenOrder, 'order' | 'filled' | 'market'>, rules: number): boolean {
  if (isOfOthers(order)) return order.side === 'sell' || filled === NO_LOTS;
  return rules >= 9 && market.contract === undefined && order.side === 'sell';
}

/** What is left of an acting order waits on. */
export function stall({ trading, events }: CommandScope, stop: OpenOrder, reason: StallReason): void {
  assert(stop.status === 'acting' && waitsOn(trading, stop), 'what stalls has just acted, and is to reduce a position');
  const { market, remaining, filled, filledNotional } = stop;
  // What it has lost to self-trade prevention is no part of it any more.
  if (stop.order.size !== NO_LOTS) stop.order = { ...stop.order, size: addLots(filled, remaining) };
  stop.status = 'armed';
  stop.slot = NO_SLOT;
  market.clearing.reserve(stop);
  const { orderId, account, triggerPrice } = stop.order;
  market.triggers.stalled.add(orderId, reason);
  events.push({
    type: 'TriggerStalled',
    orderId,
    account,
    market: market.terms.market,
    reason,
    triggerPrice,
    remaining,
    filled,
    filledNotional,
  });
}

/** A trailing stop that was reached has trailed: from now on it stands at the price that reached it. */
export function standing(order: Order, price: Ticks): Order {
  if (!isTrailing(order)) return order;
  const still = { trailingPpm: ppm(0), triggerDirection: stopDirection(order.side) };
  const { contract, spot } = order;
  return {
    ...order,
    triggerPrice: price,
    ...(contract && { contract: { ...contract, ...still } }),
    ...(spot && { spot: { ...spot, ...still } }),
  };
}

/** Whether the present price of its kind still reaches it. */
export function isStillReached({ order, market }: OpenOrder): boolean {
  const price = presentPrices(market)[kindOf(order)];
  return (
    price !== NO_TICKS &&
    isReached((order.contract ?? order.spot)?.triggerDirection ?? stopDirection(order.side), order.triggerPrice, price)
  );
}

/** What it has left to trade while its position has so much to reduce. */
export const tradable = ({ order, remaining }: OpenOrder, closable: Lots): Lots =>
  order.contract?.closePosition === true ? closable : minLots(remaining, closable);

/** Gives it another size for what it has left. */
export function cutTo({ events }: CommandScope, open: OpenOrder, left: Lots): void {
  open.order = { ...open.order, size: addLots(open.filled, left) };
  open.remaining = left;
  const { orderId, account, market, triggerPrice, price, size } = open.order;
  events.push({ type: 'TriggerAmended', orderId, account, market, triggerPrice, price, size });
}

/** Takes lots of a resting order out of the book. */
export function shrinkResting({ events }: CommandScope, open: OpenOrder, left: Lots): void {
  assert(open.status === 'resting' && left > NO_LOTS && left < open.remaining, 'a resting order shrinks to less');
  const reducedBy = subtractLots(open.remaining, left);
  const { market } = open;
  market.clearing.release(open, reducedBy);
  open.remaining = left;
  open.order = { ...open.order, size: addLots(open.filled, left) };
  market.book.reduce(open.slot, reducedBy);
  const { orderId, account, side, price } = open.order;
  events.push({ type: 'OrderReduced', orderId, account, market: market.terms.market, side, price, reducedBy, remaining: left });
}

/** Why an order that was refused when it was tried cannot act. */
export function stallOfRefusal(reason: RejectReason): StallReason {
  switch (reason) {
    case 'NoLiquidity':
      return 'noLiquidity';
    case 'PriceOutOfBand':
      return 'priceOutOfBand';
    case 'PostOnlyWouldTake':
    case 'FillOrKillUnfilled':
    case 'TooManyFills':
      return 'timeInForce';
    default:
      return 'marginMissing';
  }
}

/** Why something of it is left by its plan. */
export function stallOfPlan(order: Order, plan: MatchPlan): StallReason {
  if (plan.end === 'selfTrade') return 'selfTrade';
  if (plan.end === 'bound') return hasLimit(order) ? 'limitNotReached' : 'slippageBound';
  return plan.end === 'complete' ? 'selfTrade' : 'noLiquidity';
}
