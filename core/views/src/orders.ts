/** The open orders of every account, and how far each is filled. */
import {
  addAtoms,
  addLots,
  assert,
  NO_ATOMS,
  NO_LOTS,
  NO_TICKS,
  orderId as toOrderId,
  ppm,
  subtractLots,
  unreachable,
  type AccountId,
  type Atoms,
  type Lots,
  type Millis,
  type OrderId,
} from '@orrery/units';
import { stopDirection } from '@orrery/rules';
import type {
  CloseReason,
  Event,
  Order,
  OrderAccepted,
  OrderAmended,
  OrderArmed,
  OrderClosed,
  OrderPaused,
  OrderReduced,
  OrderRested,
  OrderTriggered,
  StallReason,
  TrailingStarted,
  Trade,
  TriggerAmended,
  TriggerStalled,
} from '@orrery/protocol';
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
  /** Why it could not act though its trigger price is reached; undefined otherwise. It is `armed`, and tried again. */
  readonly stalled: StallReason | undefined;
}

/** The view's own: readers get this very object, which the next event changes in place. */
type Kept = { -readonly [Field in keyof OrderState]: OrderState[Field] };

const NOTHING: readonly OrderState[] = [];

export class OrdersView implements Fold {
  readonly #byId = new Map<OrderId, Kept>();
  readonly #openOf = new Map<AccountId, Set<OrderId>>();

  /**
   * @returns the orders that changed, as they are now; a closed one is returned once more and then dropped. The returned object changes with
   * the next event: a caller that needs the present values later keeps a copy.
   */
  apply(event: Event, { at }: Moment): readonly OrderState[] {
    switch (event.type) {
      case 'OrderAccepted':
        return this.#accept(event);
      case 'OrderArmed':
      case 'OrderTriggered':
      case 'OrderRested':
      case 'OrderPaused':
      case 'OrderReduced':
      case 'OrderAmended':
      case 'TriggerAmended':
      case 'TriggerStalled':
      case 'TrailingStarted': {
        const state = this.#byId.get(event.orderId);
        if (state === undefined) return NOTHING;
        become(state, event);
        return [touched(state, at)];
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

  /** The fact is the order itself, with all its fields. */
  #accept(order: OrderAccepted): readonly OrderState[] {
    const { account, orderId } = order;
    const open = this.#openOf.get(account);
    if (open === undefined) this.#openOf.set(account, new Set([orderId]));
    else open.add(orderId);
    const state: Kept = {
      order,
      status: 'open',
      remaining: order.size,
      filled: NO_LOTS,
      filledNotional: NO_ATOMS,
      updatedAt: order.createdAt,
      closeReason: undefined,
      stalled: undefined,
    };
    this.#byId.set(orderId, state);
    return [state];
  }

  #trade(trade: Trade, at: Millis): readonly OrderState[] {
    const taker = this.#byId.get(trade.takerOrderId);
    const maker = this.#byId.get(trade.makerOrderId);
    const changed: OrderState[] = [];
    if (taker !== undefined) {
      if (taker.order.size !== NO_LOTS) taker.remaining = subtractLots(taker.remaining, trade.size);
      changed.push(filledBy(trade, taker, at));
    }
    if (maker !== undefined) {
      maker.remaining = trade.makerRemaining;
      changed.push(filledBy(trade, maker, at));
    }
    return changed;
  }

  /** What is left of a pair acts, and has reserved for itself. */
  #leaveAlone({ orderId, spot }: Order): void {
    if (spot === undefined || spot.group === 0) return;
    const partner = this.#byId.get(orderId === spot.group ? toOrderId(spot.group + 1) : spot.group);
    const terms = partner?.order.spot;
    if (partner === undefined || terms?.group !== spot.group) return;
    partner.order = { ...partner.order, spot: { ...terms, reservedBy: 0, reservePrice: NO_TICKS } };
  }

  #close({ orderId, account, clientOrderId, reason, filled, filledNotional }: OrderClosed, at: Millis): readonly OrderState[] {
    const state = this.#byId.get(orderId);
    this.#byId.delete(orderId);
    const open = this.#openOf.get(account);
    open?.delete(orderId);
    if (open?.size === 0) this.#openOf.delete(account);
    if (state === undefined) return NOTHING;
    this.#leaveAlone(state.order);
    // An amendment that ends its order may name it.
    if (clientOrderId !== state.order.clientOrderId) state.order = { ...state.order, clientOrderId };
    state.status = 'closed';
    state.closeReason = reason;
    state.filled = filled;
    state.filledNotional = filledNotional;
    return [touched(state, at)];
  }
}

type Change =
  | OrderArmed
  | OrderTriggered
  | OrderRested
  | OrderPaused
  | OrderReduced
  | OrderAmended
  | TriggerAmended
  | TriggerStalled
  | TrailingStarted;

function become(state: Kept, event: Change): void {
  switch (event.type) {
    case 'OrderArmed':
      state.status = 'armed';
      state.stalled = undefined;
      break;
    case 'OrderTriggered':
      state.status = 'open';
      state.stalled = undefined;
      break;
    case 'OrderRested':
    case 'OrderPaused':
      state.status = 'open';
      state.remaining = event.remaining;
      state.filled = event.filled;
      state.filledNotional = event.filledNotional;
      break;
    case 'OrderReduced':
      state.remaining = event.remaining;
      break;
    case 'OrderAmended':
      state.order = { ...state.order, clientOrderId: event.clientOrderId, price: event.price, size: event.size };
      state.remaining = event.remaining;
      break;
    case 'TriggerAmended':
      // A reached order that is only cut stays what it is.
      if (event.triggerPrice !== state.order.triggerPrice) state.stalled = undefined;
      state.order = { ...state.order, triggerPrice: event.triggerPrice, price: event.price, size: event.size };
      state.remaining = subtractLots(event.size, state.filled);
      break;
    case 'TrailingStarted':
      if (state.order.spot !== undefined) state.order = { ...state.order, spot: { ...state.order.spot, triggerDirection: 'none' } };
      break;
    case 'TriggerStalled':
      stallAt(state, event);
      break;
    default:
      unreachable(event);
  }
}

/** A trailing stop that was reached trails no more. */
function stallAt(state: Kept, { triggerPrice, reason, remaining, filled, filledNotional }: TriggerStalled): void {
  const { contract, spot, side } = state.order;
  const still = { trailingPpm: ppm(0), triggerDirection: stopDirection(side) };
  state.order = {
    ...state.order,
    triggerPrice,
    // What it has lost to self-trade prevention is no part of it any more.
    ...(state.order.size !== NO_LOTS && { size: addLots(filled, remaining) }),
    ...(contract !== undefined && contract.trailingPpm > 0 && { contract: { ...contract, ...still } }),
    ...(spot !== undefined && spot.trailingPpm > 0 && { spot: { ...spot, ...still } }),
  };
  Object.assign(state, { status: 'armed', stalled: reason, remaining, filled, filledNotional });
}

/** Facts tell no time: what they say of an order became true not before it was created. */
function touched(state: Kept, at: Millis): OrderState {
  if (at > state.updatedAt) state.updatedAt = at;
  return state;
}

function filledBy(trade: Trade, state: Kept, at: Millis): OrderState {
  state.filled = addLots(state.filled, trade.size);
  state.filledNotional = addAtoms(state.filledNotional, trade.notional);
  return touched(state, at);
}
