/** The open orders of every account, and how far each is filled. */
import {
  addAtoms,
  addLots,
  NO_ATOMS,
  NO_LOTS,
  subtractLots,
  type AccountId,
  type Atoms,
  type Lots,
  type Millis,
  type OrderId,
} from '@orrery/units';
import type { CloseReason, Event, Order, Trade } from '@orrery/protocol';
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
  readonly #byAccount = new Map<AccountId, Map<OrderId, OrderState>>();
  readonly #byId = new Map<OrderId, OrderState>();

  /** @returns the orders that changed, as they are now; a closed one is told this once and then forgotten. */
  apply(event: Event, { at }: Moment): readonly OrderState[] {
    switch (event.type) {
      case 'OrderAccepted':
        return this.#accept(event);
      case 'OrderArmed':
        return this.#change(event.orderId, at, () => ({ status: 'armed' }));
      case 'OrderTriggered':
        return this.#change(event.orderId, at, () => ({ status: 'open' }));
      case 'OrderRested': {
        const { remaining, filled, filledNotional } = event;
        return this.#change(event.orderId, at, () => ({ status: 'open', remaining, filled, filledNotional }));
      }
      case 'OrderReduced':
        return this.#change(event.orderId, at, () => ({ remaining: event.remaining }));
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
    const open = [...(this.#byAccount.get(account)?.values() ?? NOTHING)];
    return open.sort((left, right) => left.order.orderId - right.order.orderId);
  }

  find(orderId: OrderId): OrderState | undefined {
    return this.#byId.get(orderId);
  }

  /** A client order id names one open order of its account. */
  findByClientOrderId(account: AccountId, clientOrderId: string): OrderState | undefined {
    for (const state of this.#byAccount.get(account)?.values() ?? NOTHING) if (state.order.clientOrderId === clientOrderId) return state;
    return undefined;
  }

  #accept(event: Extract<Event, { type: 'OrderAccepted' }>): readonly OrderState[] {
    const { type: _, ...order } = event;
    const state: OrderState = {
      order,
      status: 'open',
      remaining: order.size,
      filled: NO_LOTS,
      filledNotional: NO_ATOMS,
      updatedAt: order.createdAt,
      closeReason: undefined,
    };
    this.#put(state);
    return [state];
  }

  #trade(trade: Trade, at: Millis): readonly OrderState[] {
    const addFill = ({ filled, filledNotional }: OrderState) => ({
      filled: addLots(filled, trade.size),
      filledNotional: addAtoms(filledNotional, trade.notional),
    });
    const taker = this.#change(trade.takerOrderId, at, (state) => ({
      ...addFill(state),
      remaining: state.order.size === NO_LOTS ? NO_LOTS : subtractLots(state.remaining, trade.size),
    }));
    const maker = this.#change(trade.makerOrderId, at, (state) => ({ ...addFill(state), remaining: trade.makerRemaining }));
    return [...taker, ...maker];
  }

  #close(event: Extract<Event, { type: 'OrderClosed' }>, at: Millis): readonly OrderState[] {
    const { orderId, account, reason, filled, filledNotional } = event;
    const closed = this.#change(orderId, at, () => ({ status: 'closed', closeReason: reason, filled, filledNotional }));
    this.#byId.delete(orderId);
    const open = this.#byAccount.get(account);
    open?.delete(orderId);
    if (open?.size === 0) this.#byAccount.delete(account);
    return closed;
  }

  #change(orderId: OrderId, at: Millis, change: (state: OrderState) => Partial<OrderState>): readonly OrderState[] {
    const before = this.#byId.get(orderId);
    if (before === undefined) return NOTHING;
    // Facts tell no time: what they say of an order became true not before it was created.
    const updatedAt = at > before.updatedAt ? at : before.updatedAt;
    const state = { ...before, updatedAt, ...change(before) };
    this.#put(state);
    return [state];
  }

  #put(state: OrderState): void {
    const { account, orderId } = state.order;
    const open = this.#byAccount.get(account) ?? new Map<OrderId, OrderState>();
    this.#byAccount.set(account, open.set(orderId, state));
    this.#byId.set(orderId, state);
  }
}
