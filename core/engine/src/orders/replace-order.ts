/** Amendments before rules 8: a new order replaces the old one, which is untouched if the new one would be refused. Its size is its own. */
import { NO_ATOMS, NO_LOTS, NO_TICKS, ppm, type Millis, type OrderId } from '@orrery/units';
import type { AmendOrder, OrderAccepted } from '@orrery/protocol';
import { onlyReduces } from '../clearing/reduces.ts';
import type { Trading } from './trading.ts';
import { refuseAmendment, refuseUnamendable } from './refuse-amendment.ts';
import { ownOrder } from './cancel-order.ts';
import { cancelOpenOrder } from './close-order.ts';
import { execute, planEntry } from './execute.ts';
import type { OpenOrder } from './open-order.ts';
import { repeatOf } from './place-order.ts';
import { unchanged, type OrderOutcome } from './order-outcome.ts';
import type { Entry } from './entry.ts';
import { refusePlan } from './refuse-plan.ts';
import type { CommandScope } from './command-scope.ts';

export function replaceOrder(trading: Trading, command: AmendOrder, at: Millis): OrderOutcome {
  const before = trading.orders.named.amendedBefore(command, at);
  if (before !== undefined) return unchanged(repeatOf(before));
  const old = ownOrder(trading.orders, command.account, command.orderId);
  if (old === undefined || old.status !== 'resting') return unchanged(refuseUnamendable(trading, command, old));
  const order = amended(command, old, trading.orders.nextId(), at);
  const refusal = refuseAmendment(trading, { order, acting: order, old });
  if (refusal !== undefined) return unchanged(refusal);
  const entry: Entry = { order, market: old.market, payer: old.payer, leaving: old, at };
  const plan = planEntry(trading, entry);
  const objection = refusePlan(trading, entry, plan);
  if (objection !== undefined) return unchanged(objection);
  // After this point nothing fails.
  const scope: CommandScope = { trading, at, events: [] };
  cancelOpenOrder(scope, old, 'replaced');
  const open = trading.orders.open(entry, old.order.orderId);
  scope.events.push(order);
  execute(scope, open, plan);
  return { events: scope.events, market: entry.market };
}

function amended(command: AmendOrder, { order, remaining }: OpenOrder, orderId: OrderId, createdAt: Millis): OrderAccepted {
  return {
    type: 'OrderAccepted',
    orderId,
    account: order.account,
    market: order.market,
    clientOrderId: command.clientOrderId,
    side: order.side,
    orderType: 'limit',
    timeInForce: order.timeInForce,
    price: command.price === NO_TICKS ? order.price : command.price,
    size: command.size === NO_LOTS ? remaining : command.size,
    funds: NO_ATOMS,
    triggerPrice: NO_TICKS,
    slippagePpm: ppm(0),
    selfTradePrevention: order.selfTradePrevention,
    createdAt,
    // It has a size of its own now.
    contract: order.contract === undefined ? undefined : { ...order.contract, reduceOnly: onlyReduces(order), closePosition: false },
    spot: undefined,
  };
}
