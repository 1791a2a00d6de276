/** By what name a client knows its orders, and for how long: while they are open, and a while after. */
import { assert, NO_LOTS, NO_TICKS, type Millis, type OrderId } from '@orrery/units';
import type { AmendOrder, Order } from '@orrery/protocol';
import { CLOSED_CLIENT_ORDERS_REMEMBERED, CLOSED_CLIENT_ORDERS_REMEMBERED_MS } from '@orrery/rules';
import type { OpenOrder } from '../orders/open-order.ts';
import type { Account } from './account.ts';

/** What is remembered of a closed order: enough to know the command that placed it when it comes again. */
export interface ClosedClientOrder {
  readonly order: Order;
  /** The order it was an amendment of; 0 for none. */
  readonly replaces: OrderId | 0;
  readonly closedAt: Millis;
}

/** Whom a name names: the open order, and the last closed one while it is remembered. */
export interface NamedOrders {
  open: OpenOrder | undefined;
  closed: Closing | undefined;
}

/** With whom its name names: whether it is still the last of its name needs no search. */
interface Closing extends ClosedClientOrder {
  readonly named: NamedOrders;
}

/** So many closings are kept at most, passed over ones and forgotten ones included. */
const CLOSINGS_MAX = 4 * CLOSED_CLIENT_ORDERS_REMEMBERED;

/** The names of one account's orders. Most accounts give none: nothing is made before the first. */
export class ClientOrders {
  #byName: Map<string, NamedOrders> | undefined;
  /** In the order of their closing, from `#oldest` on. One whose name has closed again since is no longer remembered and is passed over. */
  #closings: Closing[] = [];
  #oldest = 0;
  #remembered = 0;

  /** The open order of this name. */
  open(clientOrderId: string): OpenOrder | undefined {
    return clientOrderId === '' ? undefined : this.#byName?.get(clientOrderId)?.open;
  }

  /** The order of this name that is still known: the open one first. */
  known(clientOrderId: string, at: Millis): Pick<ClosedClientOrder, 'order' | 'replaces'> | undefined {
    const named = clientOrderId === '' ? undefined : this.#byName?.get(clientOrderId);
    if (named === undefined || named.open !== undefined) return named?.open;
    return named.closed !== undefined && isRemembered(named.closed, at) ? named.closed : undefined;
  }

  /** Names an order that opens; it keeps what names it, so that its closing need not be searched for. */
  enter(open: OpenOrder): void {
    const { clientOrderId } = open.order;
    if (clientOrderId === '') return;
    const named = this.#named(clientOrderId);
    assert(named.open === undefined, 'a name names one open order');
    named.open = open;
    open.named = named;
  }

  /** Forgets the oldest beyond the number and the time that are remembered, so that an account's memory is bounded. */
  close(open: OpenOrder, at: Millis): void {
    const { named } = open;
    if (named === undefined) return;
    named.open = undefined;
    this.#remember({ order: open.order, replaces: open.replaces, closedAt: at, named });
    while (this.#remembered > CLOSED_CLIENT_ORDERS_REMEMBERED || !isRemembered(this.#oldestClosing(), at)) this.#forgetOldest();
  }

  /** The remembered ones, in the order of their closing. */
  closed(): ClosedClientOrder[] {
    return this.#current();
  }

  /** Puts back what a snapshot knew, in the order of their closing. */
  restoreClosed({ order, replaces, closedAt }: ClosedClientOrder): void {
    this.#remember({ order, replaces, closedAt, named: this.#named(order.clientOrderId) });
  }

  #current(): Closing[] {
    return this.#closings.slice(this.#oldest).filter(isCurrent);
  }

  #named(clientOrderId: string): NamedOrders {
    this.#byName ??= new Map();
    const before = this.#byName.get(clientOrderId);
    if (before !== undefined) return before;
    const named: NamedOrders = { open: undefined, closed: undefined };
    this.#byName.set(clientOrderId, named);
    return named;
  }

  #remember(closing: Closing): void {
    const { named } = closing;
    if (named.closed === undefined) this.#remembered += 1;
    named.closed = closing;
    this.#closings.push(closing);
    if (this.#closings.length < CLOSINGS_MAX) return;
    this.#closings = this.#current();
    this.#oldest = 0;
  }

  #oldestClosing(): Closing {
    const closing = this.#closings[this.#oldest];
    assert(closing !== undefined, 'the last closing is remembered');
    return closing;
  }

  #forgetOldest(): void {
    const closing = this.#oldestClosing();
    if (isCurrent(closing)) this.#forget(closing);
    this.#oldest += 1;
  }

  #forget({ named, order }: Closing): void {
    named.closed = undefined;
    this.#remembered -= 1;
    if (named.open === undefined) this.#byName?.delete(order.clientOrderId);
  }
}

/** Not since has an order of its name closed. */
const isCurrent = (closing: Closing): boolean => closing.named.closed === closing;

/** The order that the same command placed before, if it did. */
export function placedBefore(account: Account, asked: Order): Order | undefined {
  const known = account.clientOrders.known(asked.clientOrderId, asked.createdAt);
  return known !== undefined && isSameBody(known.order, asked) ? known.order : undefined;
}

/** The order that the same amendment made before, if it did. */
export function amendedBefore(account: Account, command: AmendOrder, at: Millis): Order | undefined {
  const known = account.clientOrders.known(command.clientOrderId, at);
  if (known === undefined || known.replaces !== command.orderId) return undefined;
  const samePrice = command.price === NO_TICKS || command.price === known.order.price;
  const sameSize = command.size === NO_LOTS || command.size === known.order.size;
  return samePrice && sameSize ? known.order : undefined;
}

function isRemembered(closed: ClosedClientOrder, at: Millis): boolean {
  return at - closed.closedAt < CLOSED_CLIENT_ORDERS_REMEMBERED_MS;
}

function isSameBody(left: Order, right: Order): boolean {
  return (
    left.market === right.market &&
    left.side === right.side &&
    left.orderType === right.orderType &&
    left.timeInForce === right.timeInForce &&
    left.price === right.price &&
    left.size === right.size &&
    left.funds === right.funds &&
    left.triggerPrice === right.triggerPrice &&
    left.slippagePpm === right.slippagePpm &&
    left.selfTradePrevention === right.selfTradePrevention
  );
}
