/** Orders of spot markets that have terms of their own, in the naive exchange: take-profits, trailing stops, pairs, and what protects a purchase. */
import {
  NOT_ATTACHED,
  type CloseReason,
  type Order,
  type OrderTerms,
  type PlacePair,
  type PlaceSpotOrder,
  type SpotOrderTerms,
  type SpotTerms,
} from '@orrery/protocol';
import { atoms, lots, millis, orderId, ppm, ticks, type MarketId, type OrderId } from '@orrery/units';
import { NaiveOrders } from './naive-orders.ts';
import { byId, type NaiveMarket, type NaiveOrder, type NaivePurchase, type Reason } from './naive-state.ts';

const NO_TERMS: SpotTerms = {
  source: 'plain',
  trailingPpm: ppm(0),
  activationPrice: ticks(0),
  takeProfit: NOT_ATTACHED,
  stopLoss: NOT_ATTACHED,
};

type Kin = Pick<SpotOrderTerms, 'parent' | 'group' | 'reservedBy' | 'reservePrice'>;
const ALONE: Kin = { parent: 0, group: 0, reservedBy: 0, reservePrice: ticks(0) };

export class NaiveSpotOrders extends NaiveOrders {
  placeSpot(command: PlaceSpotOrder): void {
    const { type: _, spot, ...terms } = command;
    if (this.rules < 8) return this.refuse([{ reason: 'RulesTooOld', field: '' }]);
    if (spot.source === 'stopLoss') return this.refuse([{ reason: 'InvalidField', field: 'source' }]);
    this.enterNew(this.withTerms(terms, spot, ALONE));
  }

  placePair(command: PlacePair): void {
    const { account, market, side, size, selfTradePrevention, above, below } = command;
    const refusal = (reason: Reason['reason'], field: string): void => this.refuse([{ reason, field }]);
    if (this.rules < 8) return refusal('RulesTooOld', '');
    const legs = side === 'sell' ? (['above', 'below'] as const) : (['below', 'above'] as const);
    const [wins, loses] = side === 'sell' ? [above, below] : [below, above];
    if (wins.orderType === 'market') return refusal('InvalidCombination', `${legs[0]}.orderType`);
    if (loses.orderType !== 'stopLimit' && loses.orderType !== 'stopMarket') return refusal('InvalidCombination', `${legs[1]}.orderType`);
    if (loses.clientOrderId !== '' && loses.clientOrderId === wins.clientOrderId)
      return refusal('DuplicateClientOrderId', `${legs[1]}.clientOrderId`);
    const goal = wins.orderType === 'limit' ? wins.price : wins.triggerPrice;
    if (side === 'sell' ? goal <= loses.triggerPrice : goal >= loses.triggerPrice)
      return refusal('InvalidCombination', `${legs[1]}.triggerPrice`);

    const termsOf = (leg: typeof wins): OrderTerms => ({
      ...leg,
      account,
      market,
      side,
      size,
      selfTradePrevention,
      funds: atoms(0n),
      timeInForce: leg.orderType === 'limit' ? 'GTX' : leg.orderType === 'stopLimit' ? 'GTC' : 'IOC',
    });
    const worst = (leg: typeof wins): number =>
      leg.orderType === 'stopMarket' && leg.price === 0
        ? raised(leg.triggerPrice, this.market(market)?.terms.marketBandPpm ?? 0)
        : leg.price;
    const reservePrice = ticks(side === 'sell' || this.market(market) === undefined ? 0 : Math.max(worst(wins), worst(loses)));
    const group = orderId(this.lastOrderId + 1);
    const putBack = this.copied();
    this.isTogether = true;
    const answers: ('OrderAccepted' | 'OrderRepeated')[] = [];
    for (const [index, leg] of [wins, loses].entries()) {
      const from = this.events.length;
      const source = leg.orderType === 'limit' ? 'plain' : index === 0 ? 'takeProfit' : 'stopLoss';
      const kin = index === 0 ? { ...ALONE, group, reservePrice } : { ...ALONE, group, reservedBy: group };
      this.enterNew(this.withTerms(termsOf(leg), { ...NO_TERMS, source }, kin));
      const first = this.events[0]?.type === 'CommandRejected' ? this.events[0] : this.events[from];
      if (first?.type === 'OrderAccepted' || first?.type === 'OrderRepeated') answers.push(first.type);
      if (first?.type !== 'CommandRejected') continue;
      putBack();
      this.isTogether = false;
      const field = first.field === 'timeInForce' ? 'price' : first.field;
      return refusal(first.reason, field in leg ? `${legs[index]}.${field}` : field);
    }
    this.isTogether = false;
    if (answers[0] !== answers[1]) {
      putBack();
      return refusal('DuplicateClientOrderId', `${legs[answers[0] === 'OrderAccepted' ? 1 : 0]}.clientOrderId`);
    }
    this.fireSome(market);
  }

  withTerms(terms: OrderTerms, spot: SpotTerms, kin: Kin): Order {
    const market = this.market(terms.market);
    const order: Order = {
      ...terms,
      orderId: orderId(this.lastOrderId + 1),
      createdAt: this.at,
      contract: undefined,
      spot: { ...spot, ...kin, triggerDirection: directionOf(terms, spot, market) },
    };
    if (market === undefined || spot.trailingPpm === 0 || order.side === 'sell') return order;
    const start = order.spot?.triggerDirection === 'none' ? market.lastPrice : spot.activationPrice;
    const reservePrice = ticks(start === 0 ? 0 : raised(raised(start, spot.trailingPpm), market.terms.marketBandPpm));
    return { ...order, spot: { ...order.spot!, reservePrice } };
  }

  /** Behind all that a command did: what fills have brought is protected. */
  protectPurchases(): void {
    const isWaiting = (id: MarketId): boolean => this.isPending(this.market(id)!);
    const due = [...this.bought].filter((id) => !isWaiting(this.purchases.get(id)!.parent.market)).sort((left, right) => left - right);
    for (const id of due) {
      this.bought.delete(id);
      const purchase = this.purchases.get(id)!;
      const isOver = !this.orders.some((open) => open.order.orderId === id);
      const isBlocked = this.accounts.find(({ id: account }) => account === purchase.parent.account)!.flags.includes('blocked');
      if (!purchase.isGivenUp && !isBlocked) this.protect(purchase, isOver);
      if (isOver) this.purchases.delete(id);
    }
  }

  protect(purchase: NaivePurchase, isOver: boolean): void {
    const { parent } = purchase;
    const market = this.market(parent.market)!;
    const { terms } = market;
    const free = this.free(parent.account, 'spot', terms.base);
    if (free < purchase.received) purchase.received = free;
    const size = Number(purchase.received / terms.lotAtoms);
    if (size === 0) return;
    const kinds = (['takeProfit', 'stopLoss'] as const).filter((kind) => parent.spot![kind].triggerPrice > 0);
    const standing = this.orders
      .filter(
        ({ order }) => order.orderId === purchase.protection || (purchase.protection > 0 && order.spot?.group === purchase.protection),
      )
      .sort(byId);
    const grows = standing.length === kinds.length && standing[0]!.status === 'armed' && standing[0]!.filled === 0;
    const spend = (): void => void (purchase.received -= BigInt(size) * terms.lotAtoms);
    if (grows) {
      spend();
      for (const open of standing) this.resize(open, open.remaining + size);
      return;
    }
    const worth = Math.min(...kinds.map((kind) => parent.spot![kind].price || parent.spot![kind].triggerPrice));
    const isEnough = size >= terms.minSize && BigInt(worth) * BigInt(size) * terms.tickLotAtoms >= terms.minNotional;
    const isCrowded = purchase.protection > 0 && !this.hasRoom(parent);
    if (!isOver && (!isEnough || isCrowded)) return;
    spend();
    const group = kinds.length === 2 ? orderId(this.lastOrderId + 1) : 0;
    const placed = kinds.map((kind) => this.placeChild(parent, kind, size, group));
    if (isEnough) {
      purchase.protection = placed[0]!.order.orderId;
      this.markReached(market, market.lastPrice);
    } else this.close(placed[0]!, 'belowMinimum');
  }

  placeChild(parent: Order, kind: 'takeProfit' | 'stopLoss', size: number, group: OrderId | 0): NaiveOrder {
    const { triggerPrice, price } = parent.spot![kind];
    const id = orderId(this.lastOrderId + 1);
    const order: Order = {
      orderId: id,
      account: parent.account,
      market: parent.market,
      clientOrderId: '',
      side: 'sell',
      orderType: price === 0 ? 'stopMarket' : 'stopLimit',
      timeInForce: price === 0 ? 'IOC' : 'GTC',
      price,
      size: lots(size),
      funds: atoms(0n),
      triggerPrice,
      slippagePpm: ppm(price === 0 ? 10_000 : 0),
      selfTradePrevention: parent.selfTradePrevention,
      createdAt: millis(this.at),
      contract: undefined,
      spot: {
        ...NO_TERMS,
        ...ALONE,
        source: kind,
        triggerDirection: kind === 'takeProfit' ? 'rise' : 'fall',
        parent: parent.orderId,
        group,
        reservedBy: group === 0 || group === id ? 0 : group,
      },
    };
    const open = this.open(order, 0);
    this.arm(open);
    return open;
  }

  /** However an order ends: its purchase is looked at, and its partner ends. */
  override close(open: NaiveOrder, reason: CloseReason): void {
    super.close(open, reason);
    const { spot, orderId: id } = open.order;
    if (spot === undefined) return;
    if (this.purchases.has(id)) this.bought.add(id);
    const purchase = spot.parent === 0 ? undefined : this.purchases.get(spot.parent);
    if (purchase !== undefined && reason === 'canceledByAccount') purchase.isGivenUp = true;
    const partner = this.partnerOf(open);
    if (partner === undefined || partner.status === 'acting') return;
    this.close(
      partner,
      reason === 'filled' || reason === 'groupTriggered' ? 'groupTriggered' : reason === 'belowMinimum' ? reason : 'groupClosed',
    );
  }
}

function directionOf(
  { side, orderType }: OrderTerms,
  spot: SpotTerms,
  market: NaiveMarket | undefined,
): SpotOrderTerms['triggerDirection'] {
  if (orderType !== 'stopLimit' && orderType !== 'stopMarket') return 'none';
  const rises = side === 'buy' ? 'rise' : 'fall';
  const falls = side === 'buy' ? 'fall' : 'rise';
  if (spot.trailingPpm === 0) return spot.source === 'takeProfit' ? falls : rises;
  const last = market?.lastPrice ?? 0;
  const begins =
    spot.activationPrice === 0 || (last > 0 && (side === 'sell' ? last >= spot.activationPrice : last <= spot.activationPrice));
  return begins ? 'none' : falls;
}

/** A price with a rate on top, rounded down. */
const raised = (price: number, rate: number): number => Math.floor((price * (1_000_000 + rate)) / 1_000_000);
