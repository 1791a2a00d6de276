/**
 * Places orders together, all or none. Each is checked against what those before it have bound; when one is refused those before it are taken back, as if they had
 * never come. That is exact because they have traded nothing: only the last one may take.
 */
import { unreachable, type Millis } from '@orrery/units';
import type { Event, PlaceOrders } from '@orrery/protocol';
import { isStop, ORDERS_PER_BATCH, reject } from '@orrery/rules';
import type { OpenOrder } from './open-order.ts';
import { unchanged, type OrderOutcome } from './order-outcome.ts';
import { placeContractOrder } from './place-contract-order.ts';
import { placeOrder, placeSpotOrder } from './place-order.ts';
import { takeBack } from './take-back.ts';
import type { Trading } from './trading.ts';

export function placeOrders(trading: Trading, command: PlaceOrders, at: Millis): OrderOutcome {
  const refusal = refuseBatch(trading, command);
  if (refusal !== undefined) return refusal;
  const events: Event[] = [];
  const placed: OpenOrder[] = [];
  let market: OrderOutcome['market'];
  for (const [index, order] of command.orders.entries()) {
    const outcome = place(trading, order, at);
    const [first] = outcome.events;
    if (first?.type === 'CommandRejected') {
      for (const open of placed.toReversed()) takeBack(trading, open);
      return unchanged({ ...first, field: fieldOf(index, first.field) });
    }
    if (first?.type === 'OrderAccepted' && index < command.orders.length - 1) placed.push(trading.orders.known(first.orderId));
    events.push(...outcome.events);
    market = outcome.market ?? market;
  }
  return { events, market };
}

type Placed = PlaceOrders['orders'][number];

function place(trading: Trading, order: Placed, at: Millis): OrderOutcome {
  switch (order.type) {
    case 'PlaceOrder':
      return placeOrder(trading, order, at);
    case 'PlaceSpotOrder':
      return placeSpotOrder(trading, order, at);
    case 'PlaceContractOrder':
      return placeContractOrder(trading, order, at);
    default:
      return unreachable(order);
  }
}

/** Which order, and what of it; the engine names a field of an order by its name alone. */
const fieldOf = (index: number, field: string): string => (field === '' ? String(index) : `${index}.${field}`);

function refuseBatch({ rules }: Trading, { account, orders }: PlaceOrders): OrderOutcome | undefined {
  if (rules < 8) return unchanged(reject('RulesTooOld'));
  if (orders.length === 0 || orders.length > ORDERS_PER_BATCH) return unchanged(reject('InvalidField', 'orders'));
  if (orders.some((order) => order.account !== account)) return unchanged(reject('InvalidField', 'account'));
  const taking = orders.slice(0, -1).findIndex((order) => !takesNothing(order));
  if (taking >= 0) return unchanged(reject('InvalidCombination', fieldOf(taking, 'timeInForce')));
  const trailing = orders.slice(0, -1).findIndex((order) => distanceOf(order) > 0);
  return trailing < 0 ? undefined : unchanged(reject('InvalidCombination', fieldOf(trailing, 'trailingPpm')));
}

function distanceOf(order: Placed): number {
  if (order.type === 'PlaceContractOrder') return order.contract.trailingPpm;
  return order.type === 'PlaceSpotOrder' ? order.spot.trailingPpm : 0;
}

/** A trailing stop cannot be taken back either: what it has seen is kept with what its neighbours have seen. */
const takesNothing = (order: Placed): boolean => isStop(order) || order.timeInForce === 'GTX';
