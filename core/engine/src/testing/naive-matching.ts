/** Matching in the naive exchange: the best order is looked for from the start at every step, and an order is tried on the real thing and taken back when it is refused. */
import { REJECT_REASONS, type CloseReason, type Event, type Order, type Side, type StallReason } from '@orrery/protocol';
import { atoms, lots, ppm, ticks, tradeId, type AccountId, type MarketId } from '@orrery/units';
import { DAY, MILLION, byId, type NaiveMarket, type NaiveOrder, type Reason } from './naive-state.ts';
import { NaiveMoney } from './naive-money.ts';

export class NaiveMatching extends NaiveMoney {
  readonly fillsPerCommand: number;
  /** Orders are placed together: what they reach acts when all of them are there. */
  isTogether = false;

  constructor(fillsPerCommand = 500) {
    super();
    this.fillsPerCommand = fillsPerCommand;
  }

  /** Tries on the real thing, and puts everything back when it turns out to be refused. */
  attempt(market: MarketId, reasons: Reason[], action: () => Reason[]): void {
    const putBack = this.copied();
    reasons.push(...action());
    if (reasons.length === 0) return this.rules === 1 ? this.fireStops() : this.fireSome(market);
    putBack();
    this.refuse(reasons);
  }

  /** @returns what makes everything as it is now */
  copied(): () => void {
    const copy = {
      orders: this.orders.map((open) => ({ ...open })),
      markets: this.markets.map((market) => ({ ...market })),
      closed: this.accounts.map((account) => [...account.closed]),
      totals: new Map(this.totals),
      events: [...this.events],
      lastOrderId: this.lastOrderId,
      lastTradeId: this.lastTradeId,
      lastRest: this.lastRest,
      prints: [...this.prints],
      fills: this.fills,
      ...this.copiedPurchases(),
    };
    return () => {
      const { closed, ...rest } = copy;
      Object.assign(this, rest);
      for (const [index, list] of closed.entries()) this.accounts[index]!.closed = list;
    };
  }

  open(order: Order, replaces: number): NaiveOrder {
    const open = this.fresh(order, replaces);
    this.enter(open);
    return open;
  }

  fresh(order: Order, replaces: number): NaiveOrder {
    const waiting = { armedAs: 0, extreme: 0, isReached: false, stalled: undefined };
    const state = { status: 'acting', restedAs: 0, best: 0, reference: 0, fundsLeft: order.funds, ...waiting } as const;
    return { order, asked: order, replaces, ...state, remaining: order.size, filled: 0, filledNotional: 0n };
  }

  enter(open: NaiveOrder): void {
    this.lastOrderId = open.order.orderId;
    this.orders.push(open);
    this.emit({ type: 'OrderAccepted', ...open.order });
  }

  /** Matches an acting order, then rests or closes it. Gives what speaks against it after all. */
  act(open: NaiveOrder, leaving: NaiveOrder | undefined): Reason[] {
    const { order } = open;
    const market = this.market(order.market)!;
    const limited = order.orderType === 'limit' || order.orderType === 'stopLimit';
    const reasons: Reason[] = [];
    const best = this.bestAgainst(order)?.order.price ?? 0;
    const reference = this.reference(market);
    const room = leaving !== undefined || order.orderType === 'stopLimit' || order.orderType === 'stopMarket' || this.hasRoomBeside(open);
    const freeBefore = this.free(order.account, 'spot', this.spends(order));
    Object.assign(open, { best, reference, fundsLeft: order.funds });
    const rest = open.remaining;
    const outcome = this.match(open, market);
    const { isPaused } = outcome;

    const touched = outcome.steps > 0 || outcome.end === 'selfTrade' || isPaused;
    if (order.timeInForce === 'GTX' && touched) reasons.push({ reason: 'PostOnlyWouldTake', field: 'timeInForce' });
    const byFunds = order.funds > 0n;
    const whole = byFunds
      ? outcome.end === 'complete' && open.filled > 0 && open.filledNotional + outcome.fundsLeft === order.funds
      : open.filled === order.size;
    if (order.timeInForce === 'FOK' && isPaused) reasons.push({ reason: 'TooManyFills', field: 'timeInForce' });
    else if (order.timeInForce === 'FOK' && !whole) reasons.push({ reason: 'FillOrKillUnfilled', field: 'timeInForce' });
    const bandPpm = limited ? market.terms.limitBandPpm : market.terms.marketBandPpm;
    const judged = limited ? order.price : best;
    if (reference > 0 && judged > 0 && beyond(judged, reference, bandPpm, order.side))
      reasons.push({ reason: 'PriceOutOfBand', field: 'price' });
    if (!limited && best === 0) reasons.push({ reason: 'NoLiquidity', field: '' });
    const resting =
      limited &&
      (order.timeInForce === 'GTC' || order.timeInForce === 'GTX') &&
      open.remaining > 0 &&
      outcome.end !== 'selfTrade' &&
      !isPaused;
    if ((resting || isPaused) && !room) reasons.push({ reason: 'TooManyOpenOrders', field: '' });
    const later = isPaused ? this.holdOf({ ...open, status: 'matching' }) : 0n;
    const need = order.side === 'buy' && !limited ? open.filledNotional + later : this.holdOf({ ...open, remaining: rest });
    if (freeBefore < need) reasons.push({ reason: 'InsufficientBalance', field: '' });
    if (reasons.length > 0) return reasons;

    this.fills = Math.max(0, this.fills - outcome.steps);
    if (isPaused) this.pause(open);
    else if (resting) this.rest(open);
    else if (open.remaining > 0 && this.waitsOn(open)) this.stall(open, stallOf(order, outcome.end));
    else this.close(open, outcome.reason);
    this.followTrades();
    return [];
  }

  /** The next trades of an order that had more than one command may. */
  continueOrder(id: MarketId): void {
    const open = this.orders.find((one) => one.status === 'matching' && one.order.market === id);
    if (open === undefined) return this.fireSome(id);
    open.status = 'acting';
    const { order } = open;
    const outcome = this.match(open, this.market(id)!);
    this.fills = Math.max(0, this.fills - outcome.steps);
    const mayRest = (order.orderType === 'limit' || order.orderType === 'stopLimit') && order.timeInForce === 'GTC';
    if (outcome.isPaused) this.pause(open);
    else if (mayRest && open.remaining > 0 && outcome.end !== 'selfTrade') this.rest(open);
    else if (open.remaining > 0 && this.waitsOn(open)) this.stall(open, stallOf(order, outcome.end));
    else this.close(open, outcome.reason);
    this.followTrades();
    this.fireSome(id);
  }

  pause(open: NaiveOrder): void {
    open.status = 'matching';
    const { orderId: id, account, market } = open.order;
    const { remaining, filled, filledNotional } = open;
    const left = { remaining: lots(remaining), filled: lots(filled), filledNotional: atoms(filledNotional) };
    this.emit({ type: 'OrderPaused', orderId: id, account, market, ...left });
  }

  match(open: NaiveOrder, market: NaiveMarket): { end: string; isPaused: boolean; steps: number; reason: CloseReason; fundsLeft: bigint } {
    const { order, best, reference } = open;
    const bound = order.timeInForce === 'FOK' ? Math.max(this.fills, this.fillsOf()) : this.fills;
    const byFunds = order.funds > 0n;
    const limited = order.orderType === 'limit' || order.orderType === 'stopLimit';
    let funds: bigint = open.fundsLeft;
    let steps = 0;
    const done = (end: string, reason: CloseReason) => {
      open.fundsLeft = funds;
      return { end, isPaused: end === 'budget', steps, reason, fundsLeft: funds };
    };
    for (;;) {
      if (!byFunds && open.remaining === 0) return done('complete', open.filled === order.size ? 'filled' : 'selfTrade');
      const maker = this.bestAgainst(order);
      if (maker === undefined) return done('bookEmpty', 'remainderNotFilled');
      const price = maker.order.price;
      if (!this.mayTradeAt(order, price, market, best, reference)) return done('bound', limited ? 'remainderNotFilled' : 'slippageBound');
      if (steps >= bound) return done('budget', 'remainderNotFilled');
      const lotCost = BigInt(price) * market.terms.tickLotAtoms;
      const affordable = byFunds ? Number(funds / lotCost) : open.remaining;
      const size = Math.min(affordable, maker.remaining);
      if (size === 0) return done('complete', open.filled > 0 ? 'filled' : steps > 0 ? 'selfTrade' : 'remainderNotFilled');
      if (maker.order.account === order.account) {
        if (order.selfTradePrevention === 'expireTaker') return done('selfTrade', 'selfTrade');
        steps += 1;
        if (order.selfTradePrevention !== 'decrement') {
          this.close(maker, 'selfTrade');
          if (order.selfTradePrevention === 'expireBoth') return done('selfTrade', 'selfTrade');
          continue;
        }
        this.decrement(open, maker, size);
      } else {
        steps += 1;
        this.trade(open, maker, size, market);
      }
      if (byFunds) funds -= lotCost * BigInt(size);
      if (byFunds && funds < lotCost) return done('complete', open.filled > 0 ? 'filled' : 'selfTrade');
    }
  }

  mayTradeAt(order: Order, price: number, { terms }: NaiveMarket, best: number, reference: number): boolean {
    const worseThan = (bound: number): boolean => (order.side === 'buy' ? price > bound : price < bound);
    if (order.price > 0 && worseThan(order.price)) return false;
    if (order.orderType === 'limit' || order.orderType === 'stopLimit') return true;
    if (order.spot !== undefined && order.spot.trailingPpm > 0) {
      if (order.spot.reservePrice > 0 && worseThan(order.spot.reservePrice)) return false;
    } else if (order.orderType === 'stopMarket' && order.price === 0 && beyond(price, order.triggerPrice, terms.marketBandPpm, order.side))
      return false;
    if (beyond(price, best, order.slippagePpm, order.side)) return false;
    return reference === 0 || !beyond(price, reference, terms.marketBandPpm, order.side);
  }

  /** Of one command. */
  fillsOf(): number {
    return this.rules >= 7 ? this.fillsPerCommand : Number.MAX_SAFE_INTEGER;
  }

  trade(taker: NaiveOrder, maker: NaiveOrder, size: number, market: NaiveMarket): void {
    const { terms } = market;
    const price = maker.order.price;
    const quote = BigInt(price) * BigInt(size) * terms.tickLotAtoms;
    const base = BigInt(size) * terms.lotAtoms;
    const fee = (received: bigint, rate: number): bigint => {
      const exact = received * BigInt(rate);
      return exact % MILLION === 0n ? exact / MILLION : exact / MILLION + 1n;
    };
    const fees = { taker: 0n, maker: 0n };
    for (const [role, open, rate] of [
      ['taker', taker, terms.takerFeePpm],
      ['maker', maker, terms.makerFeePpm],
    ] as const) {
      const buys = open.order.side === 'buy';
      fees[role] = fee(buys ? base : quote, rate);
      this.add(open.order.account, 'spot', terms.quote, buys ? -quote : quote - fees[role]);
      this.add(open.order.account, 'spot', terms.base, buys ? base - fees[role] : -base);
      open.filled += size;
      open.filledNotional += quote;
      if (open.order.size > 0) open.remaining -= size;
      if (buys) this.receive(open, base - fees[role]);
      if (role === 'maker' && this.partnerOf(open) !== undefined) this.traded.push(open);
    }
    market.lastPrice = price;
    market.lastTradeAt = this.at;
    if (this.rules >= 2) this.moveAverage(market, BigInt(price) * MILLION);
    if (this.rules === 1) this.prints.push({ market: terms.market, price });
    else this.markReached(market, price);
    this.lastTradeId += 1;
    this.emit({
      type: 'Trade',
      tradeId: tradeId(this.lastTradeId),
      market: terms.market,
      price: ticks(price),
      size: lots(size),
      notional: atoms(quote),
      takerSide: taker.order.side,
      takerOrderId: taker.order.orderId,
      takerAccount: taker.order.account,
      takerFee: atoms(fees.taker),
      makerOrderId: maker.order.orderId,
      makerAccount: maker.order.account,
      makerFee: atoms(fees.maker),
      makerRemaining: lots(maker.remaining),
    });
    if (maker.remaining === 0) this.close(maker, maker.filled === maker.order.size ? 'filled' : 'selfTrade');
  }

  decrement(taker: NaiveOrder, maker: NaiveOrder, size: number): void {
    if (taker.order.size > 0) taker.remaining -= size;
    if (this.partnerOf(maker) !== undefined) this.traded.push(maker);
    if (maker.remaining === size) return this.close(maker, 'selfTrade');
    maker.remaining -= size;
    const { orderId: id, account, market, side, price } = maker.order;
    this.emit({ type: 'OrderReduced', orderId: id, account, market, side, price, reducedBy: lots(size), remaining: lots(maker.remaining) });
  }

  rest(open: NaiveOrder): void {
    open.status = 'resting';
    this.lastRest += 1;
    open.restedAs = this.lastRest;
    const { orderId: id, account, market, side, price } = open.order;
    this.emit({
      type: 'OrderRested',
      orderId: id,
      account,
      market,
      side,
      price,
      remaining: lots(open.remaining),
      filled: lots(open.filled),
      filledNotional: atoms(open.filledNotional),
    });
  }

  close(open: NaiveOrder, reason: CloseReason): void {
    const { orderId: id, account, market, clientOrderId, side, price } = open.order;
    this.orders = this.orders.filter((other) => other !== open);
    this.forgetName(open);
    const rested = open.status === 'resting';
    this.emit({
      type: 'OrderClosed',
      orderId: id,
      account,
      market,
      clientOrderId,
      reason,
      side,
      price: ticks(rested ? price : 0),
      removed: lots(rested ? open.remaining : 0),
      filled: lots(open.filled),
      filledNotional: atoms(open.filledNotional),
    });
  }

  /** The name of an order that is over, or has another one, is remembered with what it named. */
  forgetName({ asked, replaces }: NaiveOrder): void {
    if (asked.clientOrderId === '') return;
    const owner = this.account(asked.account)!;
    owner.closed = owner.closed.filter((closed) => closed.order.clientOrderId !== asked.clientOrderId);
    owner.closed.push({ order: asked, replaces, closedAt: this.at });
    owner.closed = owner.closed.slice(-1_024);
  }

  /** A print reaches stops; they act one after the other, and their prints reach others. */
  fireStops(): void {
    const queue: { stop: NaiveOrder; lastPrice: number }[] = [];
    const hear = (): void => {
      for (const print of this.prints.splice(0)) {
        const reached = this.orders.filter(
          (open) => open.status === 'armed' && open.order.market === print.market && reaches(open.order, print.price),
        );
        for (const stop of reached.sort(byId)) {
          if (!queue.some((waiting) => waiting.stop.order.orderId === stop.order.orderId)) queue.push({ stop, lastPrice: print.price });
        }
      }
    };
    hear();
    for (let next = queue[0]; next !== undefined; next = queue[0]) {
      const id = next.stop.order.orderId;
      const stop = this.orders.find((open) => open.order.orderId === id)!;
      this.emit({
        type: 'OrderTriggered',
        orderId: id,
        account: stop.order.account,
        market: stop.order.market,
        lastPrice: ticks(next.lastPrice),
      });
      this.tryStop(stop);
      queue.shift();
      hear();
    }
  }

  markReached(market: NaiveMarket, price: number): void {
    const armed = this.standingOf(market);
    if (armed.some(({ order }) => rises(order) && waitedFor(order) <= price)) market.high = Math.max(market.high, price);
    if (armed.some(({ order }) => !rises(order) && waitedFor(order) >= price))
      market.low = market.low === 0 ? price : Math.min(market.low, price);
    this.trail(market, price);
  }

  /** Up to sixteen of the reached stops: of each direction the one whose trigger was reached first, of equals the oldest; of both the older; then trailing stops, then those that could not act. */
  fireSome(id: MarketId): void {
    if (this.isTogether) return;
    for (let step = 0; step < 16 && this.fills > 0 && !this.isBusy(id); step += 1) {
      const market = this.market(id)!;
      const next = this.nextStanding(market) ?? this.nextTrailing(market);
      if (next !== undefined) {
        this.trigger(next.open, next.price);
        continue;
      }
      this.boundPass(market);
      const stalled = market.toTry > 0 && market.misses < 16 ? this.stalledOf(market)[0] : undefined;
      if (stalled === undefined) {
        market.toTry = 0;
        return;
      }
      market.toTry = Math.min(market.toTry, this.stalledOf(market).length) - 1;
      const hasActed = this.retry(stalled);
      // What was only tried is put back, the market too.
      const after = this.market(id)!;
      after.misses = hasActed ? 0 : after.misses + 1;
      this.boundPass(after);
    }
  }

  /** A pass tries no more than wait. */
  boundPass(market: NaiveMarket): void {
    market.toTry = Math.min(market.toTry, this.stalledOf(market).length);
  }

  /** Something of it is left to act. */
  isPending(market: NaiveMarket): boolean {
    if (market.high > 0 || market.low > 0 || this.trailing(market).some(({ isReached }) => isReached)) return true;
    return market.toTry > 0 && market.misses < 16 && this.stalledOf(market).length > 0;
  }

  nextStanding(market: NaiveMarket): { open: NaiveOrder; price: number } | undefined {
    const armed = this.standingOf(market);
    const first = (rise: boolean, reached: (trigger: number) => boolean): NaiveOrder | undefined =>
      armed
        .filter(({ order }) => rises(order) === rise && reached(waitedFor(order)))
        .sort(
          (left, right) =>
            (rise ? 1 : -1) * (waitedFor(left.order) - waitedFor(right.order)) || left.armedAs - right.armedAs || byId(left, right),
        )[0];
    const up = market.high === 0 ? undefined : first(true, (trigger) => trigger <= market.high);
    const down = market.low === 0 ? undefined : first(false, (trigger) => trigger >= market.low);
    const next = [up, down].filter((one) => one !== undefined).sort(byId)[0];
    if (next !== undefined) return { open: next, price: next === up ? market.high : market.low };
    market.high = 0;
    market.low = 0;
    return undefined;
  }

  /** Buys first, and of a side the one that began to follow first. */
  nextTrailing(market: NaiveMarket): { open: NaiveOrder; price: number } | undefined {
    for (const side of ['buy', 'sell'] as const) {
      const open = this.trailing(market).find(({ order, isReached }) => order.side === side && isReached);
      if (open !== undefined) return { open, price: market.trails[laneOf(open)] ?? 0 };
    }
    return undefined;
  }

  /** Every trailing stop looks at the price. */
  trail(market: NaiveMarket, price: number): void {
    const following = this.trailing(market);
    const isBack = ({ order, extreme }: NaiveOrder): boolean => {
      const rate = order.spot!.trailingPpm;
      if (order.side === 'sell') return price <= Math.max(1, Math.ceil((extreme * (1_000_000 - rate)) / 1_000_000));
      return price >= Math.floor((extreme * (1_000_000 + rate)) / 1_000_000);
    };
    for (const open of following) {
      open.extreme = open.order.side === 'sell' ? Math.max(open.extreme, price) : Math.min(open.extreme, price);
      if (isBack(open)) open.isReached = true;
    }
    for (const lane of new Set(following.map(laneOf)))
      if (isBack(following.find((open) => laneOf(open) === lane)!)) market.trails = { ...market.trails, [lane]: price };
  }

  trigger(open: NaiveOrder, price: number): void {
    const { orderId, account, market, spot } = open.order;
    const lastPrice = ticks(price);
    if (spot !== undefined && spot.trailingPpm > 0 && open.extreme === 0) {
      this.lastArmed += 1;
      const order: Order = { ...open.order, spot: { ...spot, triggerDirection: 'none' } };
      Object.assign(open, { order, extreme: price, armedAs: this.lastArmed });
      this.markReached(this.market(market)!, this.market(market)!.lastPrice);
      return this.emit({ type: 'TrailingStarted', orderId, account, market, lastPrice });
    }
    this.emit({ type: 'OrderTriggered', orderId, account, market, lastPrice });
    // A trailing stop has trailed: what is left of it stands at the price that reached it.
    if (spot !== undefined && spot.trailingPpm > 0 && this.waitsOn(open)) {
      const order: Order = { ...open.order, triggerPrice: lastPrice, spot: { ...spot, trailingPpm: ppm(0), triggerDirection: 'fall' } };
      Object.assign(open, { order, extreme: 0, isReached: false });
    }
    this.tryStop(open);
  }

  arm(open: NaiveOrder): void {
    const { orderId, account, market, spot } = open.order;
    this.lastArmed += 1;
    Object.assign(open, { status: 'armed', armedAs: this.lastArmed, stalled: undefined });
    if (spot !== undefined && spot.trailingPpm > 0 && spot.triggerDirection === 'none') open.extreme = this.market(market)!.lastPrice;
    this.emit({ type: 'OrderArmed', orderId, account, market });
  }

  /** Whether what is left of it waits when it has acted: of a pair or a purchase, and since rules 9 every stop that sells. */
  waitsOn({ order, filled }: NaiveOrder): boolean {
    if (order.orderType !== 'stopLimit' && order.orderType !== 'stopMarket') return false;
    return isOfOthers(order) ? order.side === 'sell' || filled === 0 : this.rules >= 9 && order.side === 'sell';
  }

  stall(open: NaiveOrder, reason: StallReason): void {
    // One that has gone meanwhile leaves no try to this one.
    this.boundPass(this.market(open.order.market)!);
    this.lastArmed += 1;
    const order: Order = open.order.size > 0 ? { ...open.order, size: lots(open.filled + open.remaining) } : open.order;
    Object.assign(open, { order, status: 'armed', armedAs: this.lastArmed, stalled: reason });
    const { orderId, account, market, triggerPrice } = order;
    const left = { remaining: lots(open.remaining), filled: lots(open.filled), filledNotional: atoms(open.filledNotional) };
    this.emit({ type: 'TriggerStalled', orderId, account, market, reason, triggerPrice, ...left });
  }

  /** An outside price begins a pass over those that could not act. */
  retryStalled(market: NaiveMarket): void {
    if (this.rules < 8 || market.state !== 'TRADING') return;
    Object.assign(market, { toTry: this.stalledOf(market).length, misses: 0 });
    if (market.toTry > 0) this.fireSome(market.terms.market);
  }

  /** @returns whether anything has changed */
  retry(stop: NaiveOrder): boolean {
    const { lastPrice } = this.market(stop.order.market)!;
    const before = stop.stalled!;
    if (!reaches(stop.order, lastPrice)) {
      this.arm(stop);
      return true;
    }
    const from = this.events.length;
    const { orderId, account, market } = stop.order;
    this.emit({ type: 'OrderTriggered', orderId, account, market, lastPrice: ticks(lastPrice) });
    const putBack = this.copied();
    const state = { ...stop };
    this.tryStop(stop);
    const open = this.orders.find((one) => one.order.orderId === orderId);
    const isIdle = this.events.slice(from + 1).every(({ type }) => type === 'TriggerStalled');
    if (open?.stalled === undefined || !isIdle) return true;
    // It was only looked at: nothing but another reason is a fact.
    const reason = open.stalled;
    putBack();
    this.events = this.events.slice(0, from);
    const again = this.orders.find((one) => one.order.orderId === orderId)!;
    Object.assign(again, state);
    if (reason === before) {
      this.lastArmed += 1;
      again.armedAs = this.lastArmed;
    } else this.stall(again, reason);
    return false;
  }

  tryStop(stop: NaiveOrder): void {
    const copy = {
      orders: this.orders.map((open) => (open === stop ? open : { ...open })),
      markets: this.markets.map((market) => ({ ...market })),
      totals: new Map(this.totals),
      events: [...this.events],
      lastTradeId: this.lastTradeId,
      lastRest: this.lastRest,
      fills: this.fills,
      ...this.copiedPurchases(),
    };
    const closed = this.accounts.map((account) => [...account.closed]);
    const before = { ...stop };
    Object.assign(stop, { status: 'acting', stalled: undefined });
    const partner = this.partnerOf(stop);
    if (partner !== undefined) this.close(partner, 'groupTriggered');
    const { spot } = stop.order;
    // With its partner its reservation is its own; a trailing stop keeps to what it has reserved.
    if (spot !== undefined && spot.trailingPpm === 0)
      stop.order = { ...stop.order, spot: { ...spot, reservedBy: 0, reservePrice: ticks(0) } };
    const [first] = this.act(stop, undefined).sort(
      (left, right) => REJECT_REASONS.indexOf(left.reason) - REJECT_REASONS.indexOf(right.reason),
    );
    const idle = first === undefined ? this.idleReason(stop, partner, copy.events.length) : undefined;
    if (first === undefined && idle === undefined) return;
    Object.assign(this, copy, { prints: [] });
    for (const [index, list] of closed.entries()) this.accounts[index]!.closed = list;
    Object.assign(stop, before, { status: 'acting', stalled: undefined });
    if (this.waitsOn(stop)) this.stall(stop, idle ?? stallOfRefusal(first!.reason));
    else this.close(stop, 'refusedAtTrigger');
  }

  /** Why an order has done nothing but wait on: then its partner stays. */
  idleReason(stop: NaiveOrder, partner: NaiveOrder | undefined, from: number): StallReason | undefined {
    const isOwn = (event: Event): boolean =>
      event.type === 'TriggerStalled' || (event.type === 'OrderClosed' && event.orderId === partner?.order.orderId);
    return this.events.slice(from).every(isOwn) ? stop.stalled : undefined;
  }

  copiedPurchases(): Pick<NaiveMatching, 'purchases' | 'bought' | 'traded'> {
    return {
      purchases: new Map([...this.purchases].map(([id, purchase]) => [id, { ...purchase }])),
      bought: new Set(this.bought),
      traded: [...this.traded],
    };
  }

  receive({ order }: NaiveOrder, amount: bigint): void {
    const { spot, orderId: id } = order;
    if (spot === undefined || (spot.takeProfit.triggerPrice === 0 && spot.stopLoss.triggerPrice === 0)) return;
    const known = this.purchases.get(id) ?? { parent: order, received: 0n, protection: 0, isGivenUp: false };
    this.purchases.set(id, { ...known, received: known.received + amount });
    this.bought.add(id);
  }

  /** What one of a pair has traded the other loses. */
  followTrades(): void {
    for (const one of this.traded.splice(0)) {
      const partner = this.partnerOf(one);
      if (
        partner !== undefined &&
        this.orders.some(({ order }) => order.orderId === one.order.orderId) &&
        partner.remaining > one.remaining
      )
        this.resize(partner, one.remaining);
    }
  }

  resize(open: NaiveOrder, remaining: number): void {
    Object.assign(open, { remaining, order: { ...open.order, size: lots(open.filled + remaining) } });
    const { orderId, account, market, triggerPrice, price, size } = open.order;
    this.emit({ type: 'TriggerAmended', orderId, account, market, triggerPrice, price, size });
  }

  partnerOf({ order: { orderId: id, spot } }: NaiveOrder): NaiveOrder | undefined {
    if (spot === undefined || spot.group === 0) return undefined;
    return this.orders.find(({ order }) => order.orderId !== id && order.spot?.group === spot.group);
  }

  closeIfOpen(open: NaiveOrder, reason: CloseReason): void {
    if (this.orders.includes(open)) this.close(open, reason);
  }

  /** Those that wait for a price that stands still. */
  standingOf({ terms }: NaiveMarket): NaiveOrder[] {
    return this.orders.filter(
      ({ status, order, extreme, stalled }) =>
        status === 'armed' && order.market === terms.market && extreme === 0 && stalled === undefined,
    );
  }

  /** In the order in which they began to follow. */
  trailing({ terms }: NaiveMarket): NaiveOrder[] {
    return this.orders
      .filter(({ status, order, extreme }) => status === 'armed' && order.market === terms.market && extreme > 0)
      .sort((left, right) => left.armedAs - right.armedAs);
  }

  /** In the order in which they are tried. */
  stalledOf({ terms }: NaiveMarket): NaiveOrder[] {
    return this.orders
      .filter(({ order, stalled }) => order.market === terms.market && stalled !== undefined)
      .sort((left, right) => left.armedAs - right.armedAs);
  }

  bestAgainst(order: Order): NaiveOrder | undefined {
    const standing = this.orders.filter(
      (open) => open.status === 'resting' && open.order.market === order.market && open.order.side !== order.side,
    );
    const better = (left: NaiveOrder, right: NaiveOrder): number =>
      (order.side === 'buy' ? 1 : -1) * (left.order.price - right.order.price);
    return standing.sort((left, right) => better(left, right) || left.restedAs - right.restedAs)[0];
  }

  hasFreshIndex({ indexPrice, indexAt }: NaiveMarket): boolean {
    return indexPrice > 0 && indexAt > 0 && this.at - indexAt <= 30_000;
  }

  moveAverage(market: NaiveMarket, price: bigint): void {
    if (this.hasFreshIndex(market)) return;
    const elapsed = BigInt(Math.min(60_000, this.at - market.averageAt));
    // Division of bigints rounds towards 0.
    market.average = market.average === 0n ? price : market.average + ((price - market.average) * elapsed) / 600_000n;
    market.averageAt = this.at;
  }

  reference(market: NaiveMarket): number {
    const isLastFresh = market.lastPrice > 0 && this.at - market.lastTradeAt <= 60_000;
    if (this.rules >= 2) {
      if (!this.hasFreshIndex(market)) return market.average === 0n ? 0 : Math.max(1, Number(market.average / MILLION));
      if (!isLastFresh) return market.indexPrice;
      const band = BigInt(market.terms.marketBandPpm);
      const highest = Number((BigInt(market.indexPrice) * (MILLION + band)) / MILLION);
      const lowest = Math.max(1, Number((BigInt(market.indexPrice) * (MILLION - band) + MILLION - 1n) / MILLION));
      return Math.min(highest, Math.max(lowest, market.lastPrice));
    }
    if (market.indexPrice === 0) return market.lastPrice;
    return market.lastPrice > 0 && this.at - market.lastTradeAt <= 60_000 ? market.lastPrice : market.indexPrice;
  }

  hasRoom(order: Order): boolean {
    const own = this.openOf(order.account);
    return (
      own.length < 1_000 && own.filter((open) => open.order.market === order.market).length < this.market(order.market)!.terms.maxOpenOrders
    );
  }

  /** As `hasRoom`, for an order that is on the list already. */
  hasRoomBeside(acting: NaiveOrder): boolean {
    const own = this.openOf(acting.order.account).filter((open) => open !== acting);
    return (
      own.length < 1_000 &&
      own.filter((open) => open.order.market === acting.order.market).length < this.market(acting.order.market)!.terms.maxOpenOrders
    );
  }

  openOf(account: AccountId): NaiveOrder[] {
    return this.orders.filter((open) => open.order.account === account).sort(byId);
  }

  openByName(account: AccountId, name: string): NaiveOrder | undefined {
    return name === '' ? undefined : this.orders.find((open) => open.order.account === account && open.order.clientOrderId === name);
  }

  knownByName(account: AccountId, name: string): { order: Order; replaces: number } | undefined {
    const closed = this.account(account)?.closed.find((one) => one.order.clientOrderId === name && this.at - one.closedAt < DAY);
    const open = this.openByName(account, name);
    return name === '' ? undefined : open === undefined ? closed : { order: open.asked, replaces: open.replaces };
  }
}

/** Whether `price` is worse for this side than `from` by more than the rate. */
function beyond(price: number, from: number, ratePpm: number, side: Side): boolean {
  const scaled = BigInt(price) * MILLION;
  return side === 'buy' ? scaled > BigInt(from) * (MILLION + BigInt(ratePpm)) : scaled < BigInt(from) * (MILLION - BigInt(ratePpm));
}

/** Whether it waits for the price to rise. */
export const rises = ({ side, spot }: Order): boolean => (spot === undefined ? side === 'buy' : spot.triggerDirection === 'rise');

/** A trailing stop that does not follow yet waits for its activation price. */
const waitedFor = ({ spot, triggerPrice }: Order): number =>
  spot !== undefined && spot.trailingPpm > 0 ? spot.activationPrice : triggerPrice;

const laneOf = ({ order }: NaiveOrder): string => `${order.side} ${order.spot?.trailingPpm ?? 0}`;

/** One of a pair, or of what protects a purchase. */
export const isOfOthers = ({ spot }: Order): boolean => spot !== undefined && (spot.group > 0 || spot.parent > 0);

function stallOf({ orderType }: Order, end: string): StallReason {
  if (end === 'bound') return orderType === 'stopLimit' ? 'limitNotReached' : 'slippageBound';
  return end === 'selfTrade' || end === 'complete' ? 'selfTrade' : 'noLiquidity';
}

function stallOfRefusal(reason: Reason['reason']): StallReason {
  if (reason === 'NoLiquidity') return 'noLiquidity';
  if (reason === 'PriceOutOfBand') return 'priceOutOfBand';
  return reason === 'InsufficientBalance' ? 'marginMissing' : 'timeInForce';
}

export function reaches(order: Order, lastPrice: number): boolean {
  return rises(order) ? lastPrice >= order.triggerPrice : lastPrice <= order.triggerPrice;
}
