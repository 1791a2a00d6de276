/**
 * Stops whose price was reached act now, as market or limit orders under their own ids. Their trades may reach further stops:
 * each stop triggers at most once, so a cascade ends with the last of them.
 */
import { NO_LOTS, type Millis } from '@orrery/units';
import type { Event } from '@orrery/protocol';
import type { ListedMarket } from '../markets/listed-market.ts';
import type { Exchange } from '../state/exchange.ts';
import { closeOrder, releaseHold } from './close-order.ts';
import { execute, planEntry } from './execute.ts';
import { refusePlan, type Entry } from './refuse-plan.ts';
import type { ReachedStop } from './stop-orders.ts';

/** In the order in which trade prices reached them; the ones reached by one trade in the order of their ids. */
export function fireTriggers(exchange: Exchange, market: ListedMarket, at: Millis, events: Event[]): void {
  for (let reached = market.stops.takeReached(); reached.length > 0; reached = market.stops.takeReached()) {
    for (const one of reached) trigger(exchange, market, one, at, events);
  }
}

function trigger(exchange: Exchange, market: ListedMarket, { stop, lastPrice }: ReachedStop, at: Millis, events: Event[]): void {
  const { order } = stop;
  events.push({ type: 'OrderTriggered', orderId: order.orderId, account: order.account, market: order.market, lastPrice });
  const entry: Entry = { account: exchange.accounts.known(order.account), market, order, leaving: stop, at };
  const plan = planEntry(exchange, entry);
  const refusal = refusePlan(exchange.ledger, entry, plan);
  releaseHold(exchange, stop);
  if (refusal === undefined) execute(exchange, market, stop, plan, at, events);
  else closeOrder(exchange, stop, { reason: 'refusedAtTrigger', rested: false, removed: NO_LOTS }, at, events);
}
