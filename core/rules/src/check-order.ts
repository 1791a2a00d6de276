/** What is malformed about an order, in order of precedence. Pure: the market's prices are given. */
import { NO_ATOMS, NO_LOTS, NO_TICKS, type Atoms, type Lots, type Ticks } from '@orrery/units';
import type { CommandRejected, BookTerms, Order } from '@orrery/protocol';
import { checkSpotCombination, checkSpotFields, checkSpotPrices, checkSpotTriggers, trails, type SpotOrder } from './check-spot-terms.ts';
import { isReached, stopDirection } from './contract-trigger.ts';
import { SLIPPAGE_PPM_MAX } from './limits.ts';
import { notional } from './notional.ts';
import { hasLimit, isByFunds, isStop } from './order-kind.ts';
import { priceBeyond, reject, rejectBeyond, sizeBeyond, valueBeyond } from './reject.ts';

const CLIENT_ORDER_ID = /^[0-9a-zA-Z_-]{1,36}$/;

export const isClientOrderId = (text: string): boolean => text === '' || CLIENT_ORDER_ID.test(text);

/** @param market undefined while the order names no known market: then only its own fields can be judged. */
export function checkOrder(order: Order, market: BookTerms | undefined, lastPrice: Ticks, reference: Ticks): CommandRejected | undefined {
  return (
    checkFields(order) ??
    (hasTerms(order) ? checkSpotFields(order) : undefined) ??
    (market === undefined ? undefined : (checkBounds(order, market, reference) ?? checkTrigger(order, market, lastPrice))) ??
    checkCombination(order) ??
    (hasTerms(order) ? checkSpotCombination(order) : undefined)
  );
}

const hasTerms = (order: Order): order is SpotOrder => order.spot !== undefined;

function checkFields(order: Order): CommandRejected | undefined {
  if (!isClientOrderId(order.clientOrderId)) return reject('InvalidField', 'clientOrderId');
  if (order.slippagePpm > SLIPPAGE_PPM_MAX) return reject('InvalidField', 'slippagePpm');
  return undefined;
}

/** Price, size and notional against the market's limits. */
export function checkBounds(order: Order, market: BookTerms, reference: Ticks): CommandRejected | undefined {
  const priceNeeded = hasLimit(order) || order.price !== NO_TICKS;
  if (priceNeeded && !isPrice(order.price, market)) return refusePrice(order.price, market);
  const terms = hasTerms(order) ? checkSpotPrices(order, market) : undefined;
  if (terms !== undefined) return terms;
  if (!isByFunds(order) && (order.size < market.minSize || order.size > market.maxSize)) return refuseSize(order.size, market);
  const value = valueOf(order, market, reference);
  if (value !== undefined && (value < market.minNotional || value > market.maxNotional)) {
    return refuseValue(value, market, isByFunds(order) ? 'funds' : 'size');
  }
  return undefined;
}

/** Of a price beyond the limits of its market, and the same of a size and of a value. @param field of the command */
export function refusePrice(asked: Ticks, { market, minPrice, maxPrice }: BookTerms, field = 'price'): CommandRejected {
  return rejectBeyond('InvalidPrice', field, priceBeyond(market, { asked, limit: asked < minPrice ? minPrice : maxPrice }));
}

export function refuseSize(asked: Lots, { market, minSize, maxSize }: BookTerms): CommandRejected {
  return rejectBeyond('InvalidSize', 'size', sizeBeyond(market, { asked, limit: asked < minSize ? minSize : maxSize }));
}

export function refuseValue(asked: Atoms, { market, minNotional, maxNotional }: BookTerms, field = 'size'): CommandRejected {
  return rejectBeyond('InvalidNotional', field, valueBeyond(market, { asked, limit: asked < minNotional ? minNotional : maxNotional }));
}

export function isPrice(price: Ticks, market: BookTerms): boolean {
  return price >= market.minPrice && price <= market.maxPrice;
}

/** What the order is worth: its funds, or its size at its limit, its trigger or the reference price. Undefined when no price is known. */
function valueOf(order: Order, market: BookTerms, reference: Ticks): Atoms | undefined {
  if (isByFunds(order)) return order.funds;
  const price = valuePrice(order, reference);
  return price === NO_TICKS ? undefined : notional(price, order.size, market);
}

/** At which the value of an order is counted, that is not by funds: 0 where no price is known. */
export function valuePrice(order: Order, reference: Ticks): Ticks {
  if (hasLimit(order)) return order.price;
  return order.orderType === 'stopMarket' ? triggerOf(order, reference) : reference;
}

/** A trailing stop is worth what it is where it begins to follow. */
const triggerOf = (order: Order, reference: Ticks): Ticks =>
  order.spot !== undefined && trails(order)
    ? order.spot.activationPrice === NO_TICKS
      ? reference
      : order.spot.activationPrice
    : order.triggerPrice;

function checkTrigger(order: Order, market: BookTerms, lastPrice: Ticks): CommandRejected | undefined {
  if (isStop(order) && !trails(order)) {
    const reached =
      lastPrice !== NO_TICKS && isReached(order.spot?.triggerDirection ?? stopDirection(order.side), order.triggerPrice, lastPrice);
    if (reached || !isPrice(order.triggerPrice, market)) return reject('InvalidTrigger', 'triggerPrice');
  }
  return hasTerms(order) ? checkSpotTriggers(order, market, lastPrice) : undefined;
}

function checkCombination(order: Order): CommandRejected | undefined {
  if (!isStop(order) && order.triggerPrice !== NO_TICKS) return reject('InvalidCombination', 'triggerPrice');
  if (hasLimit(order)) {
    if (order.funds !== NO_ATOMS) return reject('InvalidCombination', 'funds');
    return order.slippagePpm === 0 ? undefined : reject('InvalidCombination', 'slippagePpm');
  }
  if (order.timeInForce === 'GTC' || order.timeInForce === 'GTX') return reject('InvalidCombination', 'timeInForce');
  const fundsRefused = order.side === 'sell' || order.size !== NO_LOTS;
  return order.funds !== NO_ATOMS && fundsRefused ? reject('InvalidCombination', 'funds') : undefined;
}
