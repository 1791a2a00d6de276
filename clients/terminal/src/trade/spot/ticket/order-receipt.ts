/** What an order does to the account, in words of decimals, where it can be known before it is sent. */
import { divCeil, divFloor, printAtoms, printLots, printTicks, subtractAtoms, ticks } from '@orrery/units';
import type { TradedMarket } from '../../../market/market.ts';
import type { BookWalk } from '../../shared/ticket/book-walk.ts';
import type { Cost } from './order-cost.ts';
import type { TicketContext } from './ticket-context.ts';

export interface Receipt {
  /** Quote asset: what trades at once at the prices of the book, what rests at its own. */
  readonly value: string | undefined;
  /** In `feeAsset`. */
  readonly fee: string | undefined;
  readonly feeAsset: string;
  /** Of the asset that is spent: what is paid at once and what is held for the rest. */
  readonly spent: string | undefined;
  readonly freeBefore: string | undefined;
  readonly freeAfter: string | undefined;
  readonly freeAsset: string;
  /** Base asset. */
  readonly size: string | undefined;
  /** Of what trades at once: average and worst price, decimal text. */
  readonly average: string | undefined;
  readonly worst: string | undefined;
}

export function receiptOf(side: 'buy' | 'sell', context: TicketContext, cost: Cost | undefined): Receipt {
  const { market } = context;
  const { baseDecimals, quoteDecimals } = market;
  const isBuy = side === 'buy';
  const spentDecimals = isBuy ? quoteDecimals : baseDecimals;
  const free = isBuy ? context.freeQuote : context.freeBase;
  const left = free === undefined || cost === undefined ? undefined : subtractAtoms(free, cost.spent);
  return {
    value: cost && printAtoms(cost.value, quoteDecimals),
    fee: cost && printAtoms(cost.fee, isBuy ? baseDecimals : quoteDecimals),
    feeAsset: isBuy ? market.baseName : market.quoteName,
    spent: cost && printAtoms(cost.spent, spentDecimals),
    freeBefore: free === undefined ? undefined : printAtoms(free, spentDecimals),
    freeAfter: left === undefined || left < 0n ? undefined : printAtoms(left, spentDecimals),
    freeAsset: isBuy ? market.quoteName : market.baseName,
    size: cost && printLots(cost.size, market.sizePrecision),
    ...pricesOf(cost?.walk, side, market),
  };
}

/** The average in ticks, rounded against the person: up for a buy, down for a sell. */
function pricesOf(walk: BookWalk | undefined, side: 'buy' | 'sell', market: TradedMarket): Pick<Receipt, 'average' | 'worst'> {
  if (walk === undefined || walk.filled === 0) return { average: undefined, worst: undefined };
  const { terms, pricePrecision } = market;
  const perTick = BigInt(walk.filled) * terms.tickLotAtoms;
  const average = side === 'buy' ? divCeil(walk.traded, perTick) : divFloor(walk.traded, perTick);
  return { average: printTicks(ticks(Number(average)), pricePrecision), worst: printTicks(walk.worst, pricePrecision) };
}
