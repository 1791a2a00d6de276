/** What the market and the account are at this moment. */
import { atoms, parseDecimal } from '@orrery/units';
import type { Atoms, Ticks } from '@orrery/units';
import type { TradedMarket } from '../../../market/market.ts';
import type { Levels } from '../../shared/ticket/book-walk.ts';

export interface TicketContext {
  readonly market: TradedMarket;
  /** Free in the spot wallet; `undefined` while unknown or signed out. */
  readonly freeBase: Atoms | undefined;
  readonly freeQuote: Atoms | undefined;
  /** 0 when unknown. */
  readonly lastPrice: Ticks;
  /** From which the price band is measured, as far as this page can know it; 0 when unknown. */
  readonly reference: Ticks;
  /** 0 when the side is empty or not known yet. */
  readonly bestBid: Ticks;
  readonly bestAsk: Ticks;
  readonly bids: Levels;
  readonly asks: Levels;
}

/** Decimal text in atoms: what is finer than an atom is cut, as what is free can only be spent whole. */
export function cutToAtoms(text: string, decimals: number): Atoms {
  const [whole = '0', fraction = ''] = text.split('.');
  return atoms(parseDecimal(`${whole}.${fraction.slice(0, decimals)}0`, decimals) ?? 0n);
}
