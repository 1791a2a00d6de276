/** The size as a share of what is free, and back: what the slider sets and where it stands. */
import { printDecimal } from '@orrery/units';
import type { Receipt } from './order-receipt.ts';
import { parseCut, valueDecimals } from './ticket-context.ts';
import type { TicketContext } from './ticket-context.ts';
import { readPrices, sizingPrice } from './ticket-fields.ts';
import { orderKind } from './ticket-form.ts';
import type { TicketForm } from './ticket-form.ts';

/** The size that spends a share of what is free, as text for the field, with the unit it is in. */
export function sizeOfShare(form: TicketForm, context: TicketContext, percent: number): Pick<TicketForm, 'size' | 'unit'> | undefined {
  const { market } = context;
  const share = BigInt(Math.max(0, Math.min(100, Math.round(percent))));
  if (form.side === 'sell') {
    if (context.freeBase === undefined) return undefined;
    const size = (parseCut(context.freeBase, market.sizePrecision) * share) / 100n;
    return { size: size === 0n ? '' : printDecimal(size, market.sizePrecision), unit: 'base' };
  }
  if (context.freeQuote === undefined) return undefined;
  if (orderKind(form) === 'market') {
    const funds = (parseCut(context.freeQuote, 2) * share) / 100n;
    return { size: funds === 0n ? '' : printDecimal(funds, 2), unit: 'quote' };
  }
  const price = sizingPrice(form, context, readPrices(form, context, {}));
  if (price === 0) return undefined;
  const size = (parseCut(context.freeQuote, valueDecimals(market)) * share) / 100n / BigInt(price);
  return { size: size === 0n ? '' : printDecimal(size, market.sizePrecision), unit: 'base' };
}

/** The share of what is free that the ticket would spend, in whole percent: where the slider stands. */
export function shareOfSize(receipt: Receipt, form: TicketForm, context: TicketContext): number {
  const spent = form.side === 'buy' ? receipt.value : receipt.size;
  const free = form.side === 'buy' ? context.freeQuote : context.freeBase;
  if (spent === undefined || free === undefined) return 0;
  const decimals = valueDecimals(context.market);
  const whole = parseCut(free, decimals);
  return whole === 0n ? 0 : Math.min(100, Number((parseCut(spent, decimals) * 100n + whole / 2n) / whole));
}
