/** An armed order whose price was reached acts as a market or limit order under its own id. */
import { NO_LOTS } from '@orrery/units';
import type { Reached } from '../triggers/trigger-ladder.ts';
import { closeOrder, releaseOrder } from './close-order.ts';
import type { CommandScope } from './command-scope.ts';
import type { Entry } from './entry.ts';
import { execute, planEntry } from './execute.ts';
import { refusePlan } from './refuse-plan.ts';

/** The order has left the triggers already. It closes when it is refused now. */
export function triggerOrder(scope: CommandScope, { orderId, price }: Reached): void {
  const { trading, at, events } = scope;
  const stop = trading.orders.known(orderId);
  const { order, market, payer } = stop;
  events.push({ type: 'OrderTriggered', orderId, account: order.account, market: order.market, lastPrice: price });
  const entry: Entry = { order, market, payer, leaving: stop, at };
  const plan = planEntry(trading, entry);
  const refusal = refusePlan(trading, entry, plan);
  releaseOrder(stop);
  if (refusal === undefined) execute(scope, stop, plan);
  else closeOrder(scope, stop, { reason: 'refusedAtTrigger', rested: false, removed: NO_LOTS });
}
