/**
 * What protects the purchase of a spot order: a take-profit, a stop-loss, or a pair of both, which sell what the fills of the order have brought, fees taken off. It
 * grows with each fill. Less than the least order of the market waits for further fills.
 */
import {
  atoms,
  lots,
  NO_ATOMS,
  NO_LOTS,
  NO_TICKS,
  ppm,
  subtractAtoms,
  type Atoms,
  type Lots,
  type OrderId,
  type Ticks,
} from '@orrery/units';
import { NOT_ATTACHED, type Market, type Order, type OrderAccepted, type SpotOrderTerms } from '@orrery/protocol';
import { ATTACHED_KINDS, baseAmount, isAttached, notional, stopDirection, takeProfitDirection, type AttachedKind } from '@orrery/rules';
import type { ListedMarket } from '../instruments/listed-market.ts';
import { actingAt } from './acting-at.ts';
import { arm } from './arm.ts';
import { cancelOpenOrder } from './close-order.ts';
import type { CommandScope } from './command-scope.ts';
import type { OpenOrder } from './open-order.ts';
import { partnerOf } from './pair.ts';
import type { Purchase } from './purchase.ts';
import { reachAtOnce } from './reach-at-once.ts';
import { refuseMore } from './refuse-plan.ts';
import { cutTo } from './stall.ts';
import type { Trading } from './trading.ts';

/**
 * Protects what commands have brought, behind all that this one did. Not while triggers of the market wait to act: a price from before the purchase would reach what
 * protects it.
 */
export function protectPurchases(scope: CommandScope): void {
  const { purchases, bought, orders, markets, accounts } = scope.trading;
  const isReady = (id: OrderId): boolean => {
    const purchase = purchases.get(id);
    return purchase === undefined || markets.get(purchase.parent.market)?.triggers.isPending === false;
  };
  for (const id of [...bought].filter(isReady).sort((left, right) => left - right)) {
    bought.delete(id);
    const purchase = purchases.get(id);
    const market = purchase === undefined ? undefined : markets.get(purchase.parent.market);
    if (purchase === undefined || market === undefined) continue;
    const isOver = orders.get(id) === undefined;
    // What was closed with a block does not come back behind it.
    if (!purchase.isGivenUp && !accounts.is(purchase.parent.account, 'blocked')) protect(scope, { purchase, market, isOver });
    if (isOver) purchases.delete(id);
  }
}

interface Protecting {
  readonly purchase: Purchase;
  readonly market: ListedMarket;
  /** Whether nothing further comes. */
  readonly isOver: boolean;
}

function protect(scope: CommandScope, { purchase, market, isOver }: Protecting): void {
  const { trading } = scope;
  const { terms } = market;
  const { parent } = purchase;
  // What came before and was too little may have been spent meanwhile: it is protected no more.
  const payer = market.clearing.payerOf({ ...parent, side: 'sell' });
  const free = trading.ledger.free(payer);
  if (free < purchase.received) purchase.received = free;
  const size = lots(Number(purchase.received / terms.lotAtoms));
  if (size === NO_LOTS) return;
  const grown = growing(trading, purchase);
  if (grown !== undefined) {
    take(purchase, size, terms);
    for (const open of grown) grow(scope, open, size);
    return;
  }
  const isEnough = size >= terms.minSize && leastValue(parent, size, terms) >= terms.minNotional;
  if (!isOver && (!isEnough || isCrowded(trading, purchase, market))) return;
  take(purchase, size, terms);
  const placed = place(scope, { purchase, market, payer, size });
  const [first] = placed;
  if (isEnough && first !== undefined) {
    purchase.protection = first.order.orderId;
    reachAtOnce(scope, market);
  } else for (const open of placed) if (trading.orders.get(open.order.orderId) === open) cancelOpenOrder(scope, open, 'belowMinimum');
}

/** Every fill may find what protects those before it triggered and at rest: without a limit an account would have as many orders as there are fills. */
const isCrowded = (trading: Trading, { protection, parent }: Purchase, market: ListedMarket): boolean =>
  protection !== 0 && refuseMore(trading, parent.account, market) !== undefined;

function take(purchase: Purchase, size: Lots, terms: Market): void {
  purchase.received = subtractAtoms(purchase.received, baseAmount(size, terms));
}

/** The orders that still protect all that came before. One that was triggered protects no more than it did. */
function growing(trading: Trading, { protection, parent }: Purchase): readonly OpenOrder[] | undefined {
  const first = protection === 0 ? undefined : trading.orders.get(protection);
  if (first?.status !== 'armed' || first.filled > NO_LOTS) return undefined;
  if (!isPair(parent)) return [first];
  const partner = partnerOf(trading, first);
  return partner === undefined ? undefined : [first, partner];
}

function grow(scope: CommandScope, open: OpenOrder, size: Lots): void {
  const { clearing } = open.market;
  clearing.release(open, open.remaining);
  cutTo(scope, open, lots(open.remaining + size));
  clearing.reserve(open);
}

const isPair = ({ spot }: Order): boolean => spot !== undefined && isAttached(spot.takeProfit) && isAttached(spot.stopLoss);

/** Quote atoms, at the lower of the prices at which it would be sold. */
function leastValue({ spot }: Order, size: Lots, terms: Market): Atoms {
  let least: Atoms = NO_ATOMS;
  for (const kind of ATTACHED_KINDS) {
    const attached = spot?.[kind] ?? NOT_ATTACHED;
    if (!isAttached(attached)) continue;
    const price: Ticks = attached.price === NO_TICKS ? attached.triggerPrice : attached.price;
    const value = notional(price, size, terms);
    if (least === NO_ATOMS || value < least) least = value;
  }
  return atoms(least);
}

interface Placing {
  readonly purchase: Purchase;
  readonly market: ListedMarket;
  readonly payer: number;
  readonly size: Lots;
}

/** The take-profit first: it reserves for both. */
function place(scope: CommandScope, { purchase: { parent }, market, payer, size }: Placing): readonly OpenOrder[] {
  const { trading, at, events } = scope;
  const group = isPair(parent) ? trading.orders.nextId() : 0;
  const placed: OpenOrder[] = [];
  for (const kind of ATTACHED_KINDS) {
    if (!isAttached(parent.spot?.[kind] ?? NOT_ATTACHED)) continue;
    const order = childOf(scope, { parent, kind, size, group });
    const open = trading.orders.open({ order, market, payer, leaving: undefined, at }, 0);
    events.push(order);
    arm(scope, open);
    placed.push(open);
  }
  return placed;
}

interface Child {
  readonly parent: Order;
  readonly kind: AttachedKind;
  readonly size: Lots;
  readonly group: OrderId | 0;
}

function childOf({ trading, at }: CommandScope, { parent, kind, size, group }: Child): OrderAccepted {
  const { triggerPrice, price } = parent.spot?.[kind] ?? NOT_ATTACHED;
  const orderId = trading.orders.nextId();
  const spot: SpotOrderTerms = {
    source: kind,
    trailingPpm: ppm(0),
    activationPrice: NO_TICKS,
    takeProfit: NOT_ATTACHED,
    stopLoss: NOT_ATTACHED,
    triggerDirection: kind === 'takeProfit' ? takeProfitDirection('sell') : stopDirection('sell'),
    parent: parent.orderId,
    group,
    reservedBy: group === 0 || group === orderId ? 0 : group,
    reservePrice: NO_TICKS,
  };
  return {
    type: 'OrderAccepted',
    orderId,
    account: parent.account,
    market: parent.market,
    clientOrderId: '',
    side: 'sell',
    ...actingAt(price),
    size,
    funds: NO_ATOMS,
    triggerPrice,
    selfTradePrevention: parent.selfTradePrevention,
    createdAt: at,
    contract: undefined,
    spot,
  };
}
