/**
 * The naive twin of what orders of a spot market wait for, of pairs, and of what protects purchases: every order looks at every price, and nothing is indexed. It
 * follows the facts of one market, and asserts after each command.
 */
import { assert, ppm, type OrderId, type Ticks } from '@orrery/units';
import { type Event, type Market, type Order, type SpotOrderTerms, type Trade } from '@orrery/protocol';

interface Life {
  order: Order;
  remaining: number;
  filled: number;
  state: 'acting' | 'waiting' | 'stalled' | 'resting';
  /** A trailing stop: the best price since it follows; 0 while it does not. */
  best: number;
  /** Whether a price has reached it since it waits. */
  isReached: boolean;
}

interface Bought {
  readonly order: Order;
  /** Base atoms, fees taken off. */
  received: bigint;
  /** Lots of all that were placed to protect it. */
  protectedLots: number;
  isGivenUp: boolean;
  isOver: boolean;
}

export class NaiveSpotTerms {
  readonly #market: Market;
  readonly #lives = new Map<OrderId, Life>();
  readonly #bought = new Map<OrderId, Bought>();
  #last = 0;
  /** What of each kind has happened. */
  readonly seen = { triggered: 0, followed: 0, activated: 0, stalled: 0, pairs: 0, purchases: 0, grown: 0, tooSmall: 0 };

  constructor(market: Market) {
    this.#market = market;
  }

  follow(events: readonly Event[]): void {
    for (const event of events) this.#one(event);
  }

  /** Nothing is left over of any command. */
  settled(): void {
    for (const [id, { state, isReached }] of this.#lives)
      assert(state !== 'waiting' || !isReached, `order ${id} waits, and its price was reached`);
    for (const [id, { order, remaining, state }] of this.#lives) {
      const partner = this.#partnerOf(order);
      if (partner === undefined) continue;
      assert(partner.remaining === remaining, `the two of pair ${id} have the same left`);
      assert(state !== 'acting' && partner.filled * this.#lives.get(id)!.filled === 0, 'only one of a pair trades');
    }
    for (const bought of this.#bought.values()) this.#isProtected(bought);
  }

  #one(event: Event): void {
    switch (event.type) {
      case 'OrderAccepted':
        return this.#accept(event);
      case 'OrderArmed':
        return this.#arm(this.#lives.get(event.orderId));
      case 'TrailingStarted': {
        const life = this.#known(event.orderId);
        assert(life.isReached && life.best === 0, 'it follows once its activation price is reached');
        this.seen.activated += 1;
        Object.assign(life, { best: event.lastPrice, isReached: false });
        this.#look(life, this.#last);
        return;
      }
      case 'OrderTriggered': {
        const life = this.#known(event.orderId);
        assert(life.state === 'stalled' || life.isReached, `order ${event.orderId} is triggered, and its price was not reached`);
        this.seen.triggered += 1;
        if (life.best > 0) this.seen.followed += 1;
        life.state = 'acting';
        this.#standStill(life, event.lastPrice);
        return;
      }
      case 'TriggerStalled':
        this.seen.stalled += 1;
        Object.assign(this.#known(event.orderId), { state: 'stalled', remaining: event.remaining });
        return;
      case 'TriggerAmended': {
        const life = this.#known(event.orderId);
        const grown = event.size - life.order.size;
        if (grown > 0) this.#protects(life.order, grown);
        life.order = { ...life.order, size: event.size };
        life.remaining = event.size - life.filled;
        return;
      }
      case 'OrderRested':
        Object.assign(this.#known(event.orderId), { state: 'resting', remaining: event.remaining });
        return;
      case 'OrderReduced':
        this.#known(event.orderId).remaining = event.remaining;
        return;
      case 'Trade':
        return this.#trade(event);
      case 'OrderClosed': {
        const { order } = this.#known(event.orderId);
        this.#lives.delete(event.orderId);
        const bought = this.#bought.get(order.orderId);
        if (bought !== undefined) bought.isOver = true;
        const parent = this.#bought.get(order.spot?.parent as OrderId);
        if (parent !== undefined && event.reason === 'canceledByAccount') parent.isGivenUp = true;
        if (event.reason === 'belowMinimum') this.seen.tooSmall += 1;
        return;
      }
      default:
        return;
    }
  }

  #accept(order: Order): void {
    const { spot, orderId, size } = order;
    this.#lives.set(orderId, { order, remaining: size, filled: 0, state: 'acting', best: 0, isReached: false });
    if (spot === undefined) return;
    if (spot.takeProfit.triggerPrice > 0 || spot.stopLoss.triggerPrice > 0)
      this.#bought.set(orderId, { order, received: 0n, protectedLots: 0, isGivenUp: false, isOver: false });
    if (spot.group === orderId) this.seen.pairs += 1;
    if (spot.parent !== 0) this.#protects(order, size);
  }

  /** The first order of what protects a purchase counts for both. */
  #protects({ orderId, spot }: Order, size: number): void {
    const bought =
      spot === undefined || (spot.group !== 0 && spot.group !== orderId) ? undefined : this.#bought.get(spot.parent as OrderId);
    if (bought === undefined) return;
    if (bought.protectedLots > 0) this.seen.grown += 1;
    else this.seen.purchases += 1;
    bought.protectedLots += size;
  }

  #arm(life: Life | undefined): void {
    if (life === undefined) return;
    const isBack = life.state === 'stalled';
    Object.assign(life, { state: 'waiting', isReached: false });
    const { spot } = life.order;
    // A trailing stop without an activation price that is still ahead follows from the present price on.
    if (spot !== undefined && spot.trailingPpm > 0 && !this.#isAhead(life.order, spot)) life.best = this.#last;
    assert((spot?.trailingPpm ?? 0) === 0 || life.best > 0 === (spot?.triggerDirection === 'none'), 'it follows at once, or waits');
    if (isBack || (spot !== undefined && spot.parent !== 0)) this.#look(life, this.#last);
  }

  /** A trailing stop of a sell that was reached has trailed: what is left of it stands at the price that reached it. */
  #standStill(life: Life, price: Ticks): void {
    const { spot, side } = life.order;
    if (spot === undefined || spot.trailingPpm === 0 || side === 'buy') return;
    life.order = { ...life.order, triggerPrice: price, spot: { ...spot, trailingPpm: ppm(0), triggerDirection: 'fall' } };
    life.best = 0;
  }

  #isAhead({ side }: Order, { activationPrice }: SpotOrderTerms): boolean {
    if (activationPrice === 0) return false;
    return this.#last === 0 || (side === 'sell' ? this.#last < activationPrice : this.#last > activationPrice);
  }

  #look(life: Life, price: number): void {
    if (life.state !== 'waiting' || price === 0) return;
    const { side, spot, triggerPrice } = life.order;
    const sells = side === 'sell';
    if (life.best > 0) {
      life.best = sells ? Math.max(life.best, price) : Math.min(life.best, price);
      const back = (life.best * (1_000_000 + (sells ? -1 : 1) * (spot?.trailingPpm ?? 0))) / 1_000_000;
      if (sells ? price <= Math.max(1, Math.ceil(back)) : price >= Math.floor(back)) life.isReached = true;
      return;
    }
    const isTakeProfit = spot?.source === 'takeProfit';
    const waits = spot !== undefined && spot.trailingPpm > 0 ? spot.activationPrice : triggerPrice;
    const rises = spot !== undefined && spot.trailingPpm > 0 ? sells : sells === isTakeProfit;
    if (rises ? price >= waits : price <= waits) life.isReached = true;
  }

  #trade({ price, size, takerOrderId, makerOrderId, takerFee, makerFee, makerRemaining, takerSide }: Trade): void {
    const [taker, maker] = [this.#known(takerOrderId), this.#known(makerOrderId)];
    for (const life of [taker, maker]) life.filled += size;
    if (taker.order.size > 0) taker.remaining -= size;
    maker.remaining = makerRemaining;
    const buyer = takerSide === 'buy' ? takerOrderId : makerOrderId;
    const bought = this.#bought.get(buyer);
    if (bought !== undefined) bought.received += BigInt(size) * this.#market.lotAtoms - (takerSide === 'buy' ? takerFee : makerFee);
    this.#last = price;
    for (const life of this.#lives.values()) this.#look(life, price);
  }

  /** All that came is protected, to the lot, unless it is too little or its owner wants none. Coins that are spent meanwhile are not: the market of this test has none to spare. */
  #isProtected({ order, received, protectedLots, isGivenUp, isOver }: Bought): void {
    const lots = Number(received / this.#market.lotAtoms);
    assert(protectedLots <= lots, `order ${order.orderId} has no more protected than it brought`);
    const open = lots - protectedLots;
    const isLittle = open < this.#market.minSize || this.#worth(order, open) < this.#market.minNotional;
    assert(isGivenUp || open === 0 || (isLittle && !isOver), `order ${order.orderId} has ${open} lots without protection`);
  }

  #worth({ spot }: Order, size: number): bigint {
    const prices = [spot!.takeProfit, spot!.stopLoss].filter(({ triggerPrice }) => triggerPrice > 0);
    return (
      BigInt(Math.min(...prices.map(({ price, triggerPrice }) => (price > 0 ? price : triggerPrice))) * size) * this.#market.tickLotAtoms
    );
  }

  #partnerOf({ orderId, spot }: Order): Life | undefined {
    if (spot === undefined || spot.group === 0) return undefined;
    return [...this.#lives.values()].find(({ order }) => order.orderId !== orderId && order.spot?.group === spot.group);
  }

  #known(id: OrderId): Life {
    const life = this.#lives.get(id);
    assert(life !== undefined, `order ${id} is open`);
    return life;
  }
}
