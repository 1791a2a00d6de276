/**
 * Gives a resting limit order another price or size under its id. A size is that of the whole order: what is filled of it is taken off here, at the moment the
 * change applies, so that an amendment on its way while the order fills never trades more than its size.
 */
import { addLots, assert, lots, NO_LOTS, NO_TICKS, ppm, subtractLots, type Lots, type Millis } from '@orrery/units';
import type { AmendOrder, Order } from '@orrery/protocol';
import { onlyReduces } from '../clearing/reduces.ts';
import { ownOrder } from './cancel-order.ts';
import { cancelOpenOrder, releaseOrder } from './close-order.ts';
import { clippedToPosition } from './clip-reduction.ts';
import type { CommandScope } from './command-scope.ts';
import type { Entry } from './entry.ts';
import { execute, planEntry } from './execute.ts';
import type { OpenOrder } from './open-order.ts';
import { unchanged, type OrderOutcome } from './order-outcome.ts';
import { isOfOthers } from './pair.ts';
import { repeatOf } from './place-order.ts';
import { refuseAmendment, refuseChange, refuseUnamendable } from './refuse-amendment.ts';
import { refusePlan } from './refuse-plan.ts';
import { replaceOrder } from './replace-order.ts';
import type { Trading } from './trading.ts';

export function amendOrder(trading: Trading, command: AmendOrder, at: Millis): OrderOutcome {
  if (trading.rules < 8) return replaceOrder(trading, command, at);
  const before = trading.orders.named.amendedBefore(command, at);
  if (before !== undefined) return unchanged(repeatOf(before));
  const open = ownOrder(trading.orders, command.account, command.orderId);
  if (open === undefined || open.status !== 'resting' || isOfOthers(open.order))
    return unchanged(refuseUnamendable(trading, command, open));
  const wanted: Change = { open, order: amended(command, open), rest: restOf(command, open), isNamed: command.clientOrderId !== '' };
  const change = clipped(trading, wanted, at);
  if (change.rest === NO_LOTS) return end(trading, change, at);
  return keepsPlace(change) ? shrink(trading, change, at) : move(trading, change, at);
}

interface Change {
  readonly open: OpenOrder;
  /** As it would be. */
  readonly order: Order;
  /** What it would have left to trade. */
  readonly rest: Lots;
  /** Whether the command names it. */
  readonly isNamed: boolean;
}

const amended = ({ clientOrderId, price, size }: AmendOrder, { order }: OpenOrder): Order => ({
  ...order,
  clientOrderId: clientOrderId === '' ? order.clientOrderId : clientOrderId,
  price: price === NO_TICKS ? order.price : price,
  size: size === NO_LOTS ? order.size : size,
});

/** What self-trade prevention took of it is not made up, unless a new size says so. */
function restOf({ size }: AmendOrder, { filled, remaining }: OpenOrder): Lots {
  if (size === NO_LOTS) return remaining;
  return size > filled ? subtractLots(size, filled) : NO_LOTS;
}

/** What only reduces is no larger than what there is to reduce. */
function clipped(trading: Trading, change: Change, at: Millis): Change {
  const { size: rest } = clippedToPosition(trading, actingOrder(change, at), change.open);
  return rest === change.rest ? change : { ...change, rest, order: { ...change.order, size: addLots(change.open.filled, rest) } };
}

const keepsPlace = ({ open, order, rest }: Change): boolean => order.price === open.order.price && rest <= open.remaining;

/** The size is filled already. */
function end(trading: Trading, { open, order, isNamed }: Change, at: Millis): OrderOutcome {
  const refusal = refuseChange(trading, order, open);
  if (refusal !== undefined) return unchanged(refusal);
  // After this point nothing fails.
  const scope: CommandScope = { trading, at, events: [] };
  if (isNamed) {
    open.order = { ...open.order, clientOrderId: order.clientOrderId };
    trading.orders.named.rename(open, order, at);
  }
  cancelOpenOrder(scope, open, 'amendedToFilled');
  return { events: scope.events, market: undefined };
}

/** It binds no more than before, and trades with nobody: neither its money nor its price is looked at. */
function shrink(trading: Trading, change: Change, at: Millis): OrderOutcome {
  const { open, order, rest } = change;
  const refusal = refuseAmendment(trading, { order, acting: actingOrder(change, at), old: open });
  if (refusal !== undefined) return unchanged(refusal);
  // After this point nothing fails.
  const scope: CommandScope = { trading, at, events: [] };
  const removed = subtractLots(open.remaining, rest);
  if (removed > NO_LOTS) {
    open.market.clearing.release(open, removed);
    open.market.book.reduce(open.slot, removed);
  }
  become(scope, change, removed);
  return { events: scope.events, market: undefined };
}

/** It leaves its place, and acts again. */
function move(trading: Trading, change: Change, at: Millis): OrderOutcome {
  const { open, order } = change;
  const { market, payer } = open;
  const acting = actingOrder(change, at);
  const refusal = refuseAmendment(trading, { order, acting, old: open });
  if (refusal !== undefined) return unchanged(refusal);
  const entry: Entry = { order: acting, market, payer, leaving: open, at };
  const plan = planEntry(trading, entry);
  const objection = refusePlan(trading, entry, plan);
  if (objection !== undefined) return unchanged(objection);
  // After this point nothing fails.
  const scope: CommandScope = { trading, at, events: [] };
  const removed = open.remaining;
  market.book.remove(open.slot);
  releaseOrder(open);
  become(scope, change, removed);
  execute(scope, open, plan);
  return { events: scope.events, market };
}

/** What of it is held against the book: a plain limit order of what is left. */
const actingOrder = ({ order, rest }: Change, at: Millis): Order => ({
  ...order,
  orderType: 'limit',
  triggerPrice: NO_TICKS,
  slippagePpm: ppm(0),
  size: rest,
  createdAt: at,
  // Its size is its own now.
  contract: order.contract === undefined ? undefined : { ...order.contract, reduceOnly: onlyReduces(order), closePosition: false },
  // Once it rests it is no take-profit and no stop any more.
  spot: order.spot === undefined ? undefined : { ...order.spot, source: 'plain', triggerDirection: 'none' },
});

function become({ trading, at, events }: CommandScope, { open, order, rest, isNamed }: Change, removed: Lots): void {
  const { orderId, account, market, clientOrderId, side, price, size } = order;
  const oldPrice = open.order.price;
  const isKept = open.status === 'resting';
  open.order = order;
  open.remaining = rest;
  if (isNamed) trading.orders.named.rename(open, order, at);
  assert(open.remaining + open.filled <= size, 'an order trades no more than its size');
  events.push({
    type: 'OrderAmended',
    orderId,
    account,
    market,
    clientOrderId,
    side,
    price,
    size,
    remaining: rest,
    oldPrice,
    removed: lots(removed),
    keepsPlace: isKept,
  });
}
