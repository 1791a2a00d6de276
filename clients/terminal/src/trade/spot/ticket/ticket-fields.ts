/** Reads the fields of the ticket into ticks, lots and funds; what cannot be read becomes an issue of its field. */
import { parseDecimal, printDecimal } from '@orrery/units';
import type { TradedMarket } from '../../../feed/market.ts';
import type { MessageId } from '../../../i18n/catalog.ts';
import type { TextValues } from '../../../i18n/text.tsx';
import { parseCut, valueDecimals } from './ticket-context.ts';
import type { TicketContext } from './ticket-context.ts';
import { canonical, orderKind, takesPrice } from './ticket-form.ts';
import type { TicketField, TicketForm } from './ticket-form.ts';

export interface Issue {
  readonly message: MessageId;
  readonly values?: TextValues;
}
export type Issues = Partial<Record<TicketField, Issue>>;

export interface Prices {
  readonly price: number | undefined;
  readonly trigger: number | undefined;
}

export interface Amount {
  /** In lots. */
  readonly size: number | undefined;
  /** In ticks times lots: the quote asset at `pricePrecision + sizePrecision` decimals. */
  readonly funds: bigint | undefined;
}

function readPrice(text: string, field: 'price' | 'trigger', market: TradedMarket, issues: Issues): number | undefined {
  if (text === '') return undefined;
  const ticks = parseDecimal(canonical(text), market.pricePrecision);
  if (ticks === undefined) issues[field] = { message: 'trade.issue.priceDecimals', values: { decimals: market.pricePrecision } };
  else if (ticks === 0n) issues[field] = { message: 'trade.issue.priceZero' };
  else if (ticks < BigInt(market.minPrice))
    issues[field] = { message: 'trade.issue.priceLow', values: { price: printDecimal(BigInt(market.minPrice), market.pricePrecision) } };
  else if (ticks > BigInt(market.maxPrice))
    issues[field] = { message: 'trade.issue.priceHigh', values: { price: printDecimal(BigInt(market.maxPrice), market.pricePrecision) } };
  else return Number(ticks);
  return undefined;
}

export function readPrices(form: TicketForm, context: TicketContext, issues: Issues): Prices {
  const price = takesPrice(form) ? readPrice(form.price, 'price', context.market, issues) : undefined;
  const trigger = form.tab === 'stop' ? readPrice(form.trigger, 'trigger', context.market, issues) : undefined;
  if (trigger !== undefined && context.lastPrice > 0) {
    if (form.side === 'buy' && trigger <= context.lastPrice) issues.trigger = { message: 'trade.issue.triggerBelow' };
    if (form.side === 'sell' && trigger >= context.lastPrice) issues.trigger = { message: 'trade.issue.triggerAbove' };
  }
  return { price, trigger };
}

/** The price at which a size in the quote asset is turned into lots. */
export function sizingPrice(form: TicketForm, context: TicketContext, prices: Prices): number {
  if (takesPrice(form)) return prices.price ?? 0;
  if (form.tab === 'stop') return prices.trigger ?? 0;
  return (form.side === 'buy' ? context.asks[0] : context.bids[0]) ?? context.lastPrice;
}

export function readAmount(form: TicketForm, context: TicketContext, prices: Prices, issues: Issues): Amount {
  const { market } = context;
  const none: Amount = { size: undefined, funds: undefined };
  if (form.size === '') return none;
  const text = canonical(form.size);
  if (form.unit === 'base') {
    const size = parseDecimal(text, market.sizePrecision);
    if (size === undefined) issues.size = { message: 'trade.issue.sizeDecimals', values: { decimals: market.sizePrecision } };
    return size === undefined ? none : checkedSize(size, market, issues);
  }
  if (parseDecimal(text, market.quoteDecimals) === undefined) {
    issues.size = { message: 'trade.issue.sizeDecimals', values: { decimals: market.quoteDecimals } };
    return none;
  }
  const funds = parseCut(text, valueDecimals(market));
  if (orderKind(form) === 'market' && form.side === 'buy') return { size: undefined, funds };
  const price = sizingPrice(form, context, prices);
  return price === 0 ? none : checkedSize(funds / BigInt(price), market, issues);
}

function checkedSize(size: bigint, market: TradedMarket, issues: Issues): Amount {
  const low = size < BigInt(Math.max(1, market.minSize));
  if (low)
    issues.size = {
      message: 'trade.issue.sizeLow',
      values: { size: printDecimal(BigInt(Math.max(1, market.minSize)), market.sizePrecision), coin: market.baseName },
    };
  else if (size > BigInt(market.maxSize))
    issues.size = {
      message: 'trade.issue.sizeHigh',
      values: { size: printDecimal(BigInt(market.maxSize), market.sizePrecision), coin: market.baseName },
    };
  else return { size: Number(size), funds: undefined };
  return { size: undefined, funds: undefined };
}
