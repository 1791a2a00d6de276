/** From the ticket's text to an order, or to what is wrong with it, and to what it would cost. Exact: ticks, lots and whole products of them. */
import { divFloor, NO_ATOMS, NO_TICKS, printDecimal, printLots, printTicks } from '@orrery/units';
import type { Ticks } from '@orrery/units';
import { baseAmount } from '@orrery/rules';
import { valueIssue } from '../../shared/orders/order-rules.ts';
import { costOf } from './order-cost.ts';
import type { Cost } from './order-cost.ts';
import { receiptOf } from './order-receipt.ts';
import type { Receipt } from './order-receipt.ts';
import { orderTerms } from './order-terms.ts';
import type { TicketContext } from './ticket-context.ts';
import { readAmount, readPrices } from './ticket-fields.ts';
import type { Amount, Issues, Prices } from './ticket-fields.ts';
import type { Issue } from '../../shared/ticket/ticket-text.ts';
import { isMost, isProtectable, orderKind, takesLegPrice, takesPrice, takesTrigger } from './ticket-form.ts';
import { canonical } from '../../shared/ticket/ticket-text.ts';
import type { OrderKind, TicketForm } from './ticket-form.ts';

/** Ready for the wire: decimal text in canonical form. */
export interface OrderDraft {
  readonly symbol: string;
  readonly side: 'buy' | 'sell';
  readonly kind: OrderKind;
  readonly timeInForce: 'GTC' | 'IOC' | 'FOK' | 'GTX';
  readonly price: string | undefined;
  readonly trigger: string | undefined;
  /** Of a pair: what its stop becomes, an order to the market without it. */
  readonly legPrice?: string | undefined;
  /** Of a trailing stop, as a ratio, and from which price it follows. */
  readonly callback?: string | undefined;
  readonly activation?: string | undefined;
  /** At which what is bought is sold again. */
  readonly takeProfit?: string | undefined;
  readonly stopLoss?: string | undefined;
  /** One of size and funds is given. */
  readonly size: string | undefined;
  readonly funds: string | undefined;
  /** Size or funds are a bound: the most up to it that there is money for when the order arrives. */
  readonly max?: true | undefined;
}

export interface Reading {
  readonly issues: Issues;
  /** Only when nothing is wrong and nothing is missing. */
  readonly draft: OrderDraft | undefined;
  readonly receipt: Receipt;
  /** How much more aggressive than the best price of its own side a limit price is, from 1 %: `1.25%`. */
  readonly notBestPriceRate: string | undefined;
}

const WARN_FROM_PPM = 10_000;

export function readTicket(form: TicketForm, context: TicketContext): Reading {
  const issues: Issues = {};
  const prices = readPrices(form, context, issues);
  const amount = readAmount(form, context, prices, issues);
  const order = orderTerms(form, context, prices, amount);
  const cost = issues.trigger === undefined ? costOf(order, context) : undefined;
  const objection = issues.size ?? (cost && sizeIssue(form, context, amount, cost));
  if (objection !== undefined) issues.size = objection;
  const isMissing =
    (takesPrice(form) && prices.price === undefined) ||
    (takesTrigger(form) && prices.trigger === undefined) ||
    (takesLegPrice(form) && prices.legPrice === undefined) ||
    (orderKind(form) === 'trailing' && prices.callback === undefined) ||
    lacksProtection(form) ||
    (amount.size === undefined && amount.funds === undefined);
  return {
    issues,
    draft: isMissing || Object.keys(issues).length > 0 ? undefined : draftOf(form, context, prices, amount),
    receipt: receiptOf(form.side, context, cost),
    notBestPriceRate: notBestPriceRate(form, context, prices.price),
  };
}

const PPM_DECIMALS = 6;

const given = <Name extends string>(name: Name, value: string | undefined): Partial<Record<Name, string>> =>
  value === undefined ? {} : ({ [name]: value } as Record<Name, string>);

/** The box is ticked, and nothing stands in its fields. */
export const lacksProtection = (form: TicketForm): boolean =>
  form.protection === 'on' && isProtectable(form) && form.takeProfit === '' && form.stopLoss === '';

function draftOf(form: TicketForm, context: TicketContext, prices: Prices, amount: Amount): OrderDraft {
  const { market } = context;
  const priceText = (price: Ticks | undefined): string | undefined =>
    price === undefined ? undefined : printTicks(price, market.pricePrecision);
  return {
    symbol: market.symbol,
    side: form.side,
    kind: orderKind(form),
    timeInForce: orderTerms(form, context, prices, amount).timeInForce,
    price: priceText(prices.price),
    trigger: priceText(prices.trigger),
    ...given('legPrice', priceText(prices.legPrice)),
    ...given('callback', prices.callback === undefined ? undefined : printDecimal(BigInt(prices.callback), PPM_DECIMALS)),
    ...given('activation', priceText(prices.activation)),
    ...given('takeProfit', priceText(prices.takeProfit)),
    ...given('stopLoss', priceText(prices.stopLoss)),
    size: amount.size === undefined ? undefined : printLots(amount.size, market.sizePrecision),
    funds: amount.funds === undefined ? undefined : canonical(form.size),
    ...(isMost(form) && { max: true as const }),
  };
}

/** What is wrong with the size once prices are known: the book, the value, the money. */
function sizeIssue(form: TicketForm, context: TicketContext, amount: Amount, { value, spent, walk }: Cost): Issue | undefined {
  const { market, freeBase, freeQuote } = context;
  const { terms, quoteDecimals } = market;
  if (orderKind(form) === 'market' && walk !== undefined && walk.end !== 'complete') return { message: 'trade.issue.thinBook' };
  const worth = amount.funds ?? value;
  // What finds no match at once is worth nothing; the exchange measures an order by its own price.
  const least = worth > 0n ? terms.minNotional : NO_ATOMS;
  const wrong = valueIssue(worth, { ...terms, minNotional: least }, { decimals: quoteDecimals, coin: market.quoteName });
  if (wrong !== undefined) return wrong;
  // Of the most as much is taken as there is money for.
  if (isMost(form)) return undefined;
  if (form.side === 'buy' && freeQuote !== undefined && (amount.funds ?? spent) > freeQuote)
    return { message: 'trade.issue.tooMuch', values: { coin: market.quoteName } };
  if (form.side === 'sell' && freeBase !== undefined && amount.size !== undefined && baseAmount(amount.size, terms) > freeBase)
    return { message: 'trade.issue.tooMuch', values: { coin: market.baseName } };
  return undefined;
}

/** Against the best price of the order's own side: bid for buy, ask for sell. The rate is rounded down. */
export function notBestPriceRate(form: TicketForm, context: TicketContext, price: Ticks | undefined): string | undefined {
  const best = form.side === 'buy' ? context.bestBid : context.bestAsk;
  if (form.tab !== 'limit' || price === undefined || best === NO_TICKS) return undefined;
  const ahead = BigInt(form.side === 'buy' ? price - best : best - price);
  if (ahead * 1_000_000n < BigInt(best) * BigInt(WARN_FROM_PPM)) return undefined;
  const hundredths = divFloor(ahead * 10_000n, BigInt(best));
  const [whole = '0', fraction = ''] = printDecimal(hundredths, 2).split('.');
  return `${whole}.${fraction.padEnd(2, '0')}%`;
}
