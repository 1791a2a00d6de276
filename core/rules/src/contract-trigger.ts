/** What is malformed about the triggers of a contract order: its own, and those attached to it. Pure: prices are given. */
import { NO_TICKS, type Ticks } from '@orrery/units';
import type {
  AttachedTrigger,
  BookTerms,
  CommandRejected,
  ContractTerms,
  Order,
  OrderTerms,
  Side,
  TriggerBy,
  TriggerDirection,
} from '@orrery/protocol';
import { hasLimit, isStop } from './order-kind.ts';
import { reject } from './reject.ts';

/** Trailing stops follow at one of few distances, so that the cost of a price does not depend on how many follow it. */
export const TRAILING_PPM_STEP = 1_000;
export const TRAILING_PPM_MAX = 200_000;

/** What a contract order waits for. */
export type TriggerTerms = Pick<OrderTerms, 'side' | 'orderType' | 'price' | 'triggerPrice'> & { readonly contract: ContractTerms };

type PriceRange = Pick<BookTerms, 'minPrice' | 'maxPrice'>;

/** The present price of each kind; `NO_TICKS` where it is not known. */
export type PresentPrices = Readonly<Record<TriggerBy, Ticks>>;

export const isAttached = ({ triggerPrice }: AttachedTrigger): boolean => triggerPrice !== NO_TICKS;

/** What the price must do to reach the trigger of an order. A plan order waits on whichever side of the present price its trigger price is. */
export function triggerDirection(order: TriggerTerms, present: PresentPrices): TriggerDirection {
  const { side, triggerPrice, contract } = order;
  if (!isStop(order) || contract.trailingPpm > 0) return 'none';
  if (contract.source === 'takeProfit') return takeProfitDirection(side);
  const price = present[contract.triggerBy];
  if (contract.source === 'plan' && price !== NO_TICKS && price !== triggerPrice) return triggerPrice > price ? 'rise' : 'fall';
  return stopDirection(side);
}

/** A stop of a side waits for the price to move against its account. */
export const stopDirection = (side: Side): 'rise' | 'fall' => (side === 'buy' ? 'rise' : 'fall');
export const takeProfitDirection = (side: Side): 'rise' | 'fall' => (side === 'buy' ? 'fall' : 'rise');

export const isReached = (direction: TriggerDirection, triggerPrice: Ticks, price: Ticks): boolean =>
  direction === 'rise' ? price >= triggerPrice : direction === 'fall' && price <= triggerPrice;

/** The distance of a trailing stop. */
export function checkTrailing({ contract: { trailingPpm } }: TriggerTerms): CommandRejected | undefined {
  return trailingPpm % TRAILING_PPM_STEP === 0 && trailingPpm <= TRAILING_PPM_MAX ? undefined : reject('InvalidField', 'trailingPpm');
}

/** A trigger must be a price of the contract that is not reached yet; a trailing stop needs a price to follow. */
export function checkContractTrigger(order: TriggerTerms, terms: PriceRange, present: PresentPrices): CommandRejected | undefined {
  if (!isStop(order)) return undefined;
  const price = present[order.contract.triggerBy];
  if (order.contract.trailingPpm > 0) return price === NO_TICKS ? reject('InvalidTrigger', 'triggerBy') : undefined;
  const reached = price !== NO_TICKS && isReached(triggerDirection(order, present), order.triggerPrice, price);
  return reached || !isPriceOf(terms, order.triggerPrice) ? reject('InvalidTrigger', 'triggerPrice') : undefined;
}

/** A trailing stop acts as a market order and names no trigger price; only an order that rests on nothing else waits for a price. */
export function checkTriggerCombination(order: TriggerTerms): CommandRejected | undefined {
  const { trailingPpm, source } = order.contract;
  if (trailingPpm === 0) return undefined;
  if (order.orderType !== 'stopMarket' || source === 'takeProfit') return reject('InvalidCombination', 'trailingPpm');
  return order.triggerPrice === NO_TICKS ? undefined : reject('InvalidCombination', 'triggerPrice');
}

type Attached = Pick<Order, 'side' | 'orderType' | 'price'> & Record<AttachedKind, AttachedTrigger>;
export type AttachedKind = 'takeProfit' | 'stopLoss';
export const ATTACHED_KINDS = ['takeProfit', 'stopLoss'] as const satisfies readonly AttachedKind[];

/** The limit that an attached order acts with. */
export function checkAttachedPrices(order: Attached, terms: PriceRange): CommandRejected | undefined {
  const kind = ATTACHED_KINDS.find((one) => order[one].price !== NO_TICKS && !isPriceOf(terms, order[one].price));
  return kind === undefined ? undefined : reject('InvalidPrice', kind);
}

/**
 * A take-profit lies on the winning side of the reference, a stop-loss on the losing one. The reference is the limit of the order, or the present price
 * that the trigger waits for.
 */
export function checkAttachedTriggers(order: Attached, terms: PriceRange, present: PresentPrices): CommandRejected | undefined {
  for (const kind of ATTACHED_KINDS) {
    const { triggerPrice, triggerBy } = order[kind];
    if (triggerPrice === NO_TICKS) continue;
    const reference = hasLimit(order) ? order.price : present[triggerBy];
    const wins = kind === 'takeProfit' ? order.side === 'buy' : order.side === 'sell';
    const misplaced = reference !== NO_TICKS && (wins ? triggerPrice <= reference : triggerPrice >= reference);
    if (misplaced || !isPriceOf(terms, triggerPrice)) return reject('InvalidTrigger', kind);
  }
  return undefined;
}

const isPriceOf = ({ minPrice, maxPrice }: PriceRange, price: Ticks): boolean => price >= minPrice && price <= maxPrice;
