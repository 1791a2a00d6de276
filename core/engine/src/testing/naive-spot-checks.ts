/** What speaks against the terms that an order of a spot market has of its own, in the naive exchange. */
import type { AttachedTrigger, Order, SpotOrderTerms } from '@orrery/protocol';
import type { NaiveMarket, Reason } from './naive-state.ts';

type Within = (price: number) => boolean;
type Attached = readonly (readonly ['takeProfit' | 'stopLoss', AttachedTrigger])[];

const attachedOf = ({ takeProfit, stopLoss }: SpotOrderTerms): Attached => [
  ['takeProfit', takeProfit],
  ['stopLoss', stopLoss],
];

export function againstSpotPrices({ spot }: Order, within: Within): Reason[] {
  if (spot === undefined) return [];
  const reasons: Reason[] = [];
  if (spot.activationPrice > 0 && !within(spot.activationPrice)) reasons.push({ reason: 'InvalidPrice', field: 'activationPrice' });
  for (const [field, { price }] of attachedOf(spot)) if (price > 0 && !within(price)) reasons.push({ reason: 'InvalidPrice', field });
  return reasons;
}

export function againstSpotTriggers({ spot, side, orderType, price, triggerPrice }: Order, market: NaiveMarket, within: Within): Reason[] {
  if (spot === undefined) return [];
  const reasons: Reason[] = [];
  if (spot.trailingPpm > 0 && spot.triggerDirection === 'none' && market.lastPrice === 0)
    reasons.push({ reason: 'InvalidTrigger', field: 'activationPrice' });
  if (side === 'sell') return reasons;
  const limited = orderType === 'limit' || orderType === 'stopLimit';
  const from = limited ? price : orderType === 'stopMarket' ? triggerPrice : market.lastPrice;
  for (const [field, { triggerPrice: trigger }] of attachedOf(spot)) {
    if (trigger === 0) continue;
    const isMisplaced = from > 0 && (field === 'takeProfit' ? trigger <= from : trigger >= from);
    if (isMisplaced || !within(trigger)) reasons.push({ reason: 'InvalidTrigger', field });
  }
  return reasons;
}

/** Where a stop without a limit is worth something. */
export const triggerOf = ({ spot, triggerPrice }: Order, reference: number): number =>
  spot === undefined || spot.trailingPpm === 0 ? triggerPrice : spot.activationPrice > 0 ? spot.activationPrice : reference;

export function againstSpotCombination(order: Order, spot: SpotOrderTerms, add: (field: string) => void): void {
  const waits = order.orderType === 'stopLimit' || order.orderType === 'stopMarket';
  if (spot.source !== 'plain' && !waits) add('source');
  if (spot.trailingPpm === 0) {
    if (spot.activationPrice > 0) add('activationPrice');
  } else {
    if (order.orderType !== 'stopMarket' || spot.source !== 'plain') add('trailingPpm');
    if (order.triggerPrice > 0) add('triggerPrice');
    if (order.price > 0) add('price');
  }
  for (const [field, { triggerPrice }] of attachedOf(spot))
    if (triggerPrice > 0 && (order.side === 'sell' || spot.trailingPpm > 0)) add(field);
  for (const [field, { triggerPrice, price }] of attachedOf(spot)) if (triggerPrice === 0 && price > 0) add(field);
}
