/** Reads the fields of the ticket into ticks, lots and funds; what cannot be read becomes an issue of its field. */
import { limitOutOfBand, notional, worseBy } from '@orrery/rules';
import { atoms, divFloor, lots, NO_TICKS, parseAtoms, parseDecimal, printLots, printTicks, ticks } from '@orrery/units';
import type { Atoms, Lots, Ticks } from '@orrery/units';
import type { TradedMarket } from '../../../market/market.ts';
import type { TicketContext } from './ticket-context.ts';
import { orderKind, takesPrice } from './ticket-form.ts';
import { canonical, percentOf } from '../../shared/ticket/ticket-text.ts';
import type { Issue } from '../../shared/ticket/ticket-text.ts';
import type { TicketField, TicketForm } from './ticket-form.ts';

export type Issues = Partial<Record<TicketField, Issue>>;

export interface Prices {
  readonly price: Ticks | undefined;
  readonly trigger: Ticks | undefined;
}

/** One of the two, where there is any. */
export interface Amount {
  readonly size: Lots | undefined;
  /** Quote asset. */
  readonly funds: Atoms | undefined;
}

const NO_AMOUNT: Amount = { size: undefined, funds: undefined };

function readPrice(text: string, field: 'price' | 'trigger', { terms, pricePrecision }: TradedMarket, issues: Issues): Ticks | undefined {
  if (text === '') return undefined;
  const value = parseDecimal(canonical(text), pricePrecision);
  if (value === undefined) issues[field] = { message: 'trade.issue.priceDecimals', values: { decimals: pricePrecision } };
  else if (value === 0n) issues[field] = { message: 'trade.issue.priceZero' };
  else if (value < BigInt(terms.minPrice))
    issues[field] = { message: 'trade.issue.priceLow', values: { price: printTicks(terms.minPrice, pricePrecision) } };
  else if (value > BigInt(terms.maxPrice))
    issues[field] = { message: 'trade.issue.priceHigh', values: { price: printTicks(terms.maxPrice, pricePrecision) } };
  else return ticks(Number(value));
  return undefined;
}

export function readPrices(form: TicketForm, context: TicketContext, issues: Issues): Prices {
  const price = takesPrice(form) ? readPrice(form.price, 'price', context.market, issues) : undefined;
  const trigger = form.tab === 'stop' ? readPrice(form.trigger, 'trigger', context.market, issues) : undefined;
  if (trigger !== undefined && context.lastPrice !== NO_TICKS) {
    if (form.side === 'buy' && trigger <= context.lastPrice) issues.trigger = { message: 'trade.issue.triggerBelow' };
    if (form.side === 'sell' && trigger >= context.lastPrice) issues.trigger = { message: 'trade.issue.triggerAbove' };
  }
  if (form.tab === 'limit' && price !== undefined) checkBand(price, form.side, context, issues);
  return { price, trigger };
}

/** The exchange refuses what is further through the market than the band; measured from the last trade and the index, as it does. */
function checkBand(price: Ticks, side: 'buy' | 'sell', { market, reference }: TicketContext, issues: Issues): void {
  const { terms, pricePrecision } = market;
  if (!limitOutOfBand(price, side, reference, terms)) return;
  const furthest = printTicks(worseBy(reference, terms.limitBandPpm, side), pricePrecision);
  issues.price = {
    message: side === 'buy' ? 'trade.issue.bandHigh' : 'trade.issue.bandLow',
    values: { price: furthest, rate: percentOf(terms.limitBandPpm) },
  };
}

/** The price at which a size in the quote asset is turned into lots. */
export function sizingPrice(form: TicketForm, context: TicketContext, prices: Prices): Ticks {
  if (takesPrice(form)) return prices.price ?? NO_TICKS;
  if (form.tab === 'stop') return prices.trigger ?? NO_TICKS;
  const best = form.side === 'buy' ? context.bestAsk : context.bestBid;
  return best === NO_TICKS ? context.lastPrice : best;
}

export function readAmount(form: TicketForm, context: TicketContext, prices: Prices, issues: Issues): Amount {
  const { market } = context;
  if (form.size === '') return NO_AMOUNT;
  const text = canonical(form.size);
  if (form.unit === 'base') {
    const size = parseDecimal(text, market.sizePrecision);
    if (size === undefined) issues.size = { message: 'trade.issue.sizeDecimals', values: { decimals: market.sizePrecision } };
    return size === undefined ? NO_AMOUNT : checkedSize(size, market, issues);
  }
  const funds = parseAtoms(text, market.quoteDecimals);
  if (funds === undefined) {
    issues.size = { message: 'trade.issue.sizeDecimals', values: { decimals: market.quoteDecimals } };
    return NO_AMOUNT;
  }
  if (orderKind(form) === 'market' && form.side === 'buy') return { size: undefined, funds };
  const price = sizingPrice(form, context, prices);
  return price === NO_TICKS ? NO_AMOUNT : checkedSize(lotsFor(funds, price, market), market, issues);
}

/** Whole lots, rounded down: never more than the amount pays for. */
export const lotsFor = (funds: Atoms, price: Ticks, { terms }: Pick<TradedMarket, 'terms'>): bigint =>
  divFloor(funds, notional(price, lots(1), terms));

function checkedSize(size: bigint, market: TradedMarket, issues: Issues): Amount {
  const { terms, sizePrecision } = market;
  const least = lots(Math.max(1, terms.minSize));
  if (size < BigInt(least))
    issues.size = { message: 'trade.issue.sizeLow', values: { size: printLots(least, sizePrecision), coin: market.baseName } };
  else if (size > BigInt(terms.maxSize))
    issues.size = { message: 'trade.issue.sizeHigh', values: { size: printLots(terms.maxSize, sizePrecision), coin: market.baseName } };
  else return { size: lots(Number(size)), funds: undefined };
  return NO_AMOUNT;
}

/** What a share in whole per cent of an amount is, rounded down. */
export const shareOf = (whole: Atoms, percent: number): Atoms => atoms(divFloor(whole * BigInt(percent), 100n));
