/** Reads the fields of the ticket into ticks, lots and funds; what cannot be read becomes an issue of its field. */
import { notional } from '@orrery/rules';
import { atoms, divFloor, lots, NO_TICKS, parseAtoms } from '@orrery/units';
import type { Atoms, Lots, Ticks } from '@orrery/units';
import type { TradedMarket } from '../../../market/market.ts';
import { bandIssue, boundedSize, noted, readPrice, readSize, triggerIssue } from '../../shared/orders/order-rules.ts';
import type { TicketContext } from './ticket-context.ts';
import { orderKind, takesPrice } from './ticket-form.ts';
import { canonical } from '../../shared/ticket/ticket-text.ts';
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

export function readPrices(form: TicketForm, context: TicketContext, issues: Issues): Prices {
  const { market, lastPrice, reference } = context;
  const price = takesPrice(form) ? noted(issues, 'price', readPrice(form.price, market)) : undefined;
  const trigger = form.tab === 'stop' ? noted(issues, 'trigger', readPrice(form.trigger, market)) : undefined;
  if (trigger !== undefined) noted(issues, 'trigger', triggerIssue(trigger, form.side, lastPrice));
  // Measured from the last trade and the index, as the exchange does.
  if (form.tab === 'limit' && price !== undefined) noted(issues, 'price', bandIssue(price, form.side, reference, market));
  return { price, trigger };
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
