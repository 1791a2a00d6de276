/** What an order does to the account, where it can be known before it is sent. */
import { divCeil, printDecimal } from '@orrery/units';
import type { TradedMarket } from '../../../feed/market.ts';
import { estimateFunds, estimateSize } from './fill-estimate.ts';
import type { FillEstimate } from './fill-estimate.ts';
import { parseCut, valueDecimals, valueText } from './ticket-context.ts';
import type { TicketContext } from './ticket-context.ts';
import { sizingPrice } from './ticket-fields.ts';
import type { Amount, Prices } from './ticket-fields.ts';
import { orderKind } from './ticket-form.ts';
import type { TicketForm } from './ticket-form.ts';

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

export interface Cost {
  /** Ticks times lots. */
  readonly value: bigint | undefined;
  readonly size: number | undefined;
  readonly estimate: FillEstimate | undefined;
}

export function costOf(form: TicketForm, context: TicketContext, prices: Prices, amount: Amount): Cost {
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

export function receiptOf(form: TicketForm, context: TicketContext, cost: Cost): Receipt {
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
