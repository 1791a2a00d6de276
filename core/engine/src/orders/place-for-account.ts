/** An order that the exchange places for an account: a slice of a TWAP order, or one that closes a position. */
import { assert } from '@orrery/units';
import type { OrderAccepted } from '@orrery/protocol';
import type { CommandScope } from './command-scope.ts';
import type { Entry } from './entry.ts';
import { execute, planEntry } from './execute.ts';
import type { OpenOrder } from './open-order.ts';
import { refuseOwnOrder } from './refuse-contract-order.ts';
import { refusePlan } from './refuse-plan.ts';

/** @returns the order, over already or resting; undefined when it is refused, and nothing has changed */
export function placeForAccount(scope: CommandScope, order: OrderAccepted): OpenOrder | undefined {
  const { trading, at, events } = scope;
  const market = trading.contracts.get(order.market);
  assert(market !== undefined, 'the exchange places orders in contracts that are listed');
  if (refuseOwnOrder(trading, order, market) !== undefined) return undefined;
  const entry: Entry = { order, market, payer: market.clearing.payerOf(order), leaving: undefined, at };
  const plan = planEntry(trading, entry);
  if (refusePlan(trading, entry, plan) !== undefined) return undefined;
  // After this point nothing fails.
  const open = trading.orders.open(entry, 0);
  events.push(order);
  execute(scope, open, plan);
  return open;
}
