/**
 * Stops whose price was reached act now, as market or limit orders under their own ids. Their trades may reach further stops:
 * each stop triggers at most once, so a cascade ends with the last of them.
 */
import { NO_LOTS } from '@orrery/units';
import type { ListedMarket } from '../instruments/listed-market.ts';
import { closeOrder, releaseHold } from '../orders/close-order.ts';
import { execute, planEntry } from '../orders/execute.ts';
import { refusePlan, type Entry } from '../orders/refuse-plan.ts';
import type { ReachedStop } from './stop-orders.ts';
import type { Turn } from '../orders/turn.ts';

/** In the order in which trade prices reached them; the ones reached by one trade in the order of their ids. */
export function fireTriggers(turn: Turn, market: ListedMarket): void {
  for (let reached = market.stops.takeReached(); reached.length > 0; reached = market.stops.takeReached()) {
    for (const one of reached) trigger(turn, market, one);
  }
}

function trigger(turn: Turn, market: ListedMarket, { stop, lastPrice }: ReachedStop): void {
  const { exchange, at, events } = turn;
  const { order } = stop;
  events.push({ type: 'OrderTriggered', orderId: order.orderId, account: order.account, market: order.market, lastPrice });
  const entry: Entry = { order, market, spends: stop.spends, leaving: stop, at };
  const plan = planEntry(exchange, entry);
  const refusal = refusePlan(exchange, entry, plan);
  releaseHold(exchange, stop);
  if (refusal === undefined) execute(turn, market, stop, plan);
  else closeOrder(turn, stop, { reason: 'refusedAtTrigger', rested: false, removed: NO_LOTS });
}
