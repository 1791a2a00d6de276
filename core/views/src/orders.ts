/** The open orders of every account, and how far each is filled. */
import {
  addAtoms,
  addLots,
  assert,
  NO_ATOMS,
  NO_LOTS,
  subtractLots,
  type AccountId,
  type Atoms,
  type Lots,
  type Millis,
  type OrderId,
} from '@orrery/units';
import type { CloseReason, Event, Order, OrderAccepted, OrderClosed, Trade } from '@orrery/protocol';
import type { Fold, Moment } from './fold.ts';

export interface OrderState {
  readonly order: Order;
  /** `armed` waits for its trigger price. */
  readonly status: 'open' | 'armed' | 'closed';
  /** Of an order by funds always 0. */
  readonly remaining: Lots;
  readonly filled: Lots;
  /** Quote atoms. */
  readonly filledNotional: Atoms;
  readonly updatedAt: Millis;
  /** While it is open: undefined. */
  readonly closeReason: CloseReason | undefined;
}

const NOTHING: readonly OrderState[] = [];

export class OrdersView implements Fold {
  readonly #byId = new Map<OrderId, OrderState>();
  readonly #openOf = new Map<AccountId, Set<OrderId>>();

  /** @returns the orders that changed, as they are now; a closed one is told this once and then forgotten. */
  apply(event: Event, { at }: Moment): readonly OrderState[] {
    switch (event.type) {
      case 'OrderAccepted':
        return this.#accept(event);
      case 'OrderArmed': {
        const before = this.#byId.get(event.orderId);
        return before === undefined ? NOTHING : this.#put({ ...before, updatedAt: since(before, at), status: 'armed' });
      }
      case 'OrderTriggered': {
        const before = this.#byId.get(event.orderId);
        return before === undefined ? NOTHING : this.#put({ ...before, updatedAt: since(before, at), status: 'open' });
      }
      case 'OrderRested': {
        const before = this.#byId.get(event.orderId);
        if (before === undefined) return NOTHING;
        const { remaining, filled, filledNotional } = event;
        return this.#put({ ...before, updatedAt: since(before, at), status: 'open', remaining, filled, filledNotional });
      }
      case 'OrderReduced': {
        const before = this.#byId.get(event.orderId);
        return before === undefined ? NOTHING : this.#put({ ...before, updatedAt: since(before, at), remaining: event.remaining });
      }
      case 'Trade':
        return this.#trade(event, at);
      case 'OrderClosed':
        return this.#close(event, at);
      default:
        return NOTHING;
    }
  }

  /** In order of acceptance, which is the order of ids: facts tell orders by their place in the book. */
  open(account: AccountId): readonly OrderState[] {
    return [...this.#ofAccount(account)].sort((left, right) => left.order.orderId - right.order.orderId);
  }

  find(orderId: OrderId): OrderState | undefined {
    return this.#byId.get(orderId);
  }

  /** A client order id names one open order of its account. */
  findByClientOrderId(account: AccountId, clientOrderId: string): OrderState | undefined {
    for (const state of this.#ofAccount(account)) if (state.order.clientOrderId === clientOrderId) return state;
    return undefined;
  }

  *#ofAccount(account: AccountId): Generator<OrderState> {
    for (const orderId of this.#openOf.get(account) ?? []) {
      const state = this.#byId.get(orderId);
      assert(state !== undefined, 'what is open of an account is known by its id');
      yield state;
    }
  }

  /** The fact is the order itself: it tells all of it. */
  #accept(order: OrderAccepted): readonly OrderState[] {
    const { account, orderId } = order;
    const open = this.#openOf.get(account);
    if (open === undefined) this.#openOf.set(account, new Set([orderId]));
    else open.add(orderId);
    return this.#put({
      order,
      status: 'open',
      remaining: order.size,
      filled: NO_LOTS,
      filledNotional: NO_ATOMS,
      updatedAt: order.createdAt,
      closeReason: undefined,
    });
  }

  #trade(trade: Trade, at: Millis): readonly OrderState[] {
    const taker = this.#byId.get(trade.takerOrderId);
    const maker = this.#byId.get(trade.makerOrderId);
    const changed: OrderState[] = [];
    if (taker !== undefined) {
      const remaining = taker.order.size === NO_LOTS ? NO_LOTS : subtractLots(taker.remaining, trade.size);
      changed.push(filledBy(trade, { state: taker, remaining, at }));
    }
    if (maker !== undefined) changed.push(filledBy(trade, { state: maker, remaining: trade.makerRemaining, at }));
    for (const state of changed) this.#byId.set(state.order.orderId, state);
    return changed;
  }

  #close({ orderId, account, reason, filled, filledNotional }: OrderClosed, at: Millis): readonly OrderState[] {
    const before = this.#byId.get(orderId);
    this.#byId.delete(orderId);
    const open = this.#openOf.get(account);
    open?.delete(orderId);
    if (open?.size === 0) this.#openOf.delete(account);
    if (before === undefined) return NOTHING;
    return [{ ...before, updatedAt: since(before, at), status: 'closed', closeReason: reason, filled, filledNotional }];
  }

  #put(state: OrderState): readonly OrderState[] {
    this.#byId.set(state.order.orderId, state);
    return [state];
  }
}

/** Facts tell no time: what they say of an order became true not before it was created. */
const since = (before: OrderState, at: Millis): Millis => (at > before.updatedAt ? at : before.updatedAt);

const filledBy = (trade: Trade, { state, remaining, at }: { state: OrderState; remaining: Lots; at: Millis }): OrderState => ({
  ...state,
  updatedAt: since(state, at),
  remaining,
  filled: addLots(state.filled, trade.size),
  filledNotional: addAtoms(state.filledNotional, trade.notional),
});
