/** The size as a share of what is free, and back: what the slider sets and where it stands. Shares are rounded down. */
import { hasLimit, isStop, MOST_SLACK_PPM, mostOfSpot, stopMarketBound, worseBy } from '@orrery/rules';
import { divFloor, NO_ATOMS, NO_TICKS, parseAtoms, printDecimal, printLots } from '@orrery/units';
import type { Ticks } from '@orrery/units';
import type { Receipt } from './order-receipt.ts';
import { orderTerms } from './order-terms.ts';
import type { TicketContext } from './ticket-context.ts';
import { readPrices, shareOf, sizingPrice } from './ticket-fields.ts';
import { orderKind } from './ticket-form.ts';
import type { TicketForm } from './ticket-form.ts';

/** Decimals of an amount to spend: nobody types more. */
const FUNDS_DECIMALS = 2;

const wholePercent = (percent: number): number => Math.max(0, Math.min(100, Math.round(percent)));

/** The size that spends a share of what is free, as text for the field, with the unit it is in. */
export function sizeOfShare(form: TicketForm, context: TicketContext, percent: number): Pick<TicketForm, 'size' | 'unit'> | undefined {
  const { market, freeBase, freeQuote } = context;
  const { side } = form;
  const whole = side === 'sell' ? freeBase : freeQuote;
  if (whole === undefined) return undefined;
  const free = shareOf(whole, wholePercent(percent));
  if (side === 'buy' && orderKind(form) === 'market') {
    const spent = free < market.terms.maxNotional ? free : market.terms.maxNotional;
    const cents = divFloor(spent, 10n ** BigInt(market.quoteDecimals - FUNDS_DECIMALS));
    return { size: cents === 0n ? '' : printDecimal(cents, FUNDS_DECIMALS), unit: 'quote' };
  }
  const price = heldAt(form, context);
  if (side === 'buy' && price === NO_TICKS) return undefined;
  const size = mostOfSpot({ side, price, free, market: market.terms });
  return { size: size === 0 ? '' : printLots(size, market.sizePrecision), unit: 'base' };
}

/** At which a buy is held: what acts at the market may be filled beyond its trigger price. */
function heldAt(form: TicketForm, context: TicketContext): Ticks {
  const prices = readPrices(form, context, {});
  const order = orderTerms(form, context, prices, { size: undefined, funds: undefined });
  if (!isStop(order)) return sizingPrice(form, context, prices);
  if (hasLimit(order) || order.triggerPrice === NO_TICKS) return order.price;
  const bound = stopMarketBound(order, context.market.terms);
  // What follows the price is held from where that is when the order arrives.
  return orderKind(form) === 'trailing' ? worseBy(bound, MOST_SLACK_PPM, form.side) : bound;
}

/** The share of what is free that the ticket would spend or hold, in whole percent: where the slider stands. */
export function shareOfSize(receipt: Receipt, form: TicketForm, { market, freeBase, freeQuote }: TicketContext): number {
  const isBuy = form.side === 'buy';
  const free = isBuy ? freeQuote : freeBase;
  const spent = receipt.spent === undefined ? undefined : parseAtoms(receipt.spent, isBuy ? market.quoteDecimals : market.baseDecimals);
  if (spent === undefined || free === undefined || free === NO_ATOMS) return 0;
  // To the nearest per cent.
  return Math.min(100, Number(divFloor(spent * 100n + divFloor(free, 2n), free)));
}
