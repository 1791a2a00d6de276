/** Places an order: refused for a named reason, or opened, matched, settled and rested. */
import { assert, type Millis, type OrderId } from '@orrery/units';
import { DEFAULT_SLIPPAGE_PPM, hasLimit, isStop } from '@orrery/rules';
import type { Event, Order, OrderAccepted, OrderRepeated, PlaceOrder } from '@orrery/protocol';
import type { Exchange } from '../exchange.ts';
import { arm, refuseArming } from './arm.ts';
import { execute, planEntry } from './execute.ts';
import { spentBy } from './placed-order.ts';
import { refuseOrder } from './refuse-order.ts';
import { refusePlan, type Entry } from './refuse-plan.ts';
import { fireTriggers } from '../triggers/trigger.ts';
import type { Turn } from './turn.ts';

export function placeOrder(exchange: Exchange, command: PlaceOrder, at: Millis): Event[] {
  const order = acceptable(command, exchange.orders.nextId(), at);
  const before = exchange.orders.named.placedBefore(order);
  if (before !== undefined) return [repeatOf(before)];
  const market = exchange.markets.get(order.market);
  const refusal = refuseOrder(exchange, order, market, undefined);
  if (refusal !== undefined) return [refusal];
  assert(market !== undefined, 'an order of no market is refused');
  const entry: Entry = { order, market, spends: spentBy(exchange.ledger, order, market), leaving: undefined, at };
  const plan = isStop(order) ? undefined : planEntry(exchange, entry);
  const objection = plan === undefined ? refuseArming(exchange, entry) : refusePlan(exchange, entry, plan);
  if (objection !== undefined) return [objection];
  // After this point nothing fails.
  const open = exchange.orders.open(entry, 0);
  const turn: Turn = { exchange, at, events: [order] };
  if (plan === undefined) arm(turn, market, open);
  else execute(turn, market, open, plan);
  fireTriggers(turn, market);
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

/** The same command again is answered with what it did the first time. */
export const repeatOf = ({ orderId, account, clientOrderId }: Order): OrderRepeated => ({
  type: 'OrderRepeated',
  orderId,
  account,
  clientOrderId,
});
