/**
 * The books of spot markets and contracts a second time, obvious and slow: plain arrays, the best order looked for from the start at every step. Whom an order trades
 * with, how much and at which price, whose orders leave the book on its way, and where it stops, is decided here from the orders alone, and every event of the
 * engine has to be the one that comes next. Who may give an order, what it costs and when it triggers are not decided here, nor is how far an order at the
 * market of a spot market may go from its reference price: the naive exchange does that. Without a line of the engine or the rules.
 */
import { assert, lots } from '@orrery/units';
import type {
  BookTerms,
  Command,
  Contract,
  Event,
  Order,
  OrderClosed,
  OrderPaused,
  OrderAmended,
  OrderReduced,
  OrderRested,
  PositionReduced,
  PricesSet,
  Trade,
  TriggerStalled,
} from '@orrery/protocol';
import type { Snapshot } from '../snapshot/snapshot.ts';

interface NaiveOrder {
  order: Order;
  remaining: number;
  filled: number;
  filledNotional: bigint;
  /** Quote atoms that an order by funds may spend yet. */
  fundsLeft: bigint;
  state: 'acting' | 'armed' | 'resting';
  /** Counts up: of orders at one price the lower one is first. */
  restedAs: number;
}

/** An order that acts now, and what it has met. */
interface Act {
  readonly taker: NaiveOrder;
  /** Worst prices, each a bound by itself. */
  readonly bounds: readonly Bound[];
  readonly trades: Trade[];
  /** Orders that left because their accounts could not bear a trade. */
  readonly unpaid: number[];
  metItself: boolean;
  /** Of an amended order: whether self-trade prevention had taken some of it before. */
  hadLost: boolean;
  /** Of the last that it met. */
  lastPrice: number;
}

/** A price is beyond it when `price × MILLION` is worse than `scaled`. */
interface Bound {
  readonly scaled: bigint;
}

/** A resting order that did not trade because its account could not bear it. */
export interface Unpaid {
  readonly order: Order;
  /** What it would have traded. */
  readonly size: number;
  /** The trades before it of the order that met it. */
  readonly trades: readonly Trade[];
  /** Those that closed before it for the same reason. */
  readonly closed: readonly number[];
  /** No other order has acted in this command before. */
  readonly isFirst: boolean;
}

const MILLION = 1_000_000n;

type Listed = BookTerms & Partial<Pick<Contract, 'payoff'>>;

export class NaiveBooks {
  readonly #listed = new Map<number, Listed>();
  /** By contract: the mark, or before there is one the last price. */
  readonly #marks = new Map<number, number>();
  readonly #lastPrices = new Map<number, number>();
  readonly #positions = new Map<string, number>();
  readonly #orders = new Map<number, NaiveOrder>();
  /** Those that stand in a book, of all contracts. */
  readonly #resting = new Set<NaiveOrder>();
  #liquidator = 0;
  #rested = 0;
  #act: Act | undefined;
  /** By market: an order that had more to trade than one command may. */
  readonly #paused = new Map<number, Act>();
  #acts = 0;
  #at: number | undefined;
  #rules = 1;
  /** When the prices of a contract were READY last; -1 since they are not. */
  readonly #readyAt = new Map<number, number>();
  /** How many rounds came since the last start or outage. */
  readonly #rounds = new Map<number, number>();
  #unpaid: Unpaid[] = [];
  /** How often each kind of thing was decided here. */
  readonly seen = new Map<string, number>();

  /**
   * @param at the time of the command; without it prices do not grow old
   * @returns the orders that this command took out of the book because their account could not bear a trade
   */
  follow(command: Command, events: readonly Event[], at?: number): readonly Unpaid[] {
    this.#at = at;
    this.#acts = 0;
    this.#unpaid = [];
    this.#checkRefusal(command, events);
    if (command.type === 'ContinueMatching' && events[0]?.type !== 'CommandRejected') this.#resume(command.market);
    for (const event of events) this.#one(event);
    assert(this.#act === undefined, 'O3: an order that acts ends within its command');
    return this.#unpaid;
  }

  /** The books of a state are the ones that its events amount to, order by order. */
  compare({ markets, contracts, orders }: Snapshot): void {
    const open = new Map<number, Snapshot['orders'][number]>(orders.map((one) => [one.order.orderId, one]));
    for (const { terms, resting } of [...markets, ...contracts]) {
      const expected = [...this.#standing(terms.market, 'buy'), ...this.#standing(terms.market, 'sell')];
      const ids = expected.map(({ order }) => order.orderId);
      assert(ids.join() === resting.join(), `O3: ${terms.symbol} has the orders ${resting.join()}, by its events ${ids.join()}`);
      for (const { order, remaining, filled, filledNotional } of expected) {
        const actual = open.get(order.orderId);
        const agrees = actual?.remaining === remaining && actual.filled === filled && actual.filledNotional === filledNotional;
        assert(agrees, `O3: order ${order.orderId} of ${terms.symbol} has ${actual?.remaining} left, by its events ${remaining}`);
      }
    }
  }

  #one(event: Event): void {
    if (event.type === 'ContractRegistered' || event.type === 'MarketRegistered') this.#listed.set(event.market, event);
    else if (event.type === 'LiquidatorSet') this.#liquidator = event.account;
    else if (event.type === 'RulesUpgraded') this.#rules = event.version;
    else if (event.type === 'PricesSet') this.#followPrices(event);
    else if (event.type === 'PositionReduced') this.#reduce(event);
    if (!('market' in event) || !this.#listed.has(event.market)) return;
    switch (event.type) {
      case 'OrderAccepted':
        return this.#accept(event);
      case 'OrderArmed':
        this.#known(event.orderId).state = 'armed';
        this.#act = undefined;
        return;
      case 'OrderTriggered': {
        const open = this.#known(event.orderId);
        open.state = 'acting';
        return this.#begin(open);
      }
      case 'TriggerAmended': {
        const open = this.#known(event.orderId);
        open.order = { ...open.order, triggerPrice: event.triggerPrice, price: event.price, size: event.size };
        open.remaining = event.size - open.filled;
        return;
      }
      case 'TriggerStalled':
        return this.#stall(event);
      case 'Trade':
        return this.#trade(event);
      case 'OrderReduced':
        return this.#decrement(event);
      case 'OrderAmended':
        return this.#amend(event);
      case 'OrderPaused':
        return this.#pause(event);
      case 'OrderRested':
        return this.#rest(event);
      case 'OrderClosed':
        return this.#close(event);
      default:
        return;
    }
  }

  #resume(market: number): void {
    this.#act = this.#paused.get(market);
    this.#paused.delete(market);
    if (this.#act === undefined) return;
    this.#acts += 1;
    this.#act.trades.length = 0;
    this.#act.unpaid.length = 0;
  }

  #pause({ orderId, market, remaining, filled }: OrderPaused): void {
    const act = this.#actOf(orderId);
    const { taker } = act;
    const best = this.#bestAgainst(taker.order);
    assert(best !== undefined && !this.#isBeyond(best.order.price, taker.order), `O3: order ${orderId} has nothing more to meet`);
    assert(remaining === taker.remaining && filled === taker.filled, `O1: order ${orderId} has ${taker.remaining} left`);
    assert(!this.#paused.has(market), `O3: of market ${market} one order is unfinished at a time`);
    this.#paused.set(market, act);
    this.#act = undefined;
    this.#count('paused');
  }

  #followPrices({ market, mark, state, freshRounds }: PricesSet): void {
    this.#marks.set(market, mark);
    this.#readyAt.set(market, state === 'READY' ? (this.#at ?? 0) : -1);
    this.#rounds.set(market, freshRounds);
  }

  /** Of the reasons for which the book alone refuses an order. */
  #checkRefusal(command: Command, [event]: readonly Event[]): void {
    if (event?.type !== 'CommandRejected' || (command.type !== 'PlaceContractOrder' && command.type !== 'PlaceOrder')) return;
    const best = this.#bestAgainst(command);
    if (event.reason === 'NoLiquidity') assert(best === undefined, `O3: order ${best?.order.orderId} stands against what finds none`);
    if (event.reason !== 'PostOnlyWouldTake') return;
    const takes = best !== undefined && !isWorse(best.order.price, command.price, command.side);
    assert(takes, 'O3: a post-only order that would take nothing is taken');
    this.#count('refused post-only');
  }

  #accept(order: Order): void {
    const fresh = { remaining: order.size, fundsLeft: order.funds, filled: 0, filledNotional: 0n, restedAs: 0 };
    const open: NaiveOrder = { order, state: 'acting', ...fresh };
    this.#orders.set(order.orderId, open);
    this.#begin(open);
  }

  #begin(taker: NaiveOrder): void {
    assert(this.#act === undefined, 'O3: one order acts at a time');
    this.#acts += 1;
    const hadLost = !isByFunds(taker.order) && taker.filled + taker.remaining < taker.order.size;
    this.#act = { taker, bounds: this.#boundsOf(taker.order), trades: [], unpaid: [], metItself: false, hadLost, lastPrice: 0 };
  }

  /** The limit; of what trades at the market also its distance from the best price, and the band around the mark or the trigger. */
  #boundsOf(order: Order): readonly Bound[] {
    const { side, price, slippagePpm, market, contract, orderType, triggerPrice, spot } = order;
    const bounds: Bound[] = price === 0 ? [] : [{ scaled: BigInt(price) * MILLION }];
    // The bound of a liquidation is all in its price.
    if (isLimited(order) || contract?.source === 'liquidation') return bounds;
    const away = (from: number, ratePpm: number): Bound => ({
      scaled: BigInt(from) * (side === 'buy' ? MILLION + BigInt(ratePpm) : MILLION - BigInt(ratePpm)),
    });
    const best = this.#bestAgainst(order);
    if (best !== undefined) bounds.push(away(best.order.price, slippagePpm));
    const { marketBandPpm } = this.#listed.get(market)!;
    if (contract === undefined) {
      // What has trailed keeps to what it has reserved: a sell to nothing.
      const reserved = spot !== undefined && spot.trailingPpm > 0 ? spot.reservePrice : undefined;
      if (reserved !== undefined) return reserved === 0 ? bounds : [...bounds, { scaled: BigInt(reserved) * MILLION }];
      if (orderType === 'stopMarket' && price === 0) bounds.push(away(triggerPrice, marketBandPpm));
      return bounds;
    }
    const mark = this.#marks.get(market) ?? 0;
    const reference = mark === 0 ? (this.#lastPrices.get(market) ?? 0) : mark;
    if (reference > 0) bounds.push(away(reference, marketBandPpm));
    return bounds;
  }

  #trade(trade: Trade): void {
    const act = this.#actOf(trade.takerOrderId);
    const { taker, trades } = act;
    const maker = this.#nextFor(act, trade.makerOrderId);
    const size = this.#meetingSize(taker, maker);
    const notional = notionalOf(this.#listed.get(trade.market)!, maker.order.price, size);
    const { orderId } = maker.order;
    assert(trade.price === maker.order.price && trade.size === size, `O3: order ${orderId} trades ${size} at ${maker.order.price}`);
    assert(trade.notional === notional, `O3: ${size} lots at ${trade.price} are ${notional}, not ${trade.notional}`);
    assert(taker.order.account !== maker.order.account, `O6: order ${orderId} trades with its own account`);
    assert(trade.takerSide === taker.order.side, 'O3: the side of a trade is the one of the order that acts');
    this.#use(act, maker, size);
    for (const open of [taker, maker]) {
      open.filled += size;
      open.filledNotional += notional;
      this.#move(open.order, open.order.side === 'buy' ? size : -size);
    }
    assert(trade.makerRemaining === maker.remaining, `O3: order ${orderId} has ${maker.remaining} left`);
    trades.push(trade);
    this.#lastPrices.set(trade.market, trade.price);
    this.#count('trade');
  }

  /** One that keeps its place loses what it is smaller by; another one acts again with what is left of it. */
  #amend({ orderId, clientOrderId, price, size, remaining, removed, oldPrice, keepsPlace }: OrderAmended): void {
    const open = this.#known(orderId);
    const isShrunk = price === open.order.price && remaining <= open.remaining;
    assert(open.state === 'resting' && oldPrice === open.order.price, `O3: order ${orderId} rests`);
    assert(keepsPlace === isShrunk, `O3: order ${orderId} ${isShrunk ? 'keeps' : 'loses'} its place`);
    assert(removed === (keepsPlace ? open.remaining - remaining : open.remaining), `O3: order ${orderId} leaves with ${removed}`);
    const isAsItWas = size === open.order.size && remaining === open.remaining;
    assert(isAsItWas || remaining === size - open.filled, `O3: of order ${orderId} ${open.filled} are filled`);
    open.order = { ...open.order, clientOrderId, price, size };
    open.remaining = remaining;
    this.#count(keepsPlace ? 'amended in its place' : 'amended');
    if (keepsPlace) return;
    this.#resting.delete(open);
    open.state = 'acting';
    this.#begin(open);
  }

  /** Both orders of one account lose the same size. */
  #decrement({ orderId, reducedBy, remaining }: OrderReduced): void {
    const act = this.#act;
    if (act === undefined) return this.#shrink(this.#known(orderId), reducedBy);
    const maker = this.#nextFor(act, orderId);
    this.#loseBoth(act, maker, reducedBy);
    assert(remaining === maker.remaining && remaining > 0, `O3: order ${orderId} has ${maker.remaining} left`);
  }

  /** A resting order that protects a position, which has become too small for it, or of which its group has less left. */
  #shrink(open: NaiveOrder, reducedBy: number): void {
    assert(this.#rules >= 8 && isStop(open.order) && onlyReduces(open.order), `O5: order ${open.order.orderId} shrinks by itself`);
    open.remaining -= reducedBy;
    open.order = { ...open.order, size: lots(open.filled + open.remaining) };
    assert(open.state === 'resting' && open.remaining > 0, `O5: order ${open.order.orderId} shrinks to nothing`);
    this.#count('reduction shrunk');
  }

  /** What acts to reduce a position and cannot go on waits for the next round. One that has not acted only says why. */
  #stall({ orderId, reason, remaining, filled }: TriggerStalled): void {
    const open = this.#known(orderId);
    const { order } = open;
    if (this.#act === undefined) this.#begin(open);
    const act = this.#actOf(orderId);
    assert(remaining === open.remaining && filled === open.filled && remaining > 0, `O1: order ${orderId} has ${open.remaining} left`);
    const best = this.#bestAgainst(order);
    const isBound = best !== undefined && this.#isBeyond(best.order.price, order);
    const isOwn = best?.order.account === order.account || act.metItself;
    const expected = {
      noLiquidity: best === undefined,
      slippageBound: (isBound || hasUnknownBound(order)) && !isLimited(order),
      priceOutOfBand: isLimited(order) || isBound || hasUnknownBound(order),
      limitNotReached: isBound && isLimited(order),
      selfTrade: isOwn,
      timeInForce: order.timeInForce === 'FOK' || order.timeInForce === 'GTX',
      marginMissing: true,
    };
    assert(expected[reason], `O8: order ${orderId} stalls as ${reason} while order ${best?.order.orderId} stands against it`);
    open.order = { ...order, size: lots(filled + remaining) };
    open.state = 'armed';
    this.#act = undefined;
    this.#count(`stalled ${reason}`);
  }

  #loseBoth(act: Act, maker: NaiveOrder, size: number): void {
    const { taker } = act;
    const { account, selfTradePrevention } = taker.order;
    assert(maker.order.account === account && selfTradePrevention === 'decrement', `O6: order ${maker.order.orderId} is reduced`);
    assert(size === this.#meetingSize(taker, maker), `O6: order ${maker.order.orderId} is reduced by ${size}`);
    this.#use(act, maker, size);
    this.#count('decrement');
  }

  /** Of what both have left. */
  #use(act: Act, maker: NaiveOrder, size: number): void {
    const { taker } = act;
    maker.remaining -= size;
    act.lastPrice = maker.order.price;
    if (isByFunds(taker.order)) taker.fundsLeft -= BigInt(size) * this.#lotCost(taker.order, act.lastPrice);
    else taker.remaining -= size;
  }

  #lotCost({ market }: Order, price: number): bigint {
    return BigInt(price) * this.#listed.get(market)!.tickLotAtoms;
  }

  #rest({ orderId, remaining, price }: OrderRested): void {
    const { taker } = this.#actOf(orderId);
    const { order } = taker;
    const best = this.#bestAgainst(order);
    const crosses = best !== undefined && !isWorse(best.order.price, order.price, order.side);
    assert(!crosses, `O3: order ${orderId} rests while order ${best?.order.orderId} would trade with it`);
    assert(isLimited(order) && (order.timeInForce === 'GTC' || order.timeInForce === 'GTX'), `O5: order ${orderId} may not rest`);
    assert(remaining === taker.remaining && remaining > 0 && price === order.price, `O3: order ${orderId} rests with ${taker.remaining}`);
    this.#rested += 1;
    taker.state = 'resting';
    taker.restedAs = this.#rested;
    this.#resting.add(taker);
    this.#act = undefined;
  }

  #close(event: OrderClosed): void {
    const { orderId, filled, filledNotional, removed } = event;
    const open = this.#known(orderId);
    const wasResting = open.state === 'resting';
    const standing = open.remaining;
    assert(filled === open.filled && filledNotional === open.filledNotional, `O1: order ${orderId} has traded ${open.filled}`);
    if (this.#act?.taker === open) this.#checkEnd(this.#act, event);
    else if (event.reason === 'groupTriggered' && wasResting && open.order.spot !== undefined)
      assert(this.#act?.taker.order.spot?.group === open.order.spot.group, `O10: order ${orderId} ends with nobody of its pair`);
    else if (wasResting && this.#act !== undefined) this.#checkMet(this.#act, open, event);
    else if (wasResting && event.reason === 'reduceOnly') this.#checkReduction(open);
    // What both lost is not taken out by the closing, but gone before.
    const isGone = open.remaining === 0 && standing > 0;
    assert(removed === (wasResting ? (isGone ? standing : open.remaining) : 0), `O1: order ${orderId} leaves with ${removed}`);
    if (this.#act?.taker === open) this.#act = undefined;
    for (const [market, act] of this.#paused) if (act.taker === open) this.#paused.delete(market);
    this.#orders.delete(orderId);
    this.#resting.delete(open);
  }

  /** Why an order that acts is over. */
  #checkEnd(act: Act, event: OrderClosed): void {
    const { taker, metItself, hadLost } = act;
    const { reason, orderId } = event;
    const { order, remaining, filled } = taker;
    const best = this.#bestAgainst(order);
    this.#count(`taker ${reason}`);
    if (isByFunds(order)) return this.#checkEndByFunds(act, event);
    if (reason === 'filled') return assert(remaining === 0 && filled === order.size, `O3: order ${orderId} has ${remaining} left`);
    if (reason === 'selfTrade') {
      const isStopped = order.selfTradePrevention === 'expireTaker' && best?.order.account === order.account;
      const isLost = (hadLost || order.selfTradePrevention === 'decrement') && remaining === 0 && filled < order.size;
      return assert(isStopped || isLost || metItself, `O6: order ${orderId} has not met its own account`);
    }
    if (reason !== 'remainderNotFilled' && reason !== 'slippageBound') return;
    assert(remaining > 0, `O3: of order ${orderId} something is left`);
    const isOut = best === undefined || this.#isBeyond(best.order.price, order) || hasUnknownBound(order);
    // What these do not take within their command they take with their next order.
    if (!isOut && (order.contract?.source === 'liquidation' || order.contract?.source === 'twap')) {
      assert(reason === 'remainderNotFilled', `O3: order ${orderId} ends for another reason than ${reason}`);
      return this.#count('stopped by the budget');
    }
    assert(isOut, `O3: order ${orderId} ends while order ${best?.order.orderId} would trade with it`);
    const isBound = best !== undefined && !isLimited(order);
    assert(isBound === (reason === 'slippageBound'), `O3: order ${orderId} ends for another reason than ${reason}`);
  }

  /** An order by funds is over when they pay for no lot of whom it met last, or would meet next. */
  #checkEndByFunds({ taker, metItself, lastPrice }: Act, { reason, orderId }: OrderClosed): void {
    const { order, fundsLeft, filled } = taker;
    const best = this.#bestAgainst(order);
    const paysFor = (price: number): boolean => fundsLeft >= this.#lotCost(order, price);
    const isSpent = (lastPrice > 0 && !paysFor(lastPrice)) || (best !== undefined && !paysFor(best.order.price));
    if (reason === 'filled') return assert(isSpent && filled > 0, `O3: order ${orderId} has ${fundsLeft} to spend`);
    if (reason === 'selfTrade') {
      const isStopped = order.selfTradePrevention === 'expireTaker' && best?.order.account === order.account;
      return assert(isStopped || metItself || (isSpent && filled === 0), `O6: order ${orderId} has not met its own account`);
    }
    if (reason === 'slippageBound') return assert(best !== undefined, `O3: order ${orderId} ends for another reason than ${reason}`);
    if (reason !== 'remainderNotFilled') return;
    assert(
      best === undefined || (isSpent && filled === 0),
      `O3: order ${orderId} ends while order ${best?.order.orderId} would trade with it`,
    );
  }

  /** Why an order leaves the book on the way of one that acts. */
  #checkMet(act: Act, maker: NaiveOrder, { reason, orderId }: OrderClosed): void {
    const { taker, trades } = act;
    if (maker.remaining === 0) {
      const expected = maker.filled === maker.order.size ? 'filled' : 'selfTrade';
      return assert(reason === expected, `O1: order ${orderId} ends as ${expected}`);
    }
    assert(maker === this.#bestAgainst(taker.order), `O3: order ${orderId} leaves the book before it is met`);
    this.#count(`maker ${reason}`);
    // An order that reduces less than it says is cut where the position ends, after the last trade too.
    if (reason === 'reduceOnly') return assert(this.#reducible(maker.order) === 0, `O5: order ${orderId} has a position to reduce`);
    if (reason === 'pricesDegraded')
      return assert(
        this.#isDegraded(maker.order) && this.#reducible(maker.order) === 0 && !onlyReduces(maker.order),
        `X1: order ${orderId} has a position to reduce, or prices`,
      );
    this.#nextFor(act, orderId);
    if (reason === 'marginMissing') {
      assert(taker.order.account !== maker.order.account, `O6: order ${orderId} is of the account that it meets`);
      const size = this.#meetingSize(taker, maker);
      this.#unpaid.push({ order: maker.order, size, trades: [...trades], closed: [...act.unpaid], isFirst: this.#acts === 1 });
      act.unpaid.push(orderId);
      return;
    }
    assert(reason === 'selfTrade', `O3: order ${orderId} leaves the book as ${reason}`);
    const { selfTradePrevention, account } = taker.order;
    assert(maker.order.account === account, `O6: order ${orderId} is of another account`);
    if (selfTradePrevention === 'decrement') return this.#loseBoth(act, maker, maker.remaining);
    assert(selfTradePrevention !== 'expireTaker', `O6: order ${orderId} stays when the other one expires`);
    act.metItself = selfTradePrevention === 'expireBoth';
  }

  /** After a command: a position that has become too small for its orders loses the newest of them. */
  #checkReduction({ order }: NaiveOrder): void {
    const isRival = (one: Order): boolean => one.side === order.side && onlyReduces(one) && keyOf(one) === keyOf(order);
    const rivals = [...this.#resting].filter((one) => isRival(one.order));
    const sum = rivals.reduce((total, { remaining }) => total + remaining, 0);
    assert(sum > this.#reducible(order), `O5: order ${order.orderId} fits its position`);
    // Since rules 8 those that protect the position come last.
    const isLater = (one: Order): boolean => this.#rules >= 8 && isStop(one) && !isStop(order);
    const isSooner = (one: Order): boolean => this.#rules >= 8 && !isStop(one) && isStop(order);
    const isNewest = rivals.every(({ order: one }) => isLater(one) || (!isSooner(one) && one.orderId <= order.orderId));
    assert(isNewest, `O5: order ${order.orderId} is not the newest that reduces its position`);
    this.#count('reduction cut');
  }

  /** The order that the acting one meets next, which has to be this one. */
  #nextFor({ taker }: Act, id: number): NaiveOrder {
    const maker = this.#bestAgainst(taker.order);
    assert(maker !== undefined && maker.order.orderId === id, `O3: order ${taker.order.orderId} meets ${maker?.order.orderId}, not ${id}`);
    assert(taker.remaining > 0 || isByFunds(taker.order), `O3: order ${taker.order.orderId} is over`);
    assert(!this.#isBeyond(maker.order.price, taker.order), `O4: order ${id} is beyond what order ${taker.order.orderId} may pay`);
    return maker;
  }

  #isBeyond(price: number, { side }: Order): boolean {
    const scaled = BigInt(price) * MILLION;
    return this.#act!.bounds.some((bound) => (side === 'buy' ? scaled > bound.scaled : scaled < bound.scaled));
  }

  /** X1, X4: since rules 7 a resting order opens nothing while its contract is not open, and it opens with its third round: before, READY said less. */
  #isDegraded({ market, contract }: Order): boolean {
    if (this.#rules < 7 || contract === undefined) return false;
    const readyAt = this.#readyAt.get(market) ?? -1;
    return readyAt < 0 || (this.#rounds.get(market) ?? 0) < 3 || (this.#at !== undefined && this.#at - readyAt > 30_000);
  }

  #meetingSize(taker: NaiveOrder, maker: NaiveOrder): number {
    const limit = onlyReduces(maker.order) || this.#isDegraded(maker.order) ? this.#reducible(maker.order) : maker.remaining;
    const wanted = isByFunds(taker.order) ? Number(taker.fundsLeft / this.#lotCost(taker.order, maker.order.price)) : taker.remaining;
    return Math.min(wanted, maker.remaining, limit);
  }

  /** What the position of an order has for it to reduce. */
  #reducible(order: Order): number {
    const held = this.#positions.get(keyOf(order)) ?? 0;
    return Math.max(0, order.side === 'sell' ? held : -held);
  }

  #bestAgainst({ market, side }: Pick<Order, 'market' | 'side'>): NaiveOrder | undefined {
    let best: NaiveOrder | undefined;
    for (const open of this.#resting) {
      const { order, remaining, restedAs } = open;
      if (order.market !== market || order.side === side || remaining === 0) continue;
      const isBetter = best === undefined || isWorse(best.order.price, order.price, side);
      if (isBetter || (best?.order.price === order.price && restedAs < best.restedAs)) best = open;
    }
    return best;
  }

  /** Best price first, and of one price who came first. */
  #standing(market: number, side: Order['side']): readonly NaiveOrder[] {
    const nearness = side === 'sell' ? 1 : -1;
    return [...this.#resting]
      .filter(({ order }) => order.market === market && order.side === side)
      .sort((one, other) => nearness * (one.order.price - other.order.price) || one.restedAs - other.restedAs);
  }

  /** What closed without an order; the liquidator receives what others lose to it. */
  #reduce({ account, market, positionSide, isLong, size, cause }: PositionReduced): void {
    if (size === 0 || (cause !== 'adl' && cause !== 'takeover')) return;
    if (cause === 'takeover' && account === this.#liquidator) return;
    const change = isLong ? 0 - size : size;
    this.#moveBy(`${account} ${market} ${positionSide}`, change);
    if (cause === 'takeover') this.#moveBy(`${this.#liquidator} ${market} both`, -change);
  }

  #move(order: Order, change: number): void {
    this.#moveBy(keyOf(order), change);
  }

  #moveBy(key: string, change: number): void {
    this.#positions.set(key, (this.#positions.get(key) ?? 0) + change);
  }

  #actOf(id: number): Act {
    const act = this.#act;
    assert(act !== undefined && act.taker.order.orderId === id, `O3: order ${id} acts`);
    return act;
  }

  #known(id: number): NaiveOrder {
    const open = this.#orders.get(id);
    assert(open !== undefined, `O1: order ${id} is open`);
    return open;
  }

  #count(what: string): void {
    this.seen.set(what, (this.seen.get(what) ?? 0) + 1);
  }
}

const keyOf = ({ account, market, contract }: Order): string => `${account} ${market} ${contract?.positionSide ?? 'both'}`;

const isLimited = ({ orderType }: Order): boolean => orderType === 'limit' || orderType === 'stopLimit';

const isByFunds = ({ funds }: Order): boolean => funds > 0n;

/** The distance from the reference price of a spot market. */
const hasUnknownBound = (order: Order): boolean => order.contract === undefined && !isLimited(order);

const isWorse = (price: number, than: number, side: Order['side']): boolean => (side === 'buy' ? price > than : price < than);

const isStop = ({ orderType }: Order): boolean => orderType === 'stopLimit' || orderType === 'stopMarket';

/** By its terms, or by the side of hedge mode it is against. */
const onlyReduces = ({ side, contract }: Order): boolean =>
  contract !== undefined &&
  (contract.reduceOnly || contract.closePosition || contract.positionSide === (side === 'sell' ? 'long' : 'short'));

function notionalOf({ payoff = 'linear', tickLotAtoms }: Listed, price: number, size: number): bigint {
  const one = BigInt(size) * tickLotAtoms;
  return payoff === 'linear' ? one * BigInt(price) : one / BigInt(price);
}
