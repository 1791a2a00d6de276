/** Does what is due: scheduled cancels, and slices of TWAP orders, in the order of their times. One command does a bounded part of it. */
import { accountId, assert, millis, type AccountId, type Millis } from '@orrery/units';
import type { Event } from '@orrery/protocol';
import { TIMERS_PER_COMMAND } from '@orrery/rules';
import { cancelOpenOrder } from '../orders/close-order.ts';
import type { CommandScope } from '../orders/command-scope.ts';
import type { OpenOrder } from '../orders/open-order.ts';
import { onlyReduces } from '../clearing/reduces.ts';
import { protects } from '../orders/reducing.ts';
import { runSlice, endTwap } from './twap-slices.ts';
import type { Timed } from './timed.ts';

/** After this number of closed orders a command leaves the rest to the next one. */
const CLOSED_AT_ONCE = 1_000;

/** Without anything due, nothing changes and nothing is emitted. */
export function runTimers(timed: Timed, at: Millis): Event[] {
  const { timers } = timed;
  const scope: CommandScope = { trading: timed, at, events: [] };
  let closed = 0;
  for (let step = 0; step < TIMERS_PER_COMMAND && closed < CLOSED_AT_ONCE && !timed.fills.isSpent; step += 1) {
    const { dueAt } = timers;
    if (dueAt === undefined || dueAt > at) break;
    const cancel = timers.cancels.next();
    if (cancel?.at === dueAt) closed += cancelScheduled(scope, timed, accountId(cancel.id));
    else runNextSlice(scope, timed);
  }
  if (timers.dueAt !== undefined) timers.ranAt = at;
  return scope.events;
}

function runNextSlice(scope: CommandScope, timed: Timed): void {
  const due = timed.timers.twaps.due.next();
  const twap = due === undefined ? undefined : timed.timers.twaps.get(due.id);
  assert(twap !== undefined, 'a slice that is due is of a TWAP order at work');
  runSlice(scope, timed, twap);
}

/** @returns how many orders it closed */
function cancelScheduled(scope: CommandScope, timed: Timed, account: AccountId): number {
  timed.timers.cancels.delete(account);
  const chosen = timed.orders.ofAccounts
    .of(account)
    .filter((open) => mayOpen(open) && !(timed.rules >= 8 && open.status === 'armed' && onlyReduces(open.order)))
    .sort((left, right) => left.order.orderId - right.order.orderId);
  for (const open of chosen) cancelOpenOrder(scope, open, 'scheduledCancel');
  for (const twap of timed.timers.twaps.of(account)) endTwap(scope, timed, twap, 'canceledByAccount');
  scope.events.push({ type: 'CancelScheduled', account, at: millis(0) });
  return chosen.length;
}

/** Orders in contracts, without those that protect a position, since rules 8 all that wait to reduce one: a stop-loss is what a lost client needs. A halted contract stays as it is. */
function mayOpen({ order, market }: OpenOrder): boolean {
  return order.contract !== undefined && market.state !== 'HALT' && !protects(order);
}
