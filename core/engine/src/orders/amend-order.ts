/** Replaces a resting limit order by a new one with another price or size; refused whole, with the old one untouched, if the new one would be. */
import { NO_ATOMS, NO_LOTS, NO_TICKS, ppm, type Millis, type OrderId } from '@orrery/units';
import type { AmendOrder, CommandRejected, Event, OrderAccepted } from '@orrery/protocol';
import { isClientOrderId, reject } from '@orrery/rules';
import type { Account } from '../accounts/account.ts';
import { amendedBefore } from '../accounts/client-orders.ts';
import type { Exchange } from '../state/exchange.ts';
import { ownOrder } from './cancel-order.ts';
import { cancelOpenOrder } from './close-order.ts';
import { execute, planEntry } from './execute.ts';
import type { OpenOrder } from './open-order.ts';
import { refuseName, refuseOrder, refuseState, refuseTrader } from './refuse-order.ts';
import { refusePlan, type Entry } from './refuse-plan.ts';
import { fireTriggers } from './trigger.ts';
import type { Turn } from './turn.ts';

export function amendOrder(exchange: Exchange, command: AmendOrder, at: Millis): Event[] {
  const account = exchange.accounts.get(command.account);
  const before = account === undefined ? undefined : amendedBefore(account, command, at);
  if (before !== undefined)
    return [{ type: 'OrderRepeated', orderId: before.orderId, account: before.account, clientOrderId: before.clientOrderId }];
  const old = account === undefined ? undefined : ownOrder(exchange, account, command.orderId);
  if (account === undefined || old === undefined || old.status !== 'resting') return [refuseUnamendable(exchange, command, account, old)];
  const order = amended(command, old, exchange.orders.nextId(), at);
  const refusal = refuseOrder(order, account, old.market, old);
  if (refusal !== undefined) return [refusal];
  const entry: Entry = { order, account, market: old.market, spends: old.spends, leaving: old, at };
  const plan = planEntry(exchange, entry);
  const objection = refusePlan(exchange.ledger, entry, plan);
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
function refuseUnamendable(
  exchange: Exchange,
  command: AmendOrder,
  account: Account | undefined,
  old: OpenOrder | undefined,
): CommandRejected {
  if (!isClientOrderId(command.clientOrderId)) return reject('InvalidField', 'clientOrderId');
  if (account === undefined) return reject('UnknownAccount', 'account');
  if (old === undefined) return reject('UnknownOrder', 'orderId');
  return (
    refuseTrader(account) ??
    refuseState(old.market) ??
    refuseName(account, command.clientOrderId, old) ??
    reject('OrderNotAmendable', 'orderId')
  );
}
