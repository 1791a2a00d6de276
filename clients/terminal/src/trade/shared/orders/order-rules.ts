/**
 * What a person enters to make or change an order, read into ticks, lots and atoms, or what is wrong with it. One set for every form: ticket, row,
 * dialog. Exact; pure: what is known of the market is given.
 */
import { limitOutOfBand, TRAILING_PPM_MAX, TRAILING_PPM_STEP, worseBy } from '@orrery/rules';
import { lots, NO_TICKS, parseDecimal, ppm, printAtoms, printLots, printTicks, ticks } from '@orrery/units';
import type { Atoms, Lots, Ppm, Ticks } from '@orrery/units';
import type { TradedMarket } from '../../../market/market.ts';
import { canonical, percentOf } from '../ticket/ticket-text.ts';
import type { Issue } from '../ticket/ticket-text.ts';

/** `undefined` of an empty field. */
export type Read<Value> = Value | Issue | undefined;

export const issueOf = <Value>(read: Read<Value>): Issue | undefined =>
  typeof read === 'object' && read !== null ? (read as Issue) : undefined;
export const valueOf = <Value extends number | bigint>(read: Read<Value>): Value | undefined =>
  typeof read === 'object' ? undefined : read;

/** What was read, or nothing: what is wrong with it is noted at its field. */
export function noted<Field extends string, Value extends number | bigint>(
  issues: Partial<Record<Field, Issue>>,
  field: Field,
  read: Read<Value>,
): Value | undefined {
  const issue = issueOf(read);
  if (issue !== undefined) issues[field] = issue;
  return valueOf(read);
}

type Priced = Pick<TradedMarket, 'terms' | 'pricePrecision'>;
type Sized = Pick<TradedMarket, 'terms' | 'sizePrecision' | 'sizeName'>;

/** On the grid of the market, between its limits. */
export function readPrice(text: string, { terms, pricePrecision }: Priced): Read<Ticks> {
  if (text === '') return undefined;
  const value = parseDecimal(canonical(text), pricePrecision);
  if (value === undefined) return { message: 'trade.issue.priceDecimals', values: { decimals: pricePrecision } };
  if (value === 0n) return { message: 'trade.issue.priceZero' };
  if (value < BigInt(terms.minPrice))
    return { message: 'trade.issue.priceLow', values: { price: printTicks(terms.minPrice, pricePrecision) } };
  if (value > BigInt(terms.maxPrice))
    return { message: 'trade.issue.priceHigh', values: { price: printTicks(terms.maxPrice, pricePrecision) } };
  return ticks(Number(value));
}

/** In whole lots, between the limits of the market. */
export function readSize(text: string, market: Sized): Read<Lots> {
  if (text === '') return undefined;
  const { sizePrecision } = market;
  const value = parseDecimal(canonical(text), sizePrecision);
  return value === undefined ? { message: 'trade.issue.sizeDecimals', values: { decimals: sizePrecision } } : boundedSize(value, market);
}

export function boundedSize(size: bigint, { terms, sizePrecision, sizeName: coin }: Sized): Lots | Issue {
  const least = lots(Math.max(1, terms.minSize));
  if (size < BigInt(least)) return { message: 'trade.issue.sizeLow', values: { size: printLots(least, sizePrecision), coin } };
  if (size > BigInt(terms.maxSize))
    return { message: 'trade.issue.sizeHigh', values: { size: printLots(terms.maxSize, sizePrecision), coin } };
  return lots(Number(size));
}

/** The exchange refuses a limit that is further through the market than its band. @param reference 0 while it is not known */
export function bandIssue(price: Ticks, side: 'buy' | 'sell', reference: Ticks, { terms, pricePrecision }: Priced): Issue | undefined {
  if (!limitOutOfBand(price, side, reference, terms)) return undefined;
  return {
    message: side === 'buy' ? 'trade.issue.bandHigh' : 'trade.issue.bandLow',
    values: { price: printTicks(worseBy(reference, terms.limitBandPpm, side), pricePrecision), rate: percentOf(terms.limitBandPpm) },
  };
}

/** @param value of the order at its price, in atoms of `decimals` of the coin */
export function valueIssue(
  value: Atoms,
  { minNotional, maxNotional }: TradedMarket['terms'],
  { decimals, coin }: { readonly decimals: number; readonly coin: string },
): Issue | undefined {
  if (value < minNotional) return { message: 'trade.issue.valueLow', values: { value: printAtoms(minNotional, decimals), coin } };
  if (value > maxNotional) return { message: 'trade.issue.valueHigh', values: { value: printAtoms(maxNotional, decimals), coin } };
  return undefined;
}

/** A stop of spot stands where the price has not been: above it to buy, below it to sell. @param last 0 while it is not known */
export function triggerIssue(trigger: Ticks, side: 'buy' | 'sell', last: Ticks): Issue | undefined {
  if (last === NO_TICKS) return undefined;
  if (side === 'buy') return trigger > last ? undefined : { message: 'trade.issue.triggerBelow' };
  return trigger < last ? undefined : { message: 'trade.issue.triggerAbove' };
}

/** What takes a profit stands on the other side: it sells above the last price and buys below it. */
export function profitIssue(price: Ticks, side: 'buy' | 'sell', last: Ticks): Issue | undefined {
  if (last === NO_TICKS) return undefined;
  if (side === 'buy') return price < last ? undefined : { message: 'trade.issue.profitOfBuy' };
  return price > last ? undefined : { message: 'trade.issue.profitOfSell' };
}

const PERCENT_DECIMALS = 1;

/** How far a trailing order lets the price turn back: per cent with one decimal, as the exchange has steps. */
export function readCallback(text: string): Read<Ppm> {
  if (text === '') return undefined;
  const steps = parseDecimal(canonical(text), PERCENT_DECIMALS);
  const most = TRAILING_PPM_MAX / TRAILING_PPM_STEP;
  if (steps === undefined || steps < 1n || steps > BigInt(most)) return { message: 'trade.issue.callback', values: { most: most / 10 } };
  return ppm(Number(steps) * TRAILING_PPM_STEP);
}

export interface ProtectedSide {
  readonly direction: 'long' | 'short';
  /** The price from which it waits; 0 while it is not known. */
  readonly from: Ticks;
  /** As it is shown. */
  readonly shown: string;
}

/** What protects a position stands where it can act: a profit beyond the price, a loss before it. */
export function protectionIssue(kind: 'profit' | 'stop', trigger: Ticks, { direction, from, shown }: ProtectedSide): Issue | undefined {
  if (from === NO_TICKS) return undefined;
  const isAbove = (direction === 'long') === (kind === 'profit');
  if (isAbove ? trigger > from : trigger < from) return undefined;
  return { message: `trade.issue.${kind}${isAbove ? 'Above' : 'Below'}`, values: { price: shown } };
}
