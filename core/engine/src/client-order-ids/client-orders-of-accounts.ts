/** The orders of each account that its client gave a name. Most accounts give none: nothing is made before the first. */
import { NO_LOTS, NO_TICKS, type AccountId, type Millis } from '@orrery/units';
import type { AmendOrder, AttachedTrigger, Order } from '@orrery/protocol';
import { ATTACHED_KINDS, type RulesVersion } from '@orrery/rules';
import { setAt } from '../accounts/column.ts';
import { ClientOrders, NO_CLOSINGS, type KnownOrder } from './client-orders.ts';
import type { EncodedClosings } from './closings.ts';
import { OPEN_KEY, type HashKey } from '../keyed/keyed-hash.ts';
import { NO_NAME, type NamedOrder } from './named-order.ts';

export class ClientOrdersOfAccounts<Open extends NamedOrder> {
  /** By account; undefined before its first name. */
  readonly #made: (ClientOrders<Open> | undefined)[] = [];
  readonly #key: HashKey;

  /** @param key of the hash of names. */
  constructor(key: HashKey = OPEN_KEY) {
    this.#key = key;
  }

  /** The open order of this name. */
  open(account: AccountId, clientOrderId: string): Open | undefined {
    return clientOrderId === '' ? undefined : this.#made[account]?.open(clientOrderId);
  }

  /** The order that the same command placed before, if it did. */
  placedBefore(asked: Order, rules: RulesVersion): Order | undefined {
    const known = this.#known(asked.account, asked.clientOrderId, asked.createdAt);
    return known !== undefined && isSameBody(known.asked, asked, rules) ? known.asked : undefined;
  }

  /** The order that the same amendment made before, if it did. */
  amendedBefore(command: AmendOrder, at: Millis): Order | undefined {
    const known = this.#known(command.account, command.clientOrderId, at);
    if (known === undefined || known.replaces !== command.orderId) return undefined;
    const samePrice = command.price === NO_TICKS || command.price === known.asked.price;
    const sameSize = command.size === NO_LOTS || command.size === known.asked.size;
    return samePrice && sameSize ? known.asked : undefined;
  }

  /** Names an order that opens, if its client did. */
  enter(open: Open): void {
    const { account, clientOrderId } = open.asked;
    if (clientOrderId !== '') this.#of(account).enter(open);
  }

  /** An order is taken back, as if it had never come: nothing of it is remembered. */
  retract(open: Open): void {
    if (open.name !== NO_NAME) this.#of(open.asked.account).retract(open);
  }

  close(open: Open, at: Millis): void {
    if (open.name !== NO_NAME) this.#of(open.asked.account).close(open, at);
  }

  /** A command that named an open order has amended it: that command is known by the name from now on, and an earlier name is one that closed. */
  rename(open: Open, order: Order, at: Millis): void {
    const isNew = open.asked.clientOrderId !== order.clientOrderId;
    if (isNew) this.close(open, at);
    open.asked = order;
    open.replaces = order.orderId;
    if (isNew) this.enter(open);
  }

  /** The ones of an account that are remembered, in the order of their closing. */
  closed(account: AccountId): EncodedClosings {
    return this.#made[account]?.closed() ?? NO_CLOSINGS;
  }

  /** Puts back what a snapshot knew. */
  restore(account: AccountId, closed: EncodedClosings): void {
    if (closed.count > 0) this.#of(account).restoreClosed(closed);
  }

  #known(account: AccountId, clientOrderId: string, at: Millis): KnownOrder | undefined {
    return clientOrderId === '' ? undefined : this.#made[account]?.known(clientOrderId, at);
  }

  #of(account: AccountId): ClientOrders<Open> {
    const before = this.#made[account];
    if (before !== undefined) return before;
    const made = new ClientOrders<Open>(this.#key);
    setAt(this.#made, account, made);
    return made;
  }
}

function isSameBody(left: Order, right: Order, rules: RulesVersion): boolean {
  return (
    left.market === right.market &&
    left.side === right.side &&
    left.orderType === right.orderType &&
    left.timeInForce === right.timeInForce &&
    left.price === right.price &&
    (left.size === right.size || closesPosition(left)) &&
    left.funds === right.funds &&
    left.triggerPrice === right.triggerPrice &&
    left.slippagePpm === right.slippagePpm &&
    left.selfTradePrevention === right.selfTradePrevention &&
    isSameContract(left.contract, right.contract, rules) &&
    isSameSpot(left.spot, right.spot)
  );
}

/** Its size is that of the position at the time. */
const closesPosition = ({ contract }: Order): boolean => contract?.closePosition === true;

function isSameContract(left: Order['contract'], right: Order['contract'], rules: RulesVersion): boolean {
  if (left === undefined || right === undefined) return left === right;
  return (
    left.positionSide === right.positionSide &&
    left.reduceOnly === right.reduceOnly &&
    left.closePosition === right.closePosition &&
    left.triggerBy === right.triggerBy &&
    left.trailingPpm === right.trailingPpm &&
    left.source === right.source &&
    (rules < 6 || ATTACHED_KINDS.every((kind) => isSameTrigger(left[kind], right[kind])))
  );
}

/** What the prices and ids of the moment have made of the terms is no part of the request. */
function isSameSpot(left: Order['spot'], right: Order['spot']): boolean {
  if (left === undefined || right === undefined) return left === right;
  return (
    left.source === right.source &&
    left.trailingPpm === right.trailingPpm &&
    left.activationPrice === right.activationPrice &&
    (left.group === 0) === (right.group === 0) &&
    (left.parent === 0) === (right.parent === 0) &&
    ATTACHED_KINDS.every((kind) => isSameTrigger(left[kind], right[kind]))
  );
}

const isSameTrigger = (left: AttachedTrigger, right: AttachedTrigger): boolean =>
  left.triggerPrice === right.triggerPrice && left.triggerBy === right.triggerBy && left.price === right.price;
