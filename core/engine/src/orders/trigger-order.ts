/** An armed order whose price was reached acts as a market or limit order under its own id. */
import { assert, NO_LOTS, NO_TICKS, type Lots, type Ticks } from '@orrery/units';
import type { Order } from '@orrery/protocol';
import type { StalledTrigger } from '../triggers/stalled-triggers.ts';
import type { Reached } from '../triggers/trigger-ladder.ts';
import { kindOf, waitsForActivation } from '../triggers/triggers.ts';
import { onlyReduces } from '../clearing/reduces.ts';
import { isOpenBy } from '../prices/contract-prices.ts';
import { cancelOpenOrder, closeOrder, releaseOrder } from './close-order.ts';
import type { CommandScope } from './command-scope.ts';
import type { Entry } from './entry.ts';
import { execute, planEntry } from './execute.ts';
import type { MatchPlan } from './match-plan.ts';
import type { OpenOrder } from './open-order.ts';
import { partnerOf, reserveAlone, reserverOf } from './pair.ts';
import { presentPrices } from './present-prices.ts';
import { closableSize } from './reducing.ts';
import { refusePlan, rests } from './refuse-plan.ts';
import { cutTo, isStillReached, stall, standing, stallOfPlan, stallOfRefusal, tradable, waitsOn } from './stall.ts';
import { cancelRestOfGroup } from './trigger-group.ts';

/**
 * The order has left the triggers already. It closes when there is nothing left for it to reduce, and when it is refused now: since rules 8 one that is to reduce a position
 * waits on instead.
 */
export function triggerOrder(scope: CommandScope, { orderId, price }: Reached): void {
  const { trading, at, events } = scope;
  const stop = trading.orders.known(orderId);
  const { account, market } = stop.order;
  if (waitsForActivation(stop.order)) {
    startTrailing(scope, stop, price);
    return;
  }
  events.push({ type: 'OrderTriggered', orderId, account, market, lastPrice: price });
  if (onlyReduces(stop.order) && !fitsPosition(scope, stop)) {
    releaseOrder(stop);
    closeOrder(scope, stop, { reason: 'positionClosed', rested: false, removed: NO_LOTS });
    return;
  }
  if (!fitsPrices(scope, stop)) {
    releaseOrder(stop);
    closeOrder(scope, stop, { reason: 'pricesDegraded', rested: false, removed: NO_LOTS });
    return;
  }
  const mayStall = waitsOn(trading, stop);
  if (mayStall) stop.order = standing(stop.order, price);
  const order: Order = stop.filled === NO_LOTS ? stop.order : { ...stop.order, size: stop.remaining };
  const entry: Entry = { order, market: stop.market, payer: stop.payer, leaving: reserverOf(trading, stop), at };
  const plan = planEntry(trading, entry);
  const refusal = refusePlan(trading, entry, plan);
  releaseOrder(stop);
  if (refusal !== undefined) {
    if (mayStall) stall(scope, stop, stallOfRefusal(refusal.reason));
    else closeOrder(scope, stop, { reason: 'refusedAtTrigger', rested: false, removed: NO_LOTS });
    return;
  }
  if (trading.rules < 8) cancelRestOfGroup(scope, stop);
  if (acts(order, plan)) endPartner(scope, stop);
  execute(scope, stop, plan);
}

/** Whether an order does anything by its plan. */
const acts = (order: Order, plan: MatchPlan): boolean => plan.count > 0 || plan.isPaused || rests(order, plan);

/** One of a pair acts: the other ends, with what it has reserved for both. */
function endPartner(scope: CommandScope, acting: OpenOrder): void {
  const partner = partnerOf(scope.trading, acting);
  if (partner !== undefined) cancelOpenOrder(scope, partner, 'groupTriggered');
  reserveAlone(acting);
}

/** It follows the last price from the one that has reached it on. */
function startTrailing({ events }: CommandScope, stop: OpenOrder, price: Ticks): void {
  const { order, market } = stop;
  assert(order.spot !== undefined, 'a stop of a spot market waits for an activation price');
  stop.order = { ...order, spot: { ...order.spot, triggerDirection: 'none' } };
  stop.slot = market.triggers.add(stop.order, price);
  // The price may have come back since it was there.
  market.triggers.reach('last', market.lastPrice);
  const { orderId, account } = order;
  events.push({ type: 'TrailingStarted', orderId, account, market: order.market, lastPrice: price });
}

/**
 * Tries an order that could not act, or only in part, once more. It has left the stalled ones already. Where its price is not reached any more it waits as before it was;
 * where it still cannot act, only another reason is a fact.
 * @returns whether anything has changed
 */
export function retryStalled(scope: CommandScope, { orderId, reason }: StalledTrigger): boolean {
  const { trading, at, events } = scope;
  const stop = trading.orders.known(orderId);
  const { market } = stop;
  const { account } = stop.order;
  if (!isStillReached(stop)) {
    stop.slot = market.triggers.add(stop.order, NO_TICKS);
    events.push({ type: 'OrderArmed', orderId, account, market: market.terms.market });
    return true;
  }
  const left =
    market.contract === undefined ? stop.remaining : tradable(stop, closableSize(trading, { payer: stop.payer, side: stop.order.side }));
  if (left === NO_LOTS) {
    // Its position has ended within this command, and it ends behind it.
    market.triggers.stalled.add(orderId, reason);
    return false;
  }
  const order: Order = { ...stop.order, size: left };
  const entry: Entry = { order, market, payer: stop.payer, leaving: reserverOf(trading, stop), at };
  const plan = planEntry(trading, entry);
  const refusal = refusePlan(trading, entry, plan);
  if (refusal !== undefined || !acts(order, plan)) {
    const now = refusal === undefined ? stallOfPlan(order, plan) : stallOfRefusal(refusal.reason);
    if (now === reason) market.triggers.stalled.add(orderId, reason);
    else {
      releaseOrder(stop);
      stall(scope, stop, now);
    }
    return false;
  }
  events.push({ type: 'OrderTriggered', orderId, account, market: market.terms.market, lastPrice: presentPrices(market)[kindOf(order)] });
  if (left !== stop.remaining) cutTo(scope, stop, left);
  releaseOrder(stop);
  endPartner(scope, stop);
  execute(scope, stop, plan);
  return true;
}

/**
 * While a contract is not open, an order that may open is cut to what it reduces: a stop that somebody meant for his position still protects it. One that would
 * only open closes: it was meant for the price that reached it, not for the one at which the contract opens again. Since rules 7.
 * @returns whether anything of it may act
 */
function fitsPrices(scope: CommandScope, stop: OpenOrder): boolean {
  const { contract } = stop.market;
  const { rules } = scope.trading;
  if (rules < 7 || contract === undefined || onlyReduces(stop.order) || isOpenBy(rules, contract.prices, scope.at)) return true;
  return fitsPosition(scope, stop);
}

/** Cuts an order to what its position is now. @returns whether there is anything to reduce */
function fitsPosition(scope: CommandScope, stop: OpenOrder): boolean {
  const { order, payer } = stop;
  const size: Lots = tradable(stop, closableSize(scope.trading, { payer, side: order.side }));
  if (size === NO_LOTS) return false;
  if (size !== stop.remaining) cutTo(scope, stop, size);
  return true;
}
