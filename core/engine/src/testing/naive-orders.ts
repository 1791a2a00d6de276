/** The order commands of the naive exchange, and everything that speaks against an order before it meets the book. */
import { REJECT_REASONS, type AmendOrder, type CancelOrders, type Order, type PlaceOrder, type PlaceOrders } from '@orrery/protocol';
import { lots, orderId, ppm, ticks, type AccountId, type MarketId, type OrderId } from '@orrery/units';
import { DAY, byId, text, isName, type NaiveMarket, type NaiveOrder, type Reason } from './naive-state.ts';
import { isOfOthers, NaiveMatching, reaches, rises } from './naive-matching.ts';
import { againstSpotCombination, againstSpotPrices, againstSpotTriggers, triggerOf } from './naive-spot-checks.ts';

export class NaiveOrders extends NaiveMatching {
  place(command: PlaceOrder): void {
    const { type: _, ...asked } = command;
    this.enterNew({ ...asked, orderId: orderId(this.lastOrderId + 1), createdAt: this.at, contract: undefined, spot: undefined });
  }

  /** @param order with the id that is next */
  enterNew(order: Order): void {
    if ((order.orderType === 'market' || order.orderType === 'stopMarket') && order.slippagePpm === 0) {
      Object.assign(order, { slippagePpm: ppm(10_000) });
    }
    const known = this.knownByName(order.account, order.clientOrderId);
    if (known !== undefined && bodyOfOrder(known.order) === bodyOfOrder(order)) {
      return this.emit({ type: 'OrderRepeated', orderId: known.order.orderId, account: order.account, clientOrderId: order.clientOrderId });
    }
    const reasons = this.againstOrder(order, undefined);
    if (order.orderType === 'stopLimit' || order.orderType === 'stopMarket') return this.placeStop(order, reasons);
    if (reasons.some(isMalformedOrUnknown)) return this.refuse(reasons);
    this.attempt(order.market, reasons, () => this.act(this.open(order, 0), undefined));
  }

  placeTogether({ account, orders }: PlaceOrders): void {
    const takes = (order: PlaceOrders['orders'][number]): boolean =>
      order.orderType !== 'stopLimit' && order.orderType !== 'stopMarket' && order.timeInForce !== 'GTX';
    const taking = orders.findIndex((order, index) => index < orders.length - 1 && takes(order));
    const refusal = (reason: Reason['reason'], field: string): void => this.refuse([{ reason, field }]);
    if (this.rules < 8) return refusal('RulesTooOld', '');
    if (orders.length === 0 || orders.length > 100) return refusal('InvalidField', 'orders');
    if (orders.some((order) => order.account !== account)) return refusal('InvalidField', 'account');
    if (taking >= 0) return refusal('InvalidCombination', `${taking}.timeInForce`);
    const putBack = this.copied();
    let market: MarketId | undefined;
    this.isTogether = true;
    for (const [index, order] of orders.entries()) {
      const from = this.events.length;
      if (order.type === 'PlaceOrder') this.place(order);
      // A refusal stands alone.
      const first = this.events[0]?.type === 'CommandRejected' ? this.events[0] : this.events[from];
      if (first?.type === 'OrderAccepted') ({ market } = order);
      if (first?.type !== 'CommandRejected') continue;
      putBack();
      this.isTogether = false;
      return refusal(first.reason, first.field === '' ? `${index}` : `${index}.${first.field}`);
    }
    this.isTogether = false;
    if (market !== undefined) this.fireSome(market);
  }

  cancelTogether({ account, orderIds }: CancelOrders): void {
    const refusal = (reason: Reason['reason'], field: string): void => this.refuse([{ reason, field }]);
    if (this.rules < 8) return refusal('RulesTooOld', '');
    if (orderIds.length === 0 || orderIds.length > 100 || new Set(orderIds).size < orderIds.length)
      return refusal('InvalidField', 'orderIds');
    const owner = this.account(account);
    if (owner === undefined) return refusal('UnknownAccount', 'account');
    const chosen = orderIds.map((id) => this.orders.find((open) => open.order.orderId === id && open.order.account === account));
    const unknown = chosen.indexOf(undefined);
    if (unknown >= 0) return refusal('UnknownOrder', String(unknown));
    if (owner.flags.includes('blocked')) return refusal('AccountBlocked', 'account');
    const halted = chosen.findIndex((open) => this.market(open!.order.market)!.state === 'HALT');
    if (halted >= 0) return refusal('MarketHalted', String(halted));
    for (const open of chosen) this.closeIfOpen(open!, 'canceledByAccount');
  }

  placeStop(order: Order, reasons: Reason[]): void {
    if (reasons.some(isMalformedOrUnknown)) return this.refuse(reasons);
    const stop = this.fresh(order, 0);
    if (!this.hasRoom(order)) reasons.push({ reason: 'TooManyOpenOrders', field: '' });
    if (this.free(order.account, 'spot', this.spends(order)) < this.holdOf(stop))
      reasons.push({ reason: 'InsufficientBalance', field: '' });
    if (reasons.length > 0) return this.refuse(reasons);
    this.enter(stop);
    this.arm(stop);
    if (this.rules >= 2) this.fireSome(order.market);
  }

  amend(command: AmendOrder): void {
    const { account, clientOrderId } = command;
    const known = this.knownByName(account, clientOrderId);
    if (
      known !== undefined &&
      known.replaces === command.orderId &&
      (command.price === 0 || command.price === known.order.price) &&
      (command.size === 0 || command.size === known.order.size)
    ) {
      return this.emit({ type: 'OrderRepeated', orderId: known.order.orderId, account, clientOrderId });
    }
    const old = this.orders.find((open) => open.order.orderId === command.orderId && open.order.account === account);
    if (old === undefined || old.status !== 'resting' || isOfOthers(old.order)) return this.refuse(this.againstUnamendable(command, old));
    if (this.rules >= 8) return this.change(command, old);
    const order: Order = {
      ...old.order,
      orderId: orderId(this.lastOrderId + 1),
      clientOrderId,
      orderType: 'limit',
      triggerPrice: ticks(0),
      slippagePpm: ppm(0),
      price: command.price === 0 ? old.order.price : command.price,
      size: command.size === 0 ? lots(old.remaining) : command.size,
      createdAt: this.at,
    };
    const reasons = this.againstOrder(order, old);
    if (reasons.some(isMalformedOrUnknown)) return this.refuse(reasons);
    this.attempt(order.market, reasons, () => {
      this.close(old, 'replaced');
      return this.act(this.open(order, old.order.orderId), old);
    });
  }

  /** The order keeps its id. A size is that of the whole order. */
  change({ clientOrderId, price, size }: AmendOrder, old: NaiveOrder): void {
    const rest = size === 0 ? old.remaining : size - old.filled;
    const order: Order = {
      ...old.order,
      clientOrderId: clientOrderId === '' ? old.order.clientOrderId : clientOrderId,
      price: price === 0 ? old.order.price : price,
      size: size === 0 ? old.order.size : size,
    };
    const spot = order.spot === undefined ? undefined : ({ ...order.spot, source: 'plain', triggerDirection: 'none' } as const);
    const plain = { orderType: 'limit', triggerPrice: ticks(0), slippagePpm: ppm(0), createdAt: this.at, spot } as const;
    const reasons = this.againstOrder({ ...order, ...plain }, old);
    const { orderId: id, account, market, side } = order;
    const rename = (): void => {
      if (clientOrderId === '') return;
      if (old.asked.clientOrderId !== clientOrderId) this.forgetName(old);
      Object.assign(old, { asked: order, replaces: id });
    };
    if (rest <= 0) {
      const others = reasons.filter(
        ({ reason, field }) => !isOfNumbers(reason) && (reason !== 'InvalidField' || field === 'clientOrderId'),
      );
      if (others.length > 0) return this.refuse(others);
      rename();
      return this.close(Object.assign(old, { order: { ...old.order, clientOrderId: order.clientOrderId } }), 'amendedToFilled');
    }
    if (reasons.some(isMalformedOrUnknown)) return this.refuse(reasons);
    const keepsPlace = order.price === old.order.price && rest <= old.remaining;
    const become = (): void => {
      const removed = lots(keepsPlace ? old.remaining - rest : old.remaining);
      const oldPrice = old.order.price;
      rename();
      Object.assign(old, { order, remaining: rest, status: keepsPlace ? 'resting' : 'acting' });
      const terms = { clientOrderId: order.clientOrderId, side, price: order.price, size: order.size, remaining: lots(rest) };
      this.emit({ type: 'OrderAmended', orderId: id, account, market, ...terms, oldPrice, removed, keepsPlace });
    };
    if (keepsPlace) return reasons.length > 0 ? this.refuse(reasons) : become();
    this.attempt(market, reasons, () => {
      become();
      return this.act(old, old);
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
      reasons.push({ reason: old.status === 'resting' ? 'OrderOfPair' : 'OrderNotAmendable', field: 'orderId' });
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
    const open =
      id === 0
        ? this.openByName(account, clientOrderId)
        : this.orders.find((one) => one.order.orderId === id && one.order.account === account);
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
      if (market === 0 ? this.market(open.order.market)!.state !== 'HALT' : open.order.market === market)
        this.closeIfOpen(open, 'canceledByAccount');
    }
  }

  expire(): void {
    const old = [...this.orders].sort(byId).filter((open) => this.at - open.order.createdAt >= 90 * DAY);
    for (const open of old) if (this.market(open.order.market)!.state !== 'HALT') this.closeIfOpen(open, 'expired');
  }

  /** Everything that speaks against an order before it meets the book. */
  againstOrder(order: Order, leaving: NaiveOrder | undefined): Reason[] {
    const reasons: Reason[] = [];
    const market = this.market(order.market);
    if (!isName(order.clientOrderId)) reasons.push({ reason: 'InvalidField', field: 'clientOrderId' });
    if (order.slippagePpm > 1_000_000) reasons.push({ reason: 'InvalidField', field: 'slippagePpm' });
    const distance = order.spot?.trailingPpm ?? 0;
    if (distance % 1_000 > 0 || distance > 200_000) reasons.push({ reason: 'InvalidField', field: 'trailingPpm' });
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
    reasons.push(...againstSpotPrices(order, within));
    const byFunds = order.funds > 0n && order.size === 0;
    if (!byFunds && (order.size < terms.minSize || order.size > terms.maxSize)) reasons.push({ reason: 'InvalidSize', field: 'size' });
    const valuedAt = limited
      ? order.price
      : order.orderType === 'stopMarket'
        ? triggerOf(order, this.reference(market))
        : this.reference(market);
    const value = byFunds ? order.funds : BigInt(valuedAt) * BigInt(order.size) * terms.tickLotAtoms;
    const judged = byFunds || valuedAt > 0;
    if (judged && (value < terms.minNotional || value > terms.maxNotional)) {
      reasons.push({ reason: 'InvalidNotional', field: byFunds ? 'funds' : 'size' });
    }
    if (
      stop &&
      (order.spot?.trailingPpm ?? 0) === 0 &&
      (!within(order.triggerPrice) ||
        (market.lastPrice > 0 &&
          [market.lastPrice, rises(order) ? market.high : market.low].some((price) => price > 0 && reaches(order, price))))
    ) {
      reasons.push({ reason: 'InvalidTrigger', field: 'triggerPrice' });
    }
    reasons.push(...againstSpotTriggers(order, market, within));
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
  if (order.spot !== undefined) againstSpotCombination(order, order.spot, add);
  return reasons;
}

const isOfNumbers = (reason: Reason['reason']): boolean =>
  ['InvalidPrice', 'InvalidSize', 'InvalidNotional', 'InvalidTrigger', 'InvalidCombination'].includes(reason);

function isMalformedOrUnknown({ reason }: Reason): boolean {
  return REJECT_REASONS.indexOf(reason) < REJECT_REASONS.indexOf('AccountBlocked');
}

function bodyOfOrder({ orderId: _id, account: _account, createdAt: _at, ...body }: Order): string {
  const { market, side, orderType, timeInForce, price, size, funds, triggerPrice, slippagePpm, selfTradePrevention, spot } = body;
  const terms =
    spot === undefined
      ? []
      : [spot.source, spot.trailingPpm, spot.activationPrice, spot.takeProfit, spot.stopLoss, spot.parent > 0, spot.group > 0];
  return text([market, side, orderType, timeInForce, price, size, funds, triggerPrice, slippagePpm, selfTradePrevention, terms]);
}
