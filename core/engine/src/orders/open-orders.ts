/** Every open order of the exchange. Ids are given in the order of acceptance, so the first entry is the oldest. */
import { assert, orderId, tradeId, type Millis, type OrderId, type TradeId } from '@orrery/units';
import type { Order } from '@orrery/protocol';
import { ClientOrdersOfAccounts } from '../client-order-ids/client-orders-of-accounts.ts';
import type { HashKey } from '../keyed/keyed-hash.ts';
import type { Entry } from './entry.ts';
import { newOpenOrder, type OpenOrder } from './open-order.ts';
import { OrderPages } from './order-pages.ts';
import { OrdersOfAccounts } from './orders-of-accounts.ts';

export class OpenOrders {
  readonly #byId = new OrderPages();
  readonly ofAccounts = new OrdersOfAccounts();
  /** By the names that clients gave them. */
  readonly named: ClientOrdersOfAccounts<OpenOrder>;
  lastOrderId = 0;
  lastTradeId = 0;

  constructor(hashKey?: HashKey) {
    this.named = new ClientOrdersOfAccounts(hashKey);
  }

  /** The id that the next accepted order will have. */
  nextId(): OrderId {
    return orderId(this.lastOrderId + 1);
  }

  takeTradeId(): TradeId {
    this.lastTradeId += 1;
    return tradeId(this.lastTradeId);
  }

  get(id: OrderId): OpenOrder | undefined {
    return this.#byId.get(id);
  }

  /** The order of a book slot or another record of the state: it must be open. */
  known(id: OrderId): OpenOrder {
    const open = this.#byId.get(id);
    assert(open !== undefined, 'an order that the state speaks of is open');
    return open;
  }

  /** @param asked as its command asked for it, where it is another size that was accepted */
  open({ order, market, payer }: Entry, replaces: OrderId | 0, asked: Order = order): OpenOrder {
    const { orderId } = order;
    assert(orderId === this.lastOrderId + 1, 'order ids are given without a gap');
    this.lastOrderId = orderId;
    const open = newOpenOrder(order, market, payer, replaces);
    open.asked = asked;
    this.enter(open);
    return open;
  }

  /** Enters an order that has its id already. Orders enter in the order of their ids. */
  enter(open: OpenOrder): void {
    this.#byId.set(open.order.orderId, open);
    this.ofAccounts.join(open);
    this.named.enter(open);
  }

  /** Takes the newest order back, as if it had never come. It has nothing reserved any more, and stands nowhere. */
  retract(open: OpenOrder): void {
    const { orderId } = open.order;
    assert(orderId === this.lastOrderId, 'the newest order is taken back first');
    this.#byId.retract(orderId);
    this.ofAccounts.leave(open);
    this.named.retract(open);
    this.lastOrderId = orderId - 1;
  }

  close(open: OpenOrder, at: Millis): void {
    this.#byId.delete(open.order.orderId);
    this.ofAccounts.leave(open);
    this.named.close(open, at);
  }

  /** Oldest first. */
  [Symbol.iterator](): Iterator<OpenOrder> {
    return this.#byId[Symbol.iterator]();
  }
}
