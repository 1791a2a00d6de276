/** What is malformed about the terms that an order of a spot market has beyond `OrderTerms`. Pure: prices are given. */
import { NO_TICKS, type Ticks } from '@orrery/units';
import type { BookTerms, CommandRejected, Order, SpotOrderTerms, SpotTerms, TriggerDirection } from '@orrery/protocol';
import { stopMarketBound, worseBy } from './bands.ts';
import {
  ATTACHED_KINDS,
  checkAttachedPrices,
  checkAttachedTriggers,
  isAttached,
  stopDirection,
  takeProfitDirection,
  TRAILING_PPM_MAX,
  TRAILING_PPM_STEP,
} from './contract-trigger.ts';
import { isStop } from './order-kind.ts';
import { reject } from './reject.ts';

/** An order with terms of its own. */
export type SpotOrder = Order & { readonly spot: SpotOrderTerms };

export const trails = ({ spot }: Pick<Order, 'spot'>): boolean => spot !== undefined && spot.trailingPpm > 0;

/** Whether something protects what the order buys. */
export const protectsPurchase = ({ spot }: Pick<Order, 'spot'>): boolean =>
  spot !== undefined && (isAttached(spot.takeProfit) || isAttached(spot.stopLoss));

type Waiting = Pick<Order, 'side' | 'orderType'>;

/** What the last price must do to reach an order of these terms. A trailing stop whose activation price is reached already follows at once. */
export function spotDirection(order: Waiting, { source, trailingPpm, activationPrice }: SpotTerms, lastPrice: Ticks): TriggerDirection {
  if (!isStop(order)) return 'none';
  if (trailingPpm === 0) return source === 'takeProfit' ? takeProfitDirection(order.side) : stopDirection(order.side);
  const isActive = activationPrice === NO_TICKS || (lastPrice !== NO_TICKS && isBeyond(order, activationPrice, lastPrice));
  return isActive ? 'none' : takeProfitDirection(order.side);
}

/** Whether the price is where a trailing stop of this side begins to follow it. */
const isBeyond = ({ side }: Waiting, activation: Ticks, price: Ticks): boolean =>
  side === 'sell' ? price >= activation : price <= activation;

/**
 * At which a trailing stop of a buy reserves, and beyond which it does not trade: no price at which it may be triggered is higher than the one where it begins to
 * follow, and its distance.
 */
export function trailingReserve(
  order: Waiting,
  { trailingPpm, activationPrice, triggerDirection }: SpotOrderTerms,
  lastPrice: Ticks,
  market: BookTerms,
): Ticks {
  if (trailingPpm === 0 || order.side === 'sell') return NO_TICKS;
  const start = triggerDirection === 'none' ? lastPrice : activationPrice;
  if (start === NO_TICKS) return NO_TICKS;
  return stopMarketBound({ side: 'buy', price: NO_TICKS, triggerPrice: worseBy(start, trailingPpm, 'buy') }, market);
}

export function checkSpotFields({ spot: { trailingPpm } }: SpotOrder): CommandRejected | undefined {
  return trailingPpm % TRAILING_PPM_STEP === 0 && trailingPpm <= TRAILING_PPM_MAX ? undefined : reject('InvalidField', 'trailingPpm');
}

export function checkSpotPrices(order: SpotOrder, market: BookTerms): CommandRejected | undefined {
  const { activationPrice, takeProfit, stopLoss } = order.spot;
  if (activationPrice !== NO_TICKS && (activationPrice < market.minPrice || activationPrice > market.maxPrice))
    return reject('InvalidPrice', 'activationPrice');
  return checkAttachedPrices({ ...order, takeProfit, stopLoss }, market);
}

/** A trailing stop needs a price to follow, or one from which it follows; what protects a purchase lies on its own side of the price of the order. */
export function checkSpotTriggers(order: SpotOrder, market: BookTerms, lastPrice: Ticks): CommandRejected | undefined {
  const { takeProfit, stopLoss, trailingPpm, triggerDirection } = order.spot;
  if (trailingPpm > 0 && triggerDirection === 'none' && lastPrice === NO_TICKS) return reject('InvalidTrigger', 'activationPrice');
  // That nothing protects what is sold is another reason.
  if (order.side === 'sell') return undefined;
  const reference = order.orderType === 'stopMarket' ? order.triggerPrice : lastPrice;
  return checkAttachedTriggers({ ...order, takeProfit, stopLoss }, market, { last: reference, mark: NO_TICKS, index: NO_TICKS });
}

/** A trailing stop acts as a market order; a take-profit waits for a price; only what an order buys is protected. */
export function checkSpotCombination(order: SpotOrder): CommandRejected | undefined {
  const { source, trailingPpm, activationPrice } = order.spot;
  if (source !== 'plain' && !isStop(order)) return reject('InvalidCombination', 'source');
  if (trailingPpm === 0) {
    if (activationPrice !== NO_TICKS) return reject('InvalidCombination', 'activationPrice');
  } else {
    if (order.orderType !== 'stopMarket' || source !== 'plain') return reject('InvalidCombination', 'trailingPpm');
    if (order.triggerPrice !== NO_TICKS) return reject('InvalidCombination', 'triggerPrice');
    if (order.price !== NO_TICKS) return reject('InvalidCombination', 'price');
  }
  const attached = ATTACHED_KINDS.find((kind) => isAttached(order.spot[kind]));
  if (attached !== undefined && (order.side === 'sell' || trailingPpm > 0)) return reject('InvalidCombination', attached);
  const unused = ATTACHED_KINDS.find((kind) => !isAttached(order.spot[kind]) && order.spot[kind].price !== NO_TICKS);
  return unused === undefined ? undefined : reject('InvalidCombination', unused);
}
