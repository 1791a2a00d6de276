/** An order that the exchange places for an account: a slice of a TWAP order, or one that closes a position. */
import { assert } from '@orrery/units';
import type { CommandRejected, OrderAccepted } from '@orrery/protocol';
import type { CommandScope } from './command-scope.ts';
import type { Entry } from './entry.ts';
import { execute, planEntry } from './execute.ts';
import type { OpenOrder } from './open-order.ts';
import { refuseOwnOrder } from './refuse-contract-order.ts';
import { refusePlan } from './refuse-plan.ts';

/** @returns the order, over already or resting; undefined when it is refused, and nothing has changed */
export function placeForAccount(scope: CommandScope, order: OrderAccepted): OpenOrder | undefined {
  const placed = tryForAccount(scope, order);
  return 'type' in placed ? undefined : placed;
}

/** The same, or why it is refused. */
export function tryForAccount(scope: CommandScope, order: OrderAccepted): OpenOrder | CommandRejected {
  const { trading, at, events } = scope;
  const market = trading.contracts.get(order.market);
  assert(market !== undefined, 'the exchange places orders in contracts that are listed');
  const refusal = refuseOwnOrder(trading, order, market);
  if (refusal !== undefined) return refusal;
  const entry: Entry = { order, market, payer: market.clearing.payerOf(order), leaving: undefined, at };
  const plan = planEntry(trading, entry);
  const objection = refusePlan(trading, entry, plan);
  if (objection !== undefined) return objection;
  // After this point nothing fails.
  const open = trading.orders.open(entry, 0);
  events.push(order);
  execute(scope, open, plan);
  return open;
}
