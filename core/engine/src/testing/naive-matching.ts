/** Matching in the naive exchange: the best order is looked for from the start at every step, and an order is tried on the real thing and taken back when it is refused. */
import { type CloseReason, type Order, type Side } from '@orrery/protocol';
import { atoms, lots, ticks, tradeId, type AccountId, type MarketId } from '@orrery/units';
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
    const state = { status: 'acting', restedAs: 0, best: 0, reference: 0, fundsLeft: order.funds } as const;
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
    else this.close(open, outcome.reason);
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
    else this.close(open, outcome.reason);
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
    if (order.orderType === 'stopMarket' && order.price === 0 && beyond(price, order.triggerPrice, terms.marketBandPpm, order.side))
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
    const armed = this.orders.filter((open) => open.status === 'armed' && open.order.market === market.terms.market);
    if (armed.some(({ order }) => order.side === 'buy' && order.triggerPrice <= price)) market.high = Math.max(market.high, price);
    if (armed.some(({ order }) => order.side === 'sell' && order.triggerPrice >= price))
      market.low = market.low === 0 ? price : Math.min(market.low, price);
  }

  /** Up to sixteen of the reached stops: of each side the one whose trigger was reached first, of equals the oldest; of both sides the older. */
  fireSome(id: MarketId): void {
    if (this.isTogether) return;
    for (let step = 0; step < 16 && this.fills > 0 && !this.isBusy(id); step += 1) {
      const market = this.market(id)!;
      const armed = this.orders.filter((open) => open.status === 'armed' && open.order.market === id).sort(byId);
      const first = (side: Side, reached: (trigger: number) => boolean, nearness: number): NaiveOrder | undefined =>
        armed
          .filter(({ order }) => order.side === side && reached(order.triggerPrice))
          .sort((left, right) => nearness * (left.order.triggerPrice - right.order.triggerPrice) || byId(left, right))[0];
      const buy = market.high === 0 ? undefined : first('buy', (trigger) => trigger <= market.high, 1);
      const sell = market.low === 0 ? undefined : first('sell', (trigger) => trigger >= market.low, -1);
      const next = [buy, sell].filter((one) => one !== undefined).sort(byId)[0];
      if (next === undefined) {
        market.high = 0;
        market.low = 0;
        return;
      }
      const { orderId, account, side } = next.order;
      this.emit({ type: 'OrderTriggered', orderId, account, market: id, lastPrice: ticks(side === 'buy' ? market.high : market.low) });
      this.tryStop(next);
    }
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
    };
    const closed = this.accounts.map((account) => [...account.closed]);
    const before = { ...stop };
    stop.status = 'acting';
    if (this.act(stop, undefined).length === 0) return;
    Object.assign(this, copy, { prints: [] });
    for (const [index, list] of closed.entries()) this.accounts[index]!.closed = list;
    Object.assign(stop, before, { status: 'acting' });
    this.close(stop, 'refusedAtTrigger');
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

export function reaches(order: Order, lastPrice: number): boolean {
  return order.side === 'buy' ? lastPrice >= order.triggerPrice : lastPrice <= order.triggerPrice;
}
