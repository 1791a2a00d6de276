/** From the ticket's text to an order, or to what is wrong with it, and to what it would cost. Exact: ticks, lots and whole products of them. */
import { divCeil, parseDecimal, printDecimal } from '@orrery/units';
import type { TradedMarket } from '../../feed/market.ts';
import type { MessageId } from '../../i18n/catalog.ts';
import type { TextValues } from '../../i18n/text.tsx';
import { estimateFunds, estimateSize } from './fill-estimate.ts';
import type { FillEstimate, Levels } from './fill-estimate.ts';
import { canonical, orderKind, takesPrice } from './ticket-form.ts';
import type { TicketField, TicketForm } from './ticket-form.ts';

/** What the market and the account are at this moment. */
export interface TicketContext {
  readonly market: TradedMarket;
  /** Free in the spot wallet, decimal text; `undefined` while unknown or signed out. */
  readonly freeBase: string | undefined;
  readonly freeQuote: string | undefined;
  /** In ticks; 0 when unknown. */
  readonly lastPrice: number;
  readonly bids: Levels;
  readonly asks: Levels;
}

export interface Issue {
  readonly message: MessageId;
  readonly values?: TextValues;
}
export type Issues = Partial<Record<TicketField, Issue>>;

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

/** What the order does to the account, where it can be known before. */
export interface Receipt {
  /** Quote asset. */
  readonly value: string | undefined;
  /** In `feeAsset`, at most: makers pay less. */
  readonly fee: string | undefined;
  readonly feeAsset: string;
  readonly feePpm: number;
  /** Of the asset that is spent. */
  readonly freeBefore: string | undefined;
  readonly freeAfter: string | undefined;
  readonly freeAsset: string;
  /** Base asset: what a market order given by funds would buy. */
  readonly size: string | undefined;
  /** Market orders: average and worst price, decimal text. */
  readonly average: string | undefined;
  readonly worst: string | undefined;
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

interface Prices {
  readonly price: number | undefined;
  readonly trigger: number | undefined;
}

interface Amount {
  /** In lots. */
  readonly size: number | undefined;
  /** In ticks times lots: the quote asset at `pricePrecision + sizePrecision` decimals. */
  readonly funds: bigint | undefined;
}

const valueDecimals = (market: TradedMarket): number => market.pricePrecision + market.sizePrecision;
const valueText = (market: TradedMarket, value: bigint): string => printDecimal(value, valueDecimals(market));

/** Decimal text at more or fewer decimals than it has: what is beyond is cut, as what is free can only be spent whole. */
export function parseCut(text: string, decimals: number): bigint {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'));
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

function readPrices(form: TicketForm, context: TicketContext, issues: Issues): Prices {
  const price = takesPrice(form) ? readPrice(form.price, 'price', context.market, issues) : undefined;
  const trigger = form.tab === 'stop' ? readPrice(form.trigger, 'trigger', context.market, issues) : undefined;
  if (trigger !== undefined && context.lastPrice > 0) {
    if (form.side === 'buy' && trigger <= context.lastPrice) issues.trigger = { message: 'trade.issue.triggerBelow' };
    if (form.side === 'sell' && trigger >= context.lastPrice) issues.trigger = { message: 'trade.issue.triggerAbove' };
  }
  return { price, trigger };
}

/** The price at which a size in the quote asset is turned into lots. */
function sizingPrice(form: TicketForm, context: TicketContext, prices: Prices): number {
  if (takesPrice(form)) return prices.price ?? 0;
  if (form.tab === 'stop') return prices.trigger ?? 0;
  return (form.side === 'buy' ? context.asks[0] : context.bids[0]) ?? context.lastPrice;
}

function readAmount(form: TicketForm, context: TicketContext, prices: Prices, issues: Issues): Amount {
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

interface Cost {
  /** Ticks times lots. */
  readonly value: bigint | undefined;
  readonly size: number | undefined;
  readonly estimate: FillEstimate | undefined;
}

function costOf(form: TicketForm, context: TicketContext, prices: Prices, amount: Amount): Cost {
  if (orderKind(form) === 'market') {
    const levels = form.side === 'buy' ? context.asks : context.bids;
    const estimate =
      amount.funds !== undefined
        ? estimateFunds(levels, amount.funds)
        : amount.size !== undefined
          ? estimateSize(levels, amount.size)
          : undefined;
    return { value: amount.funds ?? estimate?.cost, size: amount.size ?? estimate?.filled, estimate };
  }
  const price = sizingPrice(form, context, prices);
  const value = amount.size === undefined || price === 0 ? undefined : BigInt(price) * BigInt(amount.size);
  return { value, size: amount.size, estimate: undefined };
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

/** Charged in what is received, rounded up, as the exchange does. */
function feeText(form: TicketForm, market: TradedMarket, cost: Cost, feePpm: number): string | undefined {
  if (cost.value === undefined || cost.size === undefined) return undefined;
  const million = 1_000_000n;
  if (form.side === 'buy') {
    const received = parseCut(printDecimal(BigInt(cost.size), market.sizePrecision), market.baseDecimals);
    return printDecimal(divCeil(received * BigInt(feePpm), million), market.baseDecimals);
  }
  const received = parseCut(valueText(market, cost.value), market.quoteDecimals);
  return printDecimal(divCeil(received * BigInt(feePpm), million), market.quoteDecimals);
}

function receiptOf(form: TicketForm, context: TicketContext, cost: Cost): Receipt {
  const { market } = context;
  const feePpm = form.tab === 'limit' && form.postOnly === 'on' ? market.makerFeePpm : market.takerFeePpm;
  const isBuy = form.side === 'buy';
  const freeBefore = isBuy ? context.freeQuote : context.freeBase;
  const decimals = isBuy ? valueDecimals(market) : market.sizePrecision;
  const spent = isBuy ? cost.value : cost.size === undefined ? undefined : BigInt(cost.size);
  const left = freeBefore === undefined || spent === undefined ? undefined : parseCut(freeBefore, decimals) - spent;
  const { estimate } = cost;
  const filled = estimate === undefined || estimate.filled === 0 ? undefined : estimate;
  return {
    value: cost.value === undefined ? undefined : valueText(market, cost.value),
    fee: feeText(form, market, cost, feePpm),
    feeAsset: isBuy ? market.baseName : market.quoteName,
    feePpm,
    freeBefore,
    freeAfter: left === undefined || left < 0n ? undefined : printDecimal(left, decimals),
    freeAsset: isBuy ? market.quoteName : market.baseName,
    size: cost.size === undefined ? undefined : printDecimal(BigInt(cost.size), market.sizePrecision),
    average: filled && printDecimal(filled.cost / BigInt(filled.filled), market.pricePrecision),
    worst: filled && printDecimal(BigInt(filled.worst), market.pricePrecision),
  };
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
