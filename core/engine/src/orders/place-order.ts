/** Places an order: refused for a named reason, or opened, matched, settled and rested. */
import { assert, type Millis, type OrderId } from '@orrery/units';
import { DEFAULT_SLIPPAGE_PPM, hasLimit, isStop } from '@orrery/rules';
import type { Order, OrderAccepted, OrderRepeated, PlaceOrder } from '@orrery/protocol';
import type { Trading } from './trading.ts';
import { arm, refuseArming } from './arm.ts';
import { execute, planEntry } from './execute.ts';
import { unchanged, type OrderOutcome } from './order-outcome.ts';
import { refuseOrder } from './refuse-order.ts';
import type { Entry } from './entry.ts';
import { refusePlan } from './refuse-plan.ts';
import type { CommandScope } from './command-scope.ts';

export function placeOrder(trading: Trading, command: PlaceOrder, at: Millis): OrderOutcome {
  const order = acceptable(command, trading.orders.nextId(), at);
  const before = trading.orders.named.placedBefore(order, trading.rules);
  if (before !== undefined) return unchanged(repeatOf(before));
  const market = trading.markets.get(order.market);
  const refusal = refuseOrder(trading, order, market, undefined);
  if (refusal !== undefined) return unchanged(refusal);
  assert(market !== undefined, 'an order of no market is refused');
  const entry: Entry = { order, market, payer: market.clearing.payerOf(order), leaving: undefined, at };
  const plan = isStop(order) ? undefined : planEntry(trading, entry);
  const objection = plan === undefined ? refuseArming(trading, entry) : refusePlan(trading, entry, plan);
  if (objection !== undefined) return unchanged(objection);
  // After this point nothing fails.
  const open = trading.orders.open(entry, 0);
  const scope: CommandScope = { trading, at, events: [order] };
  if (plan === undefined) arm(scope, open);
  else execute(scope, open, plan);
  return { events: scope.events, market };
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
    contract: undefined,
  };
}

/** The same command again is answered with what it did the first time. */
export const repeatOf = ({ orderId, account, clientOrderId }: Order): OrderRepeated => ({
  type: 'OrderRepeated',
  orderId,
  account,
  clientOrderId,
});
