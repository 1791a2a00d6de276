/**
 * The exchange a second time, obvious and slow: plain arrays, every hold recomputed from the open orders, the best order looked for
 * from the start at every step, an order tried on a copy of the state and thrown away when it is refused. A refused command is refused
 * for the first, in the order of the protocol, of all the reasons that apply. It shares no code with the engine and none with the rules.
 */
import {
  REJECT_REASONS, WALLETS,
  type AccountFlag, type AmendOrder, type Asset, type CloseReason, type Command, type Event, type Market, type MarketState, type Order,
  type PlaceOrder, type RejectReason, type Sequenced, type Side, type Wallet,
} from '@orrery/protocol';
import {
  accountId, atoms, lots, orderId, ppm, ticks, tradeId, millis,
  type AccountId, type Address, type AssetId, type MarketId, type Millis, type OrderId,
} from '@orrery/units';

const MILLION = 1_000_000n;
const DAY = 24 * 3_600_000;

interface NaiveOrder {
  order: Order;
  replaces: number;
  status: 'armed' | 'resting' | 'acting';
  /** Of orders at one price the one that rested earlier trades first. */
  restedAs: number;
  remaining: number;
  filled: number;
  filledNotional: bigint;
}

interface NaiveMarket {
  terms: Market;
  state: MarketState;
  lastPrice: number;
  lastTradeAt: number;
  indexPrice: number;
}

interface NaiveAccount {
  id: AccountId;
  address: Address;
  flags: AccountFlag[];
  closed: { order: Order; replaces: number; closedAt: number }[];
  suspended: { key: string; asset: AssetId; amount: bigint }[];
  lastClaimAt: number | undefined;
}

interface Reason {
  reason: RejectReason;
  field: string;
}

type Body = string;

export class NaiveExchange {
  assets: Asset[] = [];
  markets: NaiveMarket[] = [];
  accounts: NaiveAccount[] = [];
  orders: NaiveOrder[] = [];
  /** What each owner has in all, by `account wallet asset`; what is held of it is recomputed. */
  totals = new Map<string, bigint>();
  budgets = new Map<string, bigint>();
  seen = new Map<string, Body>();
  withdrawals: { id: string; account: AccountId; asset: AssetId; amount: bigint; to: Address; state: string; txHash: string }[] = [];
  claims: { id: string; account: AccountId; at: number; state: string }[] = [];
  lastOrderId = 0;
  lastTradeId = 0;
  lastRest = 0;
  at: Millis = millis(0);
  events: Event[] = [];

  apply({ at, command }: Sequenced): readonly Event[] {
    this.at = at;
    this.events = [];
    const before = this.balances();
    this.decide(command);
    this.tellBalances(before);
    return this.events;
  }

  decide(command: Command): void {
    switch (command.type) {
      case 'PlaceOrder':
        return this.place(command);
      case 'AmendOrder':
        return this.amend(command);
      case 'CancelOrder':
        return this.cancel(command);
      case 'CancelAllOrders':
        return this.cancelAll(command);
      case 'ExpireOrders':
        return this.expire();
      case 'RegisterAsset': {
        const { type: _, ...asset } = command;
        this.assets.push(asset);
        return this.tell({ type: 'AssetRegistered', ...asset });
      }
      case 'RegisterMarket': {
        const { type: _, ...terms } = command;
        this.markets.push({ terms, state: 'TRADING', lastPrice: 0, lastTradeAt: 0, indexPrice: 0 });
        this.tell({ type: 'MarketRegistered', ...terms });
        return this.tell({ type: 'MarketStateChanged', market: terms.market, state: 'TRADING' });
      }
      case 'SetMarketState': {
        const market = this.market(command.market);
        if (market === undefined) return this.refuse([{ reason: 'UnknownMarket', field: 'market' }]);
        market.state = command.state;
        return this.tell({ type: 'MarketStateChanged', market: command.market, state: command.state });
      }
      case 'SetIndexPrice': {
        const market = this.market(command.market);
        if (market === undefined) return this.refuse([{ reason: 'UnknownMarket', field: 'market' }]);
        if (command.price < market.terms.minPrice || command.price > market.terms.maxPrice) {
          return this.refuse([{ reason: 'InvalidPrice', field: 'price' }]);
        }
        market.indexPrice = command.price;
        return this.tell({ type: 'IndexPriceSet', market: command.market, price: command.price });
      }
      case 'OpenAccount':
        return this.tell({ type: 'AccountOpened', account: this.accountAt(command.address).id, address: command.address });
      case 'SetAccountFlag':
        return this.setFlag(command.account, command.flag, command.value);
      default:
        return this.moveMoney(command);
    }
  }

  // ---- orders ------------------------------------------------------------------------------------------------------

  place(command: PlaceOrder): void {
    const { type: _, ...asked } = command;
    const order: Order = { ...asked, orderId: orderId(this.lastOrderId + 1), createdAt: this.at };
    if ((order.orderType === 'market' || order.orderType === 'stopMarket') && order.slippagePpm === 0) {
      Object.assign(order, { slippagePpm: ppm(10_000) });
    }
    const known = this.knownByName(order.account, order.clientOrderId);
    if (known !== undefined && bodyOfOrder(known.order) === bodyOfOrder(order)) {
      return this.tell({ type: 'OrderRepeated', orderId: known.order.orderId, account: order.account, clientOrderId: order.clientOrderId });
    }
    const reasons = this.againstOrder(order, undefined);
    if (order.orderType === 'stopLimit' || order.orderType === 'stopMarket') return this.placeStop(order, reasons);
    if (reasons.some(isMalformedOrUnknown)) return this.refuse(reasons);
    this.attempt(reasons, () => this.act(this.open(order, 0), undefined));
  }

  placeStop(order: Order, reasons: Reason[]): void {
    if (reasons.some(isMalformedOrUnknown)) return this.refuse(reasons);
    const stop = this.fresh(order, 0);
    if (!this.hasRoom(order)) reasons.push({ reason: 'TooManyOpenOrders', field: '' });
    if (this.free(order.account, 'spot', this.spends(order)) < this.holdOf(stop)) reasons.push({ reason: 'InsufficientBalance', field: '' });
    if (reasons.length > 0) return this.refuse(reasons);
    this.enter(stop);
    stop.status = 'armed';
    this.tell({ type: 'OrderArmed', orderId: order.orderId, account: order.account, market: order.market });
  }

  amend(command: AmendOrder): void {
    const { account, clientOrderId } = command;
    const known = this.knownByName(account, clientOrderId);
    if (
      known !== undefined && known.replaces === command.orderId &&
      (command.price === 0 || command.price === known.order.price) && (command.size === 0 || command.size === known.order.size)
    ) {
      return this.tell({ type: 'OrderRepeated', orderId: known.order.orderId, account, clientOrderId });
    }
    const old = this.orders.find((open) => open.order.orderId === command.orderId && open.order.account === account);
    if (old === undefined || old.status !== 'resting') return this.refuse(this.againstUnamendable(command, old));
    const order: Order = {
      ...old.order, orderId: orderId(this.lastOrderId + 1), clientOrderId, orderType: 'limit', triggerPrice: ticks(0), slippagePpm: ppm(0),
      price: command.price === 0 ? old.order.price : command.price, size: command.size === 0 ? lots(old.remaining) : command.size, createdAt: this.at,
    };
    const reasons = this.againstOrder(order, old);
    if (reasons.some(isMalformedOrUnknown)) return this.refuse(reasons);
    this.attempt(reasons, () => {
      this.close(old, 'replaced');
      return this.act(this.open(order, old.order.orderId), old);
    });
  }

  againstUnamendable(command: AmendOrder, old: NaiveOrder | undefined): Reason[] {
    const reasons: Reason[] = [];
    if (!isName(command.clientOrderId)) reasons.push({ reason: 'InvalidField', field: 'clientOrderId' });
    if (this.account(command.account) === undefined) reasons.push({ reason: 'UnknownAccount', field: 'account' });
    else if (old === undefined) reasons.push({ reason: 'UnknownOrder', field: 'orderId' });
    else {
      reasons.push(...this.againstTrader(command.account), ...this.againstState(old.order.market));
      const named = this.openByName(command.account, command.clientOrderId);
      if (named !== undefined && named !== old) reasons.push({ reason: 'DuplicateClientOrderId', field: 'clientOrderId' });
      reasons.push({ reason: 'OrderNotAmendable', field: 'orderId' });
    }
    return reasons;
  }

  cancel({ account, orderId: id, clientOrderId }: { account: AccountId; orderId: OrderId | 0; clientOrderId: string }): void {
    const reasons: Reason[] = [];
    if (!isName(clientOrderId)) reasons.push({ reason: 'InvalidField', field: 'clientOrderId' });
    if (id === 0 && clientOrderId === '') reasons.push({ reason: 'InvalidField', field: 'orderId' });
    if (id !== 0 && clientOrderId !== '') reasons.push({ reason: 'InvalidCombination', field: 'clientOrderId' });
    const owner = this.account(account);
    if (owner === undefined) reasons.push({ reason: 'UnknownAccount', field: 'account' });
    const open = id === 0 ? this.openByName(account, clientOrderId) : this.orders.find((one) => one.order.orderId === id && one.order.account === account);
    if (open === undefined) reasons.push({ reason: 'UnknownOrder', field: id === 0 ? 'clientOrderId' : 'orderId' });
    if (owner?.flags.includes('blocked') === true) reasons.push({ reason: 'AccountBlocked', field: 'account' });
    if (open !== undefined && this.market(open.order.market)?.state === 'HALT') reasons.push({ reason: 'MarketHalted', field: 'market' });
    if (reasons.length > 0) return this.refuse(reasons);
    this.close(open!, 'canceledByAccount');
  }

  cancelAll({ account, market }: { account: AccountId; market: MarketId | 0 }): void {
    const reasons: Reason[] = [];
    const owner = this.account(account);
    if (market !== 0 && this.market(market) === undefined) reasons.push({ reason: 'UnknownMarket', field: 'market' });
    if (owner === undefined) reasons.push({ reason: 'UnknownAccount', field: 'account' });
    if (owner?.flags.includes('blocked') === true) reasons.push({ reason: 'AccountBlocked', field: 'account' });
    if (market !== 0 && this.market(market)?.state === 'HALT') reasons.push({ reason: 'MarketHalted', field: 'market' });
    if (reasons.length > 0) return this.refuse(reasons);
    for (const open of this.openOf(account)) {
      if (market === 0 ? this.market(open.order.market)!.state !== 'HALT' : open.order.market === market) this.close(open, 'canceledByAccount');
    }
  }

  expire(): void {
    const old = [...this.orders].sort(byId).filter((open) => this.at - open.order.createdAt >= 90 * DAY);
    for (const open of old) if (this.market(open.order.market)!.state !== 'HALT') this.close(open, 'expired');
  }

  /** Everything that speaks against an order before it meets the book. */
  againstOrder(order: Order, leaving: NaiveOrder | undefined): Reason[] {
    const reasons: Reason[] = [];
    const market = this.market(order.market);
    if (!isName(order.clientOrderId)) reasons.push({ reason: 'InvalidField', field: 'clientOrderId' });
    if (order.slippagePpm > 1_000_000) reasons.push({ reason: 'InvalidField', field: 'slippagePpm' });
    if (market === undefined) reasons.push({ reason: 'UnknownMarket', field: 'market' });
    else reasons.push(...this.againstNumbers(order, market));
    reasons.push(...againstCombination(order));
    if (this.account(order.account) === undefined) reasons.push({ reason: 'UnknownAccount', field: 'account' });
    else reasons.push(...this.againstTrader(order.account));
    if (market !== undefined) reasons.push(...this.againstState(order.market));
    const named = this.openByName(order.account, order.clientOrderId);
    if (named !== undefined && named !== leaving) reasons.push({ reason: 'DuplicateClientOrderId', field: 'clientOrderId' });
    return reasons;
  }

  againstNumbers(order: Order, market: NaiveMarket): Reason[] {
    const { terms } = market;
    const reasons: Reason[] = [];
    const limited = order.orderType === 'limit' || order.orderType === 'stopLimit';
    const stop = order.orderType === 'stopLimit' || order.orderType === 'stopMarket';
    const within = (price: number): boolean => price >= terms.minPrice && price <= terms.maxPrice;
    if ((limited || order.price > 0) && !within(order.price)) reasons.push({ reason: 'InvalidPrice', field: 'price' });
    const byFunds = order.funds > 0n && order.size === 0;
    if (!byFunds && (order.size < terms.minSize || order.size > terms.maxSize)) reasons.push({ reason: 'InvalidSize', field: 'size' });
    const valuedAt = limited ? order.price : order.orderType === 'stopMarket' ? order.triggerPrice : this.reference(market);
    const value = byFunds ? order.funds : BigInt(valuedAt) * BigInt(order.size) * terms.tickLotAtoms;
    const judged = byFunds || valuedAt > 0;
    if (judged && (value < terms.minNotional || value > terms.maxNotional)) {
      reasons.push({ reason: 'InvalidNotional', field: byFunds ? 'funds' : 'size' });
    }
    if (stop && (!within(order.triggerPrice) || (market.lastPrice > 0 && reaches(order, market.lastPrice)))) {
      reasons.push({ reason: 'InvalidTrigger', field: 'triggerPrice' });
    }
    return reasons;
  }

  againstTrader(id: AccountId): Reason[] {
    const flags = this.account(id)!.flags;
    const reasons: Reason[] = [];
    if (flags.includes('blocked')) reasons.push({ reason: 'AccountBlocked', field: 'account' });
    if (!flags.includes('termsAccepted')) reasons.push({ reason: 'TermsNotAccepted', field: 'account' });
    if (!flags.includes('whitelisted')) reasons.push({ reason: 'NotWhitelisted', field: 'account' });
    if (!flags.includes('connected')) reasons.push({ reason: 'ConnectionMissing', field: 'account' });
    return reasons;
  }

  againstState(id: MarketId): Reason[] {
    const { state } = this.market(id)!;
    if (state === 'HALT') return [{ reason: 'MarketHalted', field: 'market' }];
    return state === 'CANCEL_ONLY' ? [{ reason: 'MarketCancelOnly', field: 'market' }] : [];
  }

  /** Tries on the real thing, and puts everything back when it turns out to be refused. */
  attempt(reasons: Reason[], action: () => Reason[]): void {
    const copy = {
      orders: this.orders.map((open) => ({ ...open })),
      markets: this.markets.map((market) => ({ ...market })),
      closed: this.accounts.map((account) => [...account.closed]),
      totals: new Map(this.totals), events: [...this.events],
      lastOrderId: this.lastOrderId, lastTradeId: this.lastTradeId, lastRest: this.lastRest, prints: [...this.prints],
    };
    reasons.push(...action());
    if (reasons.length === 0) return this.fireStops();
    const { closed, ...rest } = copy;
    Object.assign(this, rest);
    for (const [index, list] of closed.entries()) this.accounts[index]!.closed = list;
    this.refuse(reasons);
  }

  open(order: Order, replaces: number): NaiveOrder {
    const open = this.fresh(order, replaces);
    this.enter(open);
    return open;
  }

  fresh(order: Order, replaces: number): NaiveOrder {
    return { order, replaces, status: 'acting', restedAs: 0, remaining: order.size, filled: 0, filledNotional: 0n };
  }

  enter(open: NaiveOrder): void {
    this.lastOrderId = open.order.orderId;
    this.orders.push(open);
    this.tell({ type: 'OrderAccepted', ...open.order });
  }

  prints: { market: MarketId; price: number }[] = [];

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
    const outcome = this.match(open, market, best, reference);

    const touched = outcome.steps > 0 || outcome.end === 'selfTrade';
    if (order.timeInForce === 'GTX' && touched) reasons.push({ reason: 'PostOnlyWouldTake', field: 'timeInForce' });
    const byFunds = order.funds > 0n;
    const whole = byFunds
      ? outcome.end === 'complete' && open.filled > 0 && open.filledNotional + outcome.fundsLeft === order.funds
      : open.filled === order.size;
    if (order.timeInForce === 'FOK' && !whole) reasons.push({ reason: 'FillOrKillUnfilled', field: 'timeInForce' });
    const bandPpm = limited ? market.terms.limitBandPpm : market.terms.marketBandPpm;
    const judged = limited ? order.price : best;
    if (reference > 0 && judged > 0 && beyond(judged, reference, bandPpm, order.side)) reasons.push({ reason: 'PriceOutOfBand', field: 'price' });
    if (!limited && best === 0) reasons.push({ reason: 'NoLiquidity', field: '' });
    const resting = limited && (order.timeInForce === 'GTC' || order.timeInForce === 'GTX') && open.remaining > 0 && outcome.end !== 'selfTrade';
    if (resting && !room) reasons.push({ reason: 'TooManyOpenOrders', field: '' });
    const need = order.side === 'buy' && !limited ? open.filledNotional : this.holdOf({ ...open, remaining: order.size });
    if (freeBefore < need) reasons.push({ reason: 'InsufficientBalance', field: '' });
    if (reasons.length > 0) return reasons;

    if (resting) this.rest(open);
    else this.close(open, outcome.reason);
    return [];
  }

  match(open: NaiveOrder, market: NaiveMarket, best: number, reference: number): { end: string; steps: number; reason: CloseReason; fundsLeft: bigint } {
    const { order } = open;
    const byFunds = order.funds > 0n;
    const limited = order.orderType === 'limit' || order.orderType === 'stopLimit';
    let funds: bigint = order.funds;
    let steps = 0;
    const done = (end: string, reason: CloseReason) => ({ end, steps, reason, fundsLeft: funds });
    for (;;) {
      if (!byFunds && open.remaining === 0) return done('complete', open.filled === order.size ? 'filled' : 'selfTrade');
      const maker = this.bestAgainst(order);
      if (maker === undefined) return done('bookEmpty', 'remainderNotFilled');
      const price = maker.order.price;
      if (!this.mayTradeAt(order, price, market, best, reference)) return done('bound', limited ? 'remainderNotFilled' : 'slippageBound');
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
    if (order.orderType === 'stopMarket' && order.price === 0 && beyond(price, order.triggerPrice, terms.marketBandPpm, order.side)) return false;
    if (beyond(price, best, order.slippagePpm, order.side)) return false;
    return reference === 0 || !beyond(price, reference, terms.marketBandPpm, order.side);
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
    for (const [role, open, rate] of [['taker', taker, terms.takerFeePpm], ['maker', maker, terms.makerFeePpm]] as const) {
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
    this.prints.push({ market: terms.market, price });
    this.lastTradeId += 1;
    this.tell({
      type: 'Trade', tradeId: tradeId(this.lastTradeId), market: terms.market, price: ticks(price), size: lots(size), notional: atoms(quote),
      takerSide: taker.order.side, takerOrderId: taker.order.orderId, takerAccount: taker.order.account, takerFee: atoms(fees.taker),
      makerOrderId: maker.order.orderId, makerAccount: maker.order.account, makerFee: atoms(fees.maker), makerRemaining: lots(maker.remaining),
    });
    if (maker.remaining === 0) this.close(maker, maker.filled === maker.order.size ? 'filled' : 'selfTrade');
  }

  decrement(taker: NaiveOrder, maker: NaiveOrder, size: number): void {
    if (taker.order.size > 0) taker.remaining -= size;
    if (maker.remaining === size) return this.close(maker, 'selfTrade');
    maker.remaining -= size;
    const { orderId: id, account, market, side, price } = maker.order;
    this.tell({ type: 'OrderReduced', orderId: id, account, market, side, price, reducedBy: lots(size), remaining: lots(maker.remaining) });
  }

  rest(open: NaiveOrder): void {
    open.status = 'resting';
    this.lastRest += 1;
    open.restedAs = this.lastRest;
    const { orderId: id, account, market, side, price } = open.order;
    this.tell({
      type: 'OrderRested', orderId: id, account, market, side, price,
      remaining: lots(open.remaining), filled: lots(open.filled), filledNotional: atoms(open.filledNotional),
    });
  }

  close(open: NaiveOrder, reason: CloseReason): void {
    const { orderId: id, account, market, clientOrderId, side, price } = open.order;
    this.orders = this.orders.filter((other) => other !== open);
    if (clientOrderId !== '') {
      const owner = this.account(account)!;
      owner.closed = owner.closed.filter((closed) => closed.order.clientOrderId !== clientOrderId);
      owner.closed.push({ order: open.order, replaces: open.replaces, closedAt: this.at });
      owner.closed = owner.closed.slice(-1_024);
    }
    const rested = open.status === 'resting';
    this.tell({
      type: 'OrderClosed', orderId: id, account, market, clientOrderId, reason, side, price: ticks(rested ? price : 0),
      removed: lots(rested ? open.remaining : 0), filled: lots(open.filled), filledNotional: atoms(open.filledNotional),
    });
  }

  /** A print reaches stops; they act one after the other, and their prints reach others. */
  fireStops(): void {
    const queue: { stop: NaiveOrder; lastPrice: number }[] = [];
    const hear = (): void => {
      for (const print of this.prints.splice(0)) {
        const reached = this.orders.filter((open) => open.status === 'armed' && open.order.market === print.market && reaches(open.order, print.price));
        for (const stop of reached.sort(byId)) {
          if (!queue.some((waiting) => waiting.stop.order.orderId === stop.order.orderId)) queue.push({ stop, lastPrice: print.price });
        }
      }
    };
    hear();
    for (let next = queue[0]; next !== undefined; next = queue[0]) {
      const id = next.stop.order.orderId;
      const stop = this.orders.find((open) => open.order.orderId === id)!;
      this.tell({ type: 'OrderTriggered', orderId: id, account: stop.order.account, market: stop.order.market, lastPrice: ticks(next.lastPrice) });
      this.tryStop(stop);
      queue.shift();
      hear();
    }
  }

  tryStop(stop: NaiveOrder): void {
    const copy = {
      orders: this.orders.map((open) => (open === stop ? open : { ...open })), markets: this.markets.map((market) => ({ ...market })),
      totals: new Map(this.totals), events: [...this.events], lastTradeId: this.lastTradeId, lastRest: this.lastRest,
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
    const standing = this.orders.filter((open) => open.status === 'resting' && open.order.market === order.market && open.order.side !== order.side);
    const better = (left: NaiveOrder, right: NaiveOrder): number => (order.side === 'buy' ? 1 : -1) * (left.order.price - right.order.price);
    return standing.sort((left, right) => better(left, right) || left.restedAs - right.restedAs)[0];
  }

  reference(market: NaiveMarket): number {
    if (market.indexPrice === 0) return market.lastPrice;
    return market.lastPrice > 0 && this.at - market.lastTradeAt <= 60_000 ? market.lastPrice : market.indexPrice;
  }

  hasRoom(order: Order): boolean {
    const own = this.openOf(order.account);
    return own.length < 1_000 && own.filter((open) => open.order.market === order.market).length < this.market(order.market)!.terms.maxOpenOrders;
  }

  /** As `hasRoom`, for an order that is on the list already. */
  hasRoomBeside(acting: NaiveOrder): boolean {
    const own = this.openOf(acting.order.account).filter((open) => open !== acting);
    return own.length < 1_000 && own.filter((open) => open.order.market === acting.order.market).length < this.market(acting.order.market)!.terms.maxOpenOrders;
  }

  openOf(account: AccountId): NaiveOrder[] {
    return this.orders.filter((open) => open.order.account === account).sort(byId);
  }

  openByName(account: AccountId, name: string): NaiveOrder | undefined {
    return name === '' ? undefined : this.orders.find((open) => open.order.account === account && open.order.clientOrderId === name);
  }

  knownByName(account: AccountId, name: string): { order: Order; replaces: number } | undefined {
    const closed = this.account(account)?.closed.find((one) => one.order.clientOrderId === name && this.at - one.closedAt < DAY);
    return name === '' ? undefined : (this.openByName(account, name) ?? closed);
  }

  // ---- money -------------------------------------------------------------------------------------------------------

  /** What an order binds while it waits: a sell its base, a buy what it may cost at worst. */
  holdOf({ order, remaining }: NaiveOrder): bigint {
    const { terms } = this.market(order.market)!;
    if (order.side === 'sell') return BigInt(remaining) * terms.lotAtoms;
    if (order.orderType === 'stopMarket' && order.funds > 0n) return order.funds;
    const worst = order.orderType === 'stopMarket' && order.price === 0
      ? (BigInt(order.triggerPrice) * (MILLION + BigInt(terms.marketBandPpm))) / MILLION
      : BigInt(order.price);
    return worst * BigInt(remaining) * terms.tickLotAtoms;
  }

  spends(order: Order): AssetId {
    const { terms } = this.market(order.market)!;
    return order.side === 'buy' ? terms.quote : terms.base;
  }

  held(account: AccountId, wallet: Wallet, asset: AssetId): bigint {
    let held = 0n;
    for (const open of this.orders) {
      if (wallet === 'spot' && open.status !== 'acting' && open.order.account === account && this.spends(open.order) === asset) held += this.holdOf(open);
    }
    for (const one of this.withdrawals) {
      if (wallet === 'funding' && one.account === account && one.asset === asset && (one.state === 'held' || one.state === 'sent')) held += one.amount;
    }
    return held;
  }

  total(account: AccountId, wallet: Wallet, asset: AssetId): bigint {
    return this.totals.get(`${account} ${wallet} ${asset}`) ?? 0n;
  }

  free(account: AccountId, wallet: Wallet, asset: AssetId): bigint {
    return this.total(account, wallet, asset) - this.held(account, wallet, asset);
  }

  add(account: AccountId, wallet: Wallet, asset: AssetId, change: bigint): void {
    this.totals.set(`${account} ${wallet} ${asset}`, this.total(account, wallet, asset) + change);
  }

  balances(): { free: bigint; held: bigint }[] {
    const all: { free: bigint; held: bigint }[] = [];
    for (const { id } of this.accounts) {
      for (const { asset } of this.assets) {
        for (const wallet of WALLETS) {
          const held = this.held(id, wallet, asset);
          all.push({ free: this.total(id, wallet, asset) - held, held });
        }
      }
    }
    return all;
  }

  tellBalances(before: readonly { free: bigint; held: bigint }[]): void {
    const after = this.balances();
    let index = 0;
    for (const { id } of this.accounts) {
      for (const { asset } of this.assets) {
        for (const wallet of WALLETS) {
          const { free, held } = after[index]!;
          const was = before[index] ?? { free: 0n, held: 0n };
          if (free !== was.free || held !== was.held) {
            this.tell({ type: 'BalanceChanged', account: id, wallet, asset, free: atoms(free), held: atoms(held) });
          }
          index += 1;
        }
      }
    }
  }

  moveMoney(command: Exclude<Command, { type: 'PlaceOrder' | 'AmendOrder' | 'CancelOrder' | 'CancelAllOrders' | 'ExpireOrders' | 'RegisterAsset' | 'RegisterMarket' | 'SetMarketState' | 'SetIndexPrice' | 'OpenAccount' | 'SetAccountFlag' }>): void {
    switch (command.type) {
      case 'CreditDeposit': {
        const { key, address, asset, amount } = command;
        const memory = this.remember('deposit', key, [address, asset, amount]);
        if (memory === 'same') return this.tell({ type: 'CommandRepeated', key });
        const reasons = this.againstMoney(asset, amount, 'chain');
        if (memory === 'other') reasons.push({ reason: 'KeyConflict', field: 'key' });
        if (reasons.length > 0) return this.refuse(reasons);
        this.seen.set(`deposit ${key}`, text([address, asset, amount]));
        const isNew = !this.accounts.some((account) => account.address === address);
        const account = this.accountAt(address);
        if (isNew) this.tell({ type: 'AccountOpened', account: account.id, address });
        const suspended = account.flags.includes('blocked');
        if (suspended) account.suspended.push({ key, asset, amount });
        else this.add(account.id, 'funding', asset, amount);
        return this.tell({ type: 'DepositCredited', key, account: account.id, asset, amount, suspended });
      }
      case 'Transfer': {
        const { account, transferId, asset, amount, from, to } = command;
        const memory = this.remember(`transfer ${account}`, transferId, [asset, amount, from, to]);
        if (memory === 'same') return this.tell({ type: 'CommandRepeated', key: transferId });
        const reasons: Reason[] = from === to ? [{ reason: 'InvalidCombination', field: 'to' }] : [];
        reasons.push(...this.againstMoney(asset, amount, 'chain'), ...this.againstBlocked(account));
        if (from === 'futures' && to === 'funding') reasons.push({ reason: 'TransferRouteClosed', field: 'to' });
        if (memory === 'other') reasons.push({ reason: 'KeyConflict', field: 'transferId' });
        if (this.free(account, from, asset) < amount) reasons.push({ reason: 'InsufficientBalance', field: 'amount' });
        if (reasons.length > 0) return this.refuse(reasons);
        this.seen.set(`transfer ${account} ${transferId}`, text([asset, amount, from, to]));
        this.add(account, from, asset, 0n - amount);
        this.add(account, to, asset, amount);
        return this.tell({ type: 'Transferred', account, transferId, asset, amount, from, to });
      }
      case 'RequestWithdrawal': {
        const { account, withdrawalId, asset, amount, to } = command;
        const before = this.withdrawals.find((one) => one.id === withdrawalId);
        const same = before?.account === account && before.asset === asset && before.amount === amount && before.to === to;
        if (same) return this.tell({ type: 'CommandRepeated', key: withdrawalId });
        const reasons = this.againstMoney(asset, amount, 'chain');
        reasons.push(...this.againstBlocked(account));
        if (this.accounts.find((one) => one.address === to)?.flags.includes('blocked') === true) reasons.push({ reason: 'AccountBlocked', field: 'to' });
        if (before !== undefined) reasons.push({ reason: 'KeyConflict', field: 'withdrawalId' });
        if (this.free(account, 'funding', asset) < amount) reasons.push({ reason: 'InsufficientBalance', field: 'amount' });
        if (reasons.length > 0) return this.refuse(reasons);
        this.withdrawals.push({ id: withdrawalId, account, asset, amount, to, state: 'held', txHash: '' });
        return this.tell({ type: 'WithdrawalHeld', account, withdrawalId, asset, amount, to });
      }
      case 'MarkWithdrawalSent':
      case 'PostWithdrawal':
      case 'RefundWithdrawal':
        return this.payWithdrawal(command);
      case 'FundBudget': {
        const { key, budget, asset, amount } = command;
        const memory = this.remember('budget', key, [budget, asset, amount]);
        if (memory === 'same') return this.tell({ type: 'CommandRepeated', key });
        const reasons = this.againstMoney(asset, amount, 'any');
        if (memory === 'other') reasons.push({ reason: 'KeyConflict', field: 'key' });
        if (reasons.length > 0) return this.refuse(reasons);
        this.seen.set(`budget ${key}`, text([budget, asset, amount]));
        this.budgets.set(`${budget} ${asset}`, this.budget(budget, asset) + amount);
        return this.tell({ type: 'BudgetFunded', key, budget, asset, amount });
      }
      case 'AwardFromBudget': {
        const { key, budget, account, asset, amount } = command;
        const memory = this.remember('award', key, [budget, account, asset, amount]);
        if (memory === 'same') return this.tell({ type: 'CommandRepeated', key });
        const reasons = this.againstMoney(asset, amount, 'any');
        reasons.push(...this.againstBlocked(account));
        if (this.assets.find((one) => one.asset === asset)?.code === 'POINTS' && amount > 77_777n) reasons.push({ reason: 'AwardTooLarge', field: 'amount' });
        if (memory === 'other') reasons.push({ reason: 'KeyConflict', field: 'key' });
        if (this.budget(budget, asset) < amount) reasons.push({ reason: 'BudgetExhausted', field: 'budget' });
        if (reasons.length > 0) return this.refuse(reasons);
        this.seen.set(`award ${key}`, text([budget, account, asset, amount]));
        this.budgets.set(`${budget} ${asset}`, this.budget(budget, asset) - amount);
        this.add(account, 'funding', asset, amount);
        return this.tell({ type: 'Awarded', key, budget, account, asset, amount });
      }
      case 'ReserveFaucetClaim':
        return this.reserveClaim(command.account, command.claimId);
      case 'SettleFaucetClaim':
        return this.settleClaim(command.claimId, command.outcome);
    }
  }

  payWithdrawal(command: Extract<Command, { type: 'MarkWithdrawalSent' | 'PostWithdrawal' | 'RefundWithdrawal' }>): void {
    const { withdrawalId } = command;
    const one = this.withdrawals.find((candidate) => candidate.id === withdrawalId);
    if (one === undefined) return this.refuse([{ reason: 'UnknownWithdrawal', field: 'withdrawalId' }]);
    const { account, asset, amount } = one;
    const allowed = { MarkWithdrawalSent: ['held', 'sent'], PostWithdrawal: ['sent'], RefundWithdrawal: ['held', 'sent'] }[command.type];
    const repeated = command.type === 'MarkWithdrawalSent' ? one.txHash === command.txHash
      : command.type === 'PostWithdrawal' ? one.state === 'posted' && one.txHash === command.txHash
      : one.state === 'refunded';
    if (repeated) return this.tell({ type: 'CommandRepeated', key: withdrawalId });
    if (!allowed.includes(one.state)) return this.refuse([{ reason: 'WithdrawalNotInState', field: 'withdrawalId' }]);
    if (command.type === 'RefundWithdrawal') {
      one.state = 'refunded';
      return this.tell({ type: 'WithdrawalRefunded', account, withdrawalId, asset, amount: atoms(amount) });
    }
    one.txHash = command.txHash;
    if (command.type === 'MarkWithdrawalSent') {
      one.state = 'sent';
      return this.tell({ type: 'WithdrawalSent', account, withdrawalId, txHash: command.txHash });
    }
    one.state = 'posted';
    this.add(account, 'funding', asset, -amount);
    return this.tell({ type: 'WithdrawalPosted', account, withdrawalId, asset, amount: atoms(amount), txHash: command.txHash });
  }

  reserveClaim(account: AccountId, claimId: string): void {
    const before = this.claims.find((one) => one.id === claimId);
    if (before?.account === account) return this.tell({ type: 'CommandRepeated', key: claimId });
    const asset = this.assets.find((one) => one.code === 'CLAIM')!.asset;
    const owner = this.account(account);
    const reasons: Reason[] = this.againstBlocked(account);
    if (owner !== undefined && !owner.flags.includes('whitelisted')) reasons.push({ reason: 'NotWhitelisted', field: 'account' });
    if (owner?.lastClaimAt !== undefined && this.at - owner.lastClaimAt < DAY) reasons.push({ reason: 'ClaimTooSoon', field: 'account' });
    if (before !== undefined) reasons.push({ reason: 'KeyConflict', field: 'claimId' });
    if (this.budget('faucet', asset) < 1n) reasons.push({ reason: 'BudgetExhausted', field: '' });
    if (reasons.length > 0) return this.refuse(reasons);
    this.claims.push({ id: claimId, account, at: this.at, state: 'reserved' });
    owner!.lastClaimAt = this.at;
    this.budgets.set(`faucet ${asset}`, this.budget('faucet', asset) - 1n);
    this.tell({ type: 'FaucetClaimReserved', account, claimId });
  }

  settleClaim(claimId: string, outcome: 'paid' | 'failed'): void {
    const claim = this.claims.find((one) => one.id === claimId);
    if (claim === undefined) return this.refuse([{ reason: 'UnknownClaim', field: 'claimId' }]);
    if (claim.state === outcome) return this.tell({ type: 'CommandRepeated', key: claimId });
    if (claim.state !== 'reserved') return this.refuse([{ reason: 'KeyConflict', field: 'outcome' }]);
    claim.state = outcome;
    const asset = this.assets.find((one) => one.code === 'CLAIM')!.asset;
    const owner = this.account(claim.account)!;
    if (outcome === 'failed') {
      this.budgets.set(`faucet ${asset}`, this.budget('faucet', asset) + 1n);
      if (owner.lastClaimAt === claim.at) owner.lastClaimAt = undefined;
    }
    this.tell({ type: 'FaucetClaimSettled', account: claim.account, claimId, outcome });
  }

  setFlag(id: AccountId, flag: AccountFlag, value: boolean): void {
    const account = this.account(id);
    if (account === undefined) return this.refuse([{ reason: 'UnknownAccount', field: 'account' }]);
    account.flags = account.flags.filter((one) => one !== flag);
    if (value) account.flags.push(flag);
    this.tell({ type: 'AccountFlagSet', account: id, flag, value });
    if (flag !== 'blocked') return;
    if (value) for (const open of this.openOf(id)) this.close(open, 'accountBlocked');
    else {
      for (const { key, asset, amount } of account.suspended.splice(0)) {
        this.add(id, 'funding', asset, amount);
        this.tell({ type: 'DepositCredited', key, account: id, asset, amount: atoms(amount), suspended: false });
      }
    }
  }

  againstMoney(asset: AssetId, amount: bigint, kind: 'chain' | 'any'): Reason[] {
    const reasons: Reason[] = [];
    const known = this.assets.find((one) => one.asset === asset);
    if (known === undefined) reasons.push({ reason: 'UnknownAsset', field: 'asset' });
    else if (kind === 'chain' && known.kind !== 'chain') reasons.push({ reason: 'InvalidCombination', field: 'asset' });
    if (amount <= 0n || amount.toString().length > 38) reasons.push({ reason: 'InvalidAmount', field: 'amount' });
    return reasons;
  }

  againstBlocked(id: AccountId): Reason[] {
    const account = this.account(id);
    if (account === undefined) return [{ reason: 'UnknownAccount', field: 'account' }];
    return account.flags.includes('blocked') ? [{ reason: 'AccountBlocked', field: 'account' }] : [];
  }

  budget(budget: string, asset: AssetId): bigint {
    return this.budgets.get(`${budget} ${asset}`) ?? 0n;
  }

  remember(kind: string, key: string, body: readonly unknown[]): 'new' | 'same' | 'other' {
    const before = this.seen.get(`${kind} ${key}`);
    return before === undefined ? 'new' : before === text(body) ? 'same' : 'other';
  }

  account(id: AccountId): NaiveAccount | undefined {
    return this.accounts.find((account) => account.id === id);
  }

  accountAt(address: Address): NaiveAccount {
    const found = this.accounts.find((account) => account.address === address);
    if (found !== undefined) return found;
    const account = { id: accountId(this.accounts.length + 1), address, flags: [], closed: [], suspended: [], lastClaimAt: undefined };
    this.accounts.push(account);
    return account;
  }

  market(id: MarketId): NaiveMarket | undefined {
    return this.markets.find(({ terms }) => terms.market === id);
  }

  refuse(reasons: readonly Reason[]): void {
    const first = [...reasons].sort((left, right) => REJECT_REASONS.indexOf(left.reason) - REJECT_REASONS.indexOf(right.reason))[0]!;
    this.events = [{ type: 'CommandRejected', ...first }];
  }

  tell(event: Event): void {
    this.events.push(event);
  }
}

function againstCombination(order: Order): Reason[] {
  const reasons: Reason[] = [];
  const add = (field: string): void => void reasons.push({ reason: 'InvalidCombination', field });
  const limited = order.orderType === 'limit' || order.orderType === 'stopLimit';
  const stop = order.orderType === 'stopLimit' || order.orderType === 'stopMarket';
  if (!stop && order.triggerPrice > 0) add('triggerPrice');
  if (!limited && order.timeInForce !== 'IOC' && order.timeInForce !== 'FOK') add('timeInForce');
  if (order.funds > 0n && (limited || order.side === 'sell' || order.size > 0)) add('funds');
  if (limited && order.slippagePpm > 0) add('slippagePpm');
  return reasons;
}

function isMalformedOrUnknown({ reason }: Reason): boolean {
  return REJECT_REASONS.indexOf(reason) < REJECT_REASONS.indexOf('AccountBlocked');
}

/** Whether `price` is worse for this side than `from` by more than the rate. */
function beyond(price: number, from: number, ratePpm: number, side: Side): boolean {
  const scaled = BigInt(price) * MILLION;
  return side === 'buy' ? scaled > BigInt(from) * (MILLION + BigInt(ratePpm)) : scaled < BigInt(from) * (MILLION - BigInt(ratePpm));
}

function reaches(order: Order, lastPrice: number): boolean {
  return order.side === 'buy' ? lastPrice >= order.triggerPrice : lastPrice <= order.triggerPrice;
}

const isName = (name: string): boolean => name.length <= 36 && name.split('').every((letter) => /[0-9a-zA-Z_-]/.test(letter));
const byId = (left: NaiveOrder, right: NaiveOrder): number => left.order.orderId - right.order.orderId;
const text = (parts: readonly unknown[]): string => JSON.stringify(parts, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));

function bodyOfOrder({ orderId: _id, account: _account, createdAt: _at, ...body }: Order): string {
  const { market, side, orderType, timeInForce, price, size, funds, triggerPrice, slippagePpm, selfTradePrevention } = body;
  return text([market, side, orderType, timeInForce, price, size, funds, triggerPrice, slippagePpm, selfTradePrevention]);
}
