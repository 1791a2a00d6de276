/** Reads the fields of the ticket into ticks, lots and funds; what cannot be read becomes an issue of its field. */
import { notional, worseBy } from '@orrery/rules';
import { atoms, divFloor, lots, NO_TICKS, parseAtoms, printTicks } from '@orrery/units';
import type { Atoms, Lots, Ppm, Ticks } from '@orrery/units';
import type { TradedMarket } from '../../../market/market.ts';
import {
  bandIssue,
  boundedSize,
  noted,
  profitIssue,
  protectionIssue,
  readCallback,
  readPrice,
  readSize,
  triggerIssue,
} from '../../shared/orders/order-rules.ts';
import type { TicketContext } from './ticket-context.ts';
import { isProtectable, orderKind, takesLegPrice, takesPrice, takesTrigger } from './ticket-form.ts';
import { canonical } from '../../shared/ticket/ticket-text.ts';
import type { Issue } from '../../shared/ticket/ticket-text.ts';
import type { TicketField, TicketForm } from './ticket-form.ts';

export type Issues = Partial<Record<TicketField, Issue>>;

export interface Prices {
  readonly price: Ticks | undefined;
  readonly trigger: Ticks | undefined;
  readonly legPrice?: Ticks | undefined;
  readonly callback?: Ppm | undefined;
  readonly activation?: Ticks | undefined;
  /** At which a trailing stop would act if the price turned where it begins to follow. */
  readonly follows?: Ticks | undefined;
  readonly takeProfit?: Ticks | undefined;
  readonly stopLoss?: Ticks | undefined;
}

/** One of the two, where there is any. */
export interface Amount {
  readonly size: Lots | undefined;
  /** Quote asset. */
  readonly funds: Atoms | undefined;
}

const NO_AMOUNT: Amount = { size: undefined, funds: undefined };

type PriceName = 'price' | 'trigger' | 'legPrice' | 'activation' | 'takeProfit' | 'stopLoss';

export function readPrices(form: TicketForm, context: TicketContext, issues: Issues): Prices {
  const { market, lastPrice, reference } = context;
  const { side } = form;
  const read = (field: PriceName, isTaken: boolean): Ticks | undefined =>
    isTaken ? noted(issues, field, readPrice(form[field], market)) : undefined;
  const kind = orderKind(form);
  const price = read('price', takesPrice(form));
  const trigger = read('trigger', takesTrigger(form));
  const isProfit = form.waits === 'takeProfit';
  if (trigger !== undefined)
    noted(issues, 'trigger', isProfit ? profitIssue(trigger, side, lastPrice) : triggerIssue(trigger, side, lastPrice));
  if (kind === 'pair' && price !== undefined) noted(issues, 'price', profitIssue(price, side, lastPrice));
  // Measured from the last trade and the index, as the exchange does.
  if (kind === 'limit' && price !== undefined) noted(issues, 'price', bandIssue(price, side, reference, market));
  const callback = kind === 'trailing' ? noted(issues, 'callback', readCallback(form.callback)) : undefined;
  const activation = read('activation', kind === 'trailing');
  return {
    price,
    trigger,
    legPrice: read('legPrice', takesLegPrice(form)),
    callback,
    activation,
    follows: followsFrom(side, lastPrice, { callback, activation }),
    ...readProtection(form, context, read, { from: price ?? trigger ?? lastPrice, issues }),
  };
}

/** It follows from the present price unless its activation price is not reached yet. */
function followsFrom(
  side: 'buy' | 'sell',
  last: Ticks,
  { callback, activation }: Pick<Prices, 'callback' | 'activation'>,
): Ticks | undefined {
  const isAhead = activation !== undefined && (last === NO_TICKS || (side === 'buy' ? activation < last : activation > last));
  const start = isAhead ? activation : last;
  return callback === undefined || start === NO_TICKS ? undefined : worseBy(start, callback, side);
}

/** What protects a purchase stands on both sides of its price. */
function readProtection(
  form: TicketForm,
  { market }: TicketContext,
  read: (field: PriceName, isTaken: boolean) => Ticks | undefined,
  { from, issues }: { readonly from: Ticks; readonly issues: Issues },
): Pick<Prices, 'takeProfit' | 'stopLoss'> {
  const isTaken = form.protection === 'on' && isProtectable(form);
  const [takeProfit, stopLoss] = [read('takeProfit', isTaken), read('stopLoss', isTaken)];
  const side = { direction: 'long', from, shown: printTicks(from, market.pricePrecision) } as const;
  if (takeProfit !== undefined) noted(issues, 'takeProfit', protectionIssue('profit', takeProfit, side));
  if (stopLoss !== undefined) noted(issues, 'stopLoss', protectionIssue('stop', stopLoss, side));
  return { takeProfit, stopLoss };
}

/** The price at which a size in the quote asset is turned into lots. */
export function sizingPrice(form: TicketForm, context: TicketContext, prices: Prices): Ticks {
  if (takesPrice(form)) return prices.price ?? NO_TICKS;
  if (form.tab === 'stop') return prices.trigger ?? prices.follows ?? NO_TICKS;
  const best = form.side === 'buy' ? context.bestAsk : context.bestBid;
  return best === NO_TICKS ? context.lastPrice : best;
}

export function readAmount(form: TicketForm, context: TicketContext, prices: Prices, issues: Issues): Amount {
  const { market } = context;
  if (form.size === '') return NO_AMOUNT;
  if (form.unit === 'base') return { ...NO_AMOUNT, size: noted(issues, 'size', readSize(form.size, market)) };
  const funds = parseAtoms(canonical(form.size), market.quoteDecimals);
  if (funds === undefined) {
    issues.size = { message: 'trade.issue.sizeDecimals', values: { decimals: market.quoteDecimals } };
    return NO_AMOUNT;
  }
  if (orderKind(form) === 'market' && form.side === 'buy') return { size: undefined, funds };
  const price = sizingPrice(form, context, prices);
  return price === NO_TICKS ? NO_AMOUNT : { ...NO_AMOUNT, size: noted(issues, 'size', boundedSize(lotsFor(funds, price, market), market)) };
}

/** Whole lots, rounded down: never more than the amount pays for. */
const lotsFor = (funds: Atoms, price: Ticks, { terms }: Pick<TradedMarket, 'terms'>): bigint =>
  divFloor(funds, notional(price, lots(1), terms));

/** What a share in whole per cent of an amount is, rounded down. */
export const shareOf = (whole: Atoms, percent: number): Atoms => atoms(divFloor(whole * BigInt(percent), 100n));
