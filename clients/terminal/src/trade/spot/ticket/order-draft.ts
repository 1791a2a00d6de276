/** From the ticket's text to an order, or to what is wrong with it, and to what it would cost. Exact: ticks, lots and whole products of them. */
import { printDecimal } from '@orrery/units';
import { costOf, receiptOf } from './order-receipt.ts';
import type { Cost, Receipt } from './order-receipt.ts';
import { parseCut, valueDecimals } from './ticket-context.ts';
import type { TicketContext } from './ticket-context.ts';
import { readAmount, readPrices } from './ticket-fields.ts';
import type { Issues } from './ticket-fields.ts';
import { canonical, orderKind, takesPrice } from './ticket-form.ts';
import type { TicketForm } from './ticket-form.ts';

/** Ready for the wire: decimal text in canonical form. */
export interface OrderDraft {
  readonly symbol: string;
  readonly side: 'buy' | 'sell';
  readonly kind: 'limit' | 'market' | 'stopLimit' | 'stopMarket';
  readonly timeInForce: 'GTC' | 'IOC' | 'FOK' | 'GTX';
  readonly price: string | undefined;
  readonly trigger: string | undefined;
  /** One of size and funds is given. */
  readonly size: string | undefined;
  readonly funds: string | undefined;
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
  const { market } = context;
  const issues: Issues = {};
  const prices = readPrices(form, context, issues);
  const amount = readAmount(form, context, prices, issues);
  const cost = costOf(form, context, prices, amount);
  checkAffordable(form, context, cost, issues);
  const missing =
    (takesPrice(form) && prices.price === undefined) ||
    (form.tab === 'stop' && prices.trigger === undefined) ||
    (amount.size === undefined && amount.funds === undefined);
  const draft: OrderDraft | undefined =
    missing || Object.keys(issues).length > 0
      ? undefined
      : {
          symbol: market.symbol,
          side: form.side,
          kind: orderKind(form),
          timeInForce: timeInForce(form),
          price: prices.price === undefined ? undefined : printDecimal(BigInt(prices.price), market.pricePrecision),
          trigger: prices.trigger === undefined ? undefined : printDecimal(BigInt(prices.trigger), market.pricePrecision),
          size: amount.size === undefined ? undefined : printDecimal(BigInt(amount.size), market.sizePrecision),
          funds: amount.funds === undefined ? undefined : canonical(form.size),
        };
  return { issues, draft, receipt: receiptOf(form, context, cost), notBestPriceRate: notBestPriceRate(form, context, prices.price) };
}

function checkAffordable(form: TicketForm, context: TicketContext, cost: Cost, issues: Issues): void {
  const { market } = context;
  if (issues.size !== undefined || cost.value === undefined) return;
  const decimals = valueDecimals(market);
  if (cost.estimate !== undefined && !cost.estimate.isComplete) issues.size = { message: 'trade.issue.thinBook' };
  else if (cost.value < parseCut(market.minNotional, decimals))
    issues.size = { message: 'trade.issue.valueLow', values: { value: market.minNotional, coin: market.quoteName } };
  else if (cost.value > parseCut(market.maxNotional, decimals))
    issues.size = { message: 'trade.issue.valueHigh', values: { value: market.maxNotional, coin: market.quoteName } };
  else if (form.side === 'buy' && context.freeQuote !== undefined && cost.value > parseCut(context.freeQuote, decimals))
    issues.size = { message: 'trade.issue.tooMuch', values: { coin: market.quoteName } };
  else if (
    form.side === 'sell' &&
    context.freeBase !== undefined &&
    cost.size !== undefined &&
    BigInt(cost.size) > parseCut(context.freeBase, market.sizePrecision)
  )
    issues.size = { message: 'trade.issue.tooMuch', values: { coin: market.baseName } };
}

/** Against the best price of the order's own side: bid for buy, ask for sell. */
export function notBestPriceRate(form: TicketForm, context: TicketContext, price: number | undefined): string | undefined {
  const best = (form.side === 'buy' ? context.bids[0] : context.asks[0]) ?? 0;
  if (form.tab !== 'limit' || price === undefined || best === 0) return undefined;
  const ahead = BigInt(form.side === 'buy' ? price - best : best - price);
  if (ahead * 1_000_000n < BigInt(best) * BigInt(WARN_FROM_PPM)) return undefined;
  const hundredths = (ahead * 10_000n) / BigInt(best);
  const [whole = '0', fraction = ''] = printDecimal(hundredths, 2).split('.');
  return `${whole}.${fraction.padEnd(2, '0')}%`;
}

function timeInForce(form: TicketForm): OrderDraft['timeInForce'] {
  const kind = orderKind(form);
  if (kind === 'market' || kind === 'stopMarket') return 'IOC';
  return form.postOnly === 'on' && kind === 'limit' ? 'GTX' : form.timeInForce;
}
