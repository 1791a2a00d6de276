/** Replaces a resting limit order by a new one with another price or size; refused whole, with the old one untouched, if the new one would be. */
import { NO_ATOMS, NO_LOTS, NO_TICKS, ppm, type Millis, type OrderId } from '@orrery/units';
import type { AmendOrder, CommandRejected, Event, OrderAccepted } from '@orrery/protocol';
import { isClientOrderId, reject } from '@orrery/rules';
import type { Exchange } from '../exchange.ts';
import { ownOrder } from './cancel-order.ts';
import { cancelOpenOrder } from './close-order.ts';
import { execute, planEntry } from './execute.ts';
import type { OpenOrder } from './open-order.ts';
import { repeatOf } from './place-order.ts';
import { refuseName, refuseOrder, refuseState, refuseTrader } from './refuse-order.ts';
import { refusePlan, type Entry } from './refuse-plan.ts';
import { fireTriggers } from '../triggers/trigger.ts';
import type { Turn } from './turn.ts';

export function amendOrder(exchange: Exchange, command: AmendOrder, at: Millis): Event[] {
  const before = exchange.orders.named.amendedBefore(command, at);
  if (before !== undefined) return [repeatOf(before)];
  const old = ownOrder(exchange.orders, command.account, command.orderId);
  if (old === undefined || old.status !== 'resting') return [refuseUnamendable(exchange, command, old)];
  const order = amended(command, old, exchange.orders.nextId(), at);
  const refusal = refuseOrder(exchange, order, old.market, old);
  if (refusal !== undefined) return [refusal];
  const entry: Entry = { order, market: old.market, spends: old.spends, leaving: old, at };
  const plan = planEntry(exchange, entry);
  const objection = refusePlan(exchange, entry, plan);
  if (objection !== undefined) return [objection];
  // After this point nothing fails.
  const turn: Turn = { exchange, at, events: [] };
  cancelOpenOrder(turn, old, 'replaced');
  const open = exchange.orders.open(entry, old.order.orderId);
  turn.events.push(order);
  execute(turn, entry.market, open, plan);
  fireTriggers(turn, entry.market);
  return turn.events;
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
  };
}

/** The same precedence as for an order that can be amended, as far as there is anything to check. */
function refuseUnamendable(exchange: Exchange, command: AmendOrder, old: OpenOrder | undefined): CommandRejected {
  if (!isClientOrderId(command.clientOrderId)) return reject('InvalidField', 'clientOrderId');
  if (!exchange.accounts.has(command.account)) return reject('UnknownAccount', 'account');
  if (old === undefined) return reject('UnknownOrder', 'orderId');
  return (
    refuseTrader(exchange, command.account) ??
    refuseState(old.market) ??
    refuseName(exchange, command, old) ??
    reject('OrderNotAmendable', 'orderId')
  );
}
