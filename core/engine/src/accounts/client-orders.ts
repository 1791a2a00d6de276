/** By what name a client knows its orders, and for how long: while they are open, and a while after. */
import { assert, NO_LOTS, NO_TICKS, type Millis } from '@orrery/units';
import type { AmendOrder, Order } from '@orrery/protocol';
import { CLOSED_CLIENT_ORDERS_REMEMBERED, CLOSED_CLIENT_ORDERS_REMEMBERED_MS } from '@orrery/rules';
import type { OpenOrder } from '../orders/open-order.ts';
import type { Account } from './account.ts';
import { Closings, decodeClosings, NO_CLOSING, type ClosedClientOrder, type EncodedClosings, type NamedOrders } from './closings.ts';
import { Names } from './names.ts';

/** So many closings are kept at most, those included whose name has closed again since. */
const CLOSINGS_MAX = 4 * CLOSED_CLIENT_ORDERS_REMEMBERED;

export const NO_CLOSINGS: EncodedClosings = { count: 0, bytes: new Uint8Array() };

/** The names of one account's orders. */
export class ClientOrders {
  readonly #names = new Names();
  #closings: Closings | undefined;
  /** Closings that are the last of their name. */
  #remembered = 0;

  /** The open order of this name. */
  open(clientOrderId: string): OpenOrder | undefined {
    return clientOrderId === '' ? undefined : this.#names.get(clientOrderId)?.open;
  }

  /** The order of this name that is still known: the open one first. */
  known(clientOrderId: string, at: Millis): Pick<ClosedClientOrder, 'order' | 'replaces'> | undefined {
    const named = clientOrderId === '' ? undefined : this.#names.get(clientOrderId);
    if (named === undefined || named.open !== undefined) return named?.open;
    const closings = this.#closings;
    if (closings === undefined || named.closing === NO_CLOSING) return undefined;
    return isRemembered(closings.closedAt(named.closing), at) ? closings.read(named.closing) : undefined;
  }

  /** Names an order that opens; it keeps what names it, so that its closing need not be searched for. */
  enter(open: OpenOrder): void {
    const { clientOrderId } = open.order;
    const named = this.#names.at(clientOrderId);
    assert(named.open === undefined, 'a name names one open order');
    named.open = open;
    open.named = named;
  }

  /** Forgets the oldest beyond the number and the time that are remembered, so that an account's memory is bounded. */
  close(open: OpenOrder, at: Millis): void {
    const { named } = open;
    if (named === undefined) return;
    named.open = undefined;
    const closings = this.#remember({ order: open.order, replaces: open.replaces, closedAt: at }, named);
    while (this.#remembered > CLOSED_CLIENT_ORDERS_REMEMBERED || !isRemembered(closings.closedAt(closings.oldest), at))
      this.#forgetOldest(closings);
  }

  /** The remembered ones, in the order of their closing. */
  closed(): EncodedClosings {
    return this.#closings?.encoded() ?? NO_CLOSINGS;
  }

  /** Puts back what a snapshot knew. */
  restoreClosed(closed: EncodedClosings): void {
    for (const each of decodeClosings(closed)) this.#remember(each, this.#names.at(each.order.clientOrderId));
  }

  #remember(closed: ClosedClientOrder, named: NamedOrders): Closings {
    this.#closings ??= new Closings();
    if (named.closing === NO_CLOSING) this.#remembered += 1;
    this.#closings.push(closed, named);
    if (this.#closings.count >= CLOSINGS_MAX) this.#closings.keepCurrent();
    return this.#closings;
  }

  #forgetOldest(closings: Closings): void {
    const number = closings.oldest;
    const named = closings.named(number);
    closings.forgetOldest();
    if (named.closing !== number) return;
    named.closing = NO_CLOSING;
    this.#remembered -= 1;
    if (named.open === undefined) this.#names.delete(named.name);
  }
}

/** Names an order that opens, if its client did. Most accounts give no names: nothing is made before the first. */
export function enterName(account: Account, open: OpenOrder): void {
  if (open.order.clientOrderId === '') return;
  account.clientOrders ??= new ClientOrders();
  account.clientOrders.enter(open);
}

/** Puts back what a snapshot knew. */
export function restoreNames(account: Account, closed: EncodedClosings): void {
  if (closed.count === 0) return;
  account.clientOrders ??= new ClientOrders();
  account.clientOrders.restoreClosed(closed);
}

/** The order that the same command placed before, if it did. */
export function placedBefore(account: Account, asked: Order): Order | undefined {
  const known = account.clientOrders?.known(asked.clientOrderId, asked.createdAt);
  return known !== undefined && isSameBody(known.order, asked) ? known.order : undefined;
}

/** The order that the same amendment made before, if it did. */
export function amendedBefore(account: Account, command: AmendOrder, at: Millis): Order | undefined {
  const known = account.clientOrders?.known(command.clientOrderId, at);
  if (known === undefined || known.replaces !== command.orderId) return undefined;
  const samePrice = command.price === NO_TICKS || command.price === known.order.price;
  const sameSize = command.size === NO_LOTS || command.size === known.order.size;
  return samePrice && sameSize ? known.order : undefined;
}

const isRemembered = (closedAt: Millis, at: Millis): boolean => at - closedAt < CLOSED_CLIENT_ORDERS_REMEMBERED_MS;

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
