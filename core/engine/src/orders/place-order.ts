/** Places an order: refused for a named reason, or opened, matched, settled and rested. */
import type { Millis, OrderId } from '@orrery/units';
import { DEFAULT_SLIPPAGE_PPM, hasLimit, isStop } from '@orrery/rules';
import type { Event, OrderAccepted, OrderRepeated, PlaceOrder } from '@orrery/protocol';
import { placedBefore } from '../accounts/client-orders.ts';
import type { Exchange } from '../state/exchange.ts';
import { arm, refuseArming } from './arm.ts';
import { execute, planEntry } from './execute.ts';
import { placedOrder } from './placed-order.ts';
import { refuseOrder } from './refuse-order.ts';
import { refusePlan, type Entry } from './refuse-plan.ts';
import { fireTriggers } from './trigger.ts';
import type { Turn } from './turn.ts';

export function placeOrder(exchange: Exchange, command: PlaceOrder, at: Millis): Event[] {
  const order = acceptable(command, exchange.orders.nextId(), at);
  const repeated = repeatOf(exchange, order);
  if (repeated !== undefined) return [repeated];
  const refusal = refuseOrder(exchange, order, undefined);
  if (refusal !== undefined) return [refusal];
  const entry = enter(exchange, order, at);
  const plan = isStop(order) ? undefined : planEntry(exchange, entry);
  const objection = plan === undefined ? refuseArming(entry) : refusePlan(entry, plan);
  if (objection !== undefined) return [objection];
  // After this point nothing fails.
  const open = exchange.orders.open(entry, 0);
  const turn: Turn = { exchange, at, events: [order] };
  if (plan === undefined) arm(turn, entry.market, open);
  else execute(turn, entry.market, open, plan);
  fireTriggers(turn, entry.market);
  return turn.events;
}

/** The order as it will be accepted if nothing speaks against it. */
function acceptable(command: PlaceOrder, orderId: OrderId, createdAt: Millis): OrderAccepted {
  const takesDefault = command.slippagePpm === 0 && !hasLimit(command);
  return {
    type: 'OrderAccepted',
    orderId,
    account: command.account,
    market: command.market,
    clientOrderId: command.clientOrderId,
    side: command.side,
    orderType: command.orderType,
    timeInForce: command.timeInForce,
    price: command.price,
    size: command.size,
    funds: command.funds,
    triggerPrice: command.triggerPrice,
    slippagePpm: takesDefault ? DEFAULT_SLIPPAGE_PPM : command.slippagePpm,
    selfTradePrevention: command.selfTradePrevention,
    createdAt,
  };
}

function repeatOf(exchange: Exchange, order: OrderAccepted): OrderRepeated | undefined {
  const account = exchange.accounts.get(order.account);
  const before = account === undefined ? undefined : placedBefore(account, order);
  if (before === undefined) return undefined;
  const { orderId, clientOrderId } = before;
  return { type: 'OrderRepeated', orderId, account: order.account, clientOrderId };
}

function enter(exchange: Exchange, order: OrderAccepted, at: Millis): Entry {
  const { account, market, spends } = placedOrder(exchange, order);
  return { order, account, market, spends, leaving: undefined, at };
}
