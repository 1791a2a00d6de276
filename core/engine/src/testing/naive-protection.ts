/**
 * What protects a position, a second time, obvious and slow: who has which waiting orders that reduce a position, and how large it is, from the commands and events
 * alone. A position that had such an order has it until it is flat or turned, or until its owner took it away. Since rules 8. Without a line of the engine or the rules.
 */
import { assert } from '@orrery/units';
import type { Command, Event, Order, OrderClosed, PositionReduced, TriggerAmended, TriggerStalled } from '@orrery/protocol';

interface Guard {
  order: Order;
  remaining: number;
  filled: number;
  state: 'armed' | 'acting' | 'resting' | 'matching';
  isStalled: boolean;
}

const STATES = { OrderArmed: 'armed', OrderTriggered: 'acting', OrderRested: 'resting', OrderPaused: 'matching' } as const;

export class NaiveProtection {
  readonly #orders = new Map<number, Guard>();
  readonly #positions = new Map<string, number>();
  /** Groups of which an order has filled whole. */
  readonly #done = new Set<string>();
  /** By contract: the present price of each kind, 0 for none. */
  readonly #prices = new Map<number, Record<'last' | 'mark' | 'index', number>>();
  readonly #closed = new Set<number>();
  /** Contracts that are not open for want of prices. */
  readonly #unready = new Set<number>();
  #rules = 1;
  #liquidator = 0;
  /** How often each kind of thing was decided here. */
  readonly seen = new Map<string, number>();

  follow(command: Command, events: readonly Event[]): void {
    for (const event of events) this.#one(command, event);
  }

  /** After a round of prices and all that it continues: while few have stalled each was tried, so none stands whose price is not reached. */
  checkRound(market: number): void {
    const stalled = [...this.#orders.values()].filter((one) => one.isStalled && one.order.market === market);
    if (this.#rules < 8 || stalled.length > 16 || this.#closed.has(market) || this.#unready.has(market)) return;
    for (const { order } of stalled) {
      // The last price may have moved behind its try.
      if (order.contract?.triggerBy === 'last') continue;
      const price = this.#pricesOf(market)[order.contract?.triggerBy ?? 'last'];
      const isReached = order.contract?.triggerDirection === 'rise' ? price >= order.triggerPrice : price <= order.triggerPrice;
      assert(isReached, `O8: order ${order.orderId} was not tried at ${price}, and waits for ${order.triggerPrice}`);
      this.#count('stalled at a round');
    }
  }

  #one(command: Command, event: Event): void {
    switch (event.type) {
      case 'RulesUpgraded':
        this.#rules = event.version;
        return;
      case 'LiquidatorSet':
        this.#liquidator = event.account;
        return;
      case 'MarketStateChanged':
        if (event.state === 'TRADING') this.#closed.delete(event.market);
        else this.#closed.add(event.market);
        return;
      case 'PositionReduced':
        return this.#reduce(event);
      case 'PricesSet':
        if (event.state === 'READY' && event.freshRounds >= 3) this.#unready.delete(event.market);
        else this.#unready.add(event.market);
        Object.assign(this.#pricesOf(event.market), { mark: event.mark, index: event.index });
        return;
      default:
        return this.#ofOrder(command, event);
    }
  }

  #ofOrder(command: Command, event: Event): void {
    switch (event.type) {
      case 'OrderAccepted':
        this.#orders.set(event.orderId, { order: event, remaining: event.size, filled: 0, state: 'acting', isStalled: false });
        return;
      case 'OrderArmed':
      case 'OrderTriggered':
      case 'OrderRested':
      case 'OrderPaused':
        Object.assign(this.#orders.get(event.orderId)!, { state: STATES[event.type], isStalled: false });
        return;
      case 'OrderReduced': {
        const guard = this.#orders.get(event.orderId)!;
        this.#checkCut(guard, event.remaining);
        guard.remaining = event.remaining;
        return;
      }
      case 'OrderAmended': {
        const guard = this.#orders.get(event.orderId)!;
        guard.order = { ...guard.order, price: event.price, size: event.size };
        guard.remaining = event.remaining;
        return;
      }
      case 'TriggerAmended':
        return this.#amend(command, event);
      case 'TriggerStalled':
        return this.#stall(event);
      case 'Trade':
        this.#pricesOf(event.market).last = event.price;
        this.#trade(event.takerOrderId, event.size);
        return this.#trade(event.makerOrderId, event.size);
      case 'OrderClosed':
        return this.#close(command, event);
      default:
    }
  }

  #stall({ orderId, remaining, reason, triggerPrice }: TriggerStalled): void {
    const guard = this.#orders.get(orderId)!;
    assert(this.#rules >= 8 && isGuard(guard.order), `O8: order ${orderId} protects nothing`);
    assert(remaining === guard.remaining && remaining > 0, `O8: order ${orderId} waits on for ${guard.remaining}`);
    const contract = guard.order.contract!;
    const hasTrailed = contract.trailingPpm > 0;
    const triggerDirection = hasTrailed ? (guard.order.side === 'buy' ? 'rise' : 'fall') : contract.triggerDirection;
    guard.order = { ...guard.order, triggerPrice, contract: { ...contract, triggerDirection } };
    Object.assign(guard, { state: 'armed', isStalled: true });
    this.#count(`stalled ${reason}`);
  }

  #trade(id: number, size: number): void {
    const guard = this.#orders.get(id)!;
    guard.filled += size;
    guard.remaining -= size;
    const { order } = guard;
    this.#moveBy(keyOf(order), order.side === 'buy' ? size : -size);
    if (guard.remaining === 0 && order.contract !== undefined && order.contract.group > 0) this.#done.add(groupOf(order));
  }

  #reduce({ account, market, positionSide, isLong, size, cause }: PositionReduced): void {
    if (size === 0 || (cause !== 'adl' && cause !== 'takeover')) return;
    if (cause === 'takeover' && account === this.#liquidator) return;
    const change = isLong ? 0 - size : size;
    this.#moveBy(`${account} ${market} ${positionSide}`, change);
    if (cause === 'takeover') this.#moveBy(`${this.#liquidator} ${market} both`, -change);
  }

  /** Its owner changes it, or it is cut to its position or to what its group has left: to no less. */
  #amend(command: Command, event: TriggerAmended): void {
    const guard = this.#orders.get(event.orderId)!;
    const { order } = guard;
    const left = event.size - guard.filled;
    if (command.type !== 'AmendTrigger') this.#checkCut(guard, left);
    if (event.triggerPrice !== order.triggerPrice) guard.isStalled = false;
    guard.order = { ...order, triggerPrice: event.triggerPrice, price: event.price, size: event.size };
    guard.remaining = left;
  }

  #checkCut(guard: Guard, left: number): void {
    const { order, remaining, state } = guard;
    if (this.#rules < 8 || !isGuard(order)) return;
    const isWhole = order.contract?.closePosition === true;
    const siblings = [...this.#orders.values()].filter((one) => one !== guard && groupOf(one.order) === groupOf(order));
    const bounds = [this.#reducible(order), ...(isWhole ? [] : [remaining, ...siblings.map((one) => one.remaining)])];
    assert(left >= Math.min(...bounds), `O8: order ${order.orderId} is cut to ${left}, not to one of ${bounds.join()}`);
    this.#count(state === 'resting' ? 'cut in the book' : 'cut');
  }

  #close(command: Command, event: OrderClosed): void {
    const guard = this.#orders.get(event.orderId);
    this.#orders.delete(event.orderId);
    if (guard === undefined || this.#rules < 8 || !isGuard(guard.order)) return;
    const { order, state, remaining } = guard;
    this.#count(`ended ${event.reason}`);
    assert(
      this.#mayEnd(command, event, guard),
      `O8: order ${order.orderId} of account ${order.account}, ${state}, ends as ${event.reason} with ${remaining} left after ${command.type}`,
    );
  }

  #mayEnd(command: Command, { reason }: OrderClosed, { order, state, remaining }: Guard): boolean {
    const isOwners = 'account' in command && command.account === order.account;
    switch (reason) {
      case 'filled':
        return remaining === 0;
      case 'canceledByAccount':
        return isOwners && (command.type === 'CancelOrder' || command.type === 'CancelAllOrders');
      case 'amendedToFilled':
        return isOwners && command.type === 'AmendOrder';
      case 'replaced':
        return isOwners && (command.type === 'SetProtection' || command.type === 'AmendOrder');
      case 'positionClosed':
      case 'reduceOnly':
        return this.#reducible(order) === 0;
      case 'groupTriggered':
        return this.#done.has(groupOf(order)) && (order.contract?.closePosition !== true || this.#reducible(order) === 0);
      case 'accountBlocked':
        return command.type === 'SetAccountFlag';
      case 'selfTrade':
        return state === 'resting' || remaining === 0;
      // An order in the book is no stop any more: it ends like the others there.
      case 'marginMissing':
      case 'expired':
        return state === 'resting';
      default:
        return false;
    }
  }

  #reducible(order: Order): number {
    const held = this.#positions.get(keyOf(order)) ?? 0;
    return Math.max(0, order.side === 'sell' ? held : -held);
  }

  #moveBy(key: string, change: number): void {
    this.#positions.set(key, (this.#positions.get(key) ?? 0) + change);
  }

  #pricesOf(market: number): Record<'last' | 'mark' | 'index', number> {
    const known = this.#prices.get(market) ?? { last: 0, mark: 0, index: 0 };
    this.#prices.set(market, known);
    return known;
  }

  #count(what: string): void {
    this.seen.set(what, (this.seen.get(what) ?? 0) + 1);
  }
}

const keyOf = ({ account, market, contract }: Order): string => `${account} ${market} ${contract?.positionSide ?? 'both'}`;

/** An order of no group is one of its own. */
const groupOf = ({ account, market, orderId, contract }: Order): string =>
  contract === undefined || contract.group === 0 || contract.source === 'twap'
    ? `order ${orderId}`
    : `${account} ${market} ${contract.group}`;

/** It waits, or has waited, for a price at which it reduces a position. */
const isGuard = ({ side, orderType, contract }: Order): boolean =>
  contract !== undefined &&
  (orderType === 'stopMarket' || orderType === 'stopLimit') &&
  (contract.reduceOnly || contract.closePosition || contract.positionSide === (side === 'sell' ? 'long' : 'short'));
