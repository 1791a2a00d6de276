/** The size as a share of what is free, and back: what the slider sets and where it stands. Shares are rounded down. */
import { baseAmount, notional } from '@orrery/rules';
import { divFloor, lots, NO_ATOMS, NO_TICKS, parseAtoms, printDecimal } from '@orrery/units';
import type { Receipt } from './order-receipt.ts';
import type { TicketContext } from './ticket-context.ts';
import { readPrices, shareOf, sizingPrice } from './ticket-fields.ts';
import { orderKind } from './ticket-form.ts';
import type { TicketForm } from './ticket-form.ts';

const ONE_LOT = lots(1);
/** Decimals of an amount to spend: nobody types more. */
const FUNDS_DECIMALS = 2;

const wholePercent = (percent: number): number => Math.max(0, Math.min(100, Math.round(percent)));

/** The size that spends a share of what is free, as text for the field, with the unit it is in. */
export function sizeOfShare(form: TicketForm, context: TicketContext, percent: number): Pick<TicketForm, 'size' | 'unit'> | undefined {
  const { market, freeBase, freeQuote } = context;
  const { terms } = market;
  const share = wholePercent(percent);
  const inBase = (size: bigint): Pick<TicketForm, 'size' | 'unit'> => ({
    size: size === 0n ? '' : printDecimal(size, market.sizePrecision),
    unit: 'base',
  });
  if (form.side === 'sell') {
    return freeBase === undefined ? undefined : inBase(divFloor(shareOf(freeBase, share), baseAmount(ONE_LOT, terms)));
  }
  if (freeQuote === undefined) return undefined;
  const funds = shareOf(freeQuote, share);
  if (orderKind(form) === 'market') {
    const cents = divFloor(funds, 10n ** BigInt(market.quoteDecimals - FUNDS_DECIMALS));
    return { size: cents === 0n ? '' : printDecimal(cents, FUNDS_DECIMALS), unit: 'quote' };
  }
  const price = sizingPrice(form, context, readPrices(form, context, {}));
  return price === NO_TICKS ? undefined : inBase(divFloor(funds, notional(price, ONE_LOT, terms)));
}

/** The share of what is free that the ticket would spend, in whole percent: where the slider stands. */
export function shareOfSize(receipt: Receipt, form: TicketForm, { market, freeBase, freeQuote }: TicketContext): number {
  const isBuy = form.side === 'buy';
  const decimals = isBuy ? market.quoteDecimals : market.baseDecimals;
  const free = isBuy ? freeQuote : freeBase;
  const text = isBuy ? receipt.value : receipt.size;
  const spent = text === undefined ? undefined : parseAtoms(text, decimals);
  if (spent === undefined || free === undefined || free === NO_ATOMS) return 0;
  // To the nearest per cent.
  return Math.min(100, Number(divFloor(spent * 100n + divFloor(free, 2n), free)));
}
