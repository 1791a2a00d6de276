/** What an order of OTC trading costs, to the cent, as the exchange computes it: rounded against the one who takes the advertisement. */
import { divCeil, divFloor, parseDecimal, printDecimal } from '@orrery/units';

export const FIAT_DECIMALS = 2;
export const PRICE_DECIMALS = 4;
/** Cents of one atom at one unit of price are this many decimals too many. */
const SURPLUS = 10n ** BigInt(PRICE_DECIMALS - FIAT_DECIMALS);

/** Of the one who takes it. */
export type TakerSide = 'BUY' | 'SELL';

/** Who takes an advertisement stands on its other side. */
export const takerSideOf = ({ side }: { readonly side: TakerSide }): TakerSide => (side === 'SELL' ? 'BUY' : 'SELL');

/** Decimal text; `undefined` while there is none. */
export interface Figures {
  readonly total: string | undefined;
  readonly amount: string | undefined;
}

interface Terms {
  readonly price: string;
  readonly side: TakerSide;
  /** Of the coin. */
  readonly decimals: number;
}

/** @returns decimal text of the currency; `undefined` where one of the two is no number. */
export function totalOf(amount: string, { price, side, decimals }: Terms): string | undefined {
  const [atoms, unit] = [parseDecimal(amount, decimals), parseDecimal(price, PRICE_DECIMALS)];
  if (atoms === undefined || unit === undefined) return undefined;
  const divide = side === 'BUY' ? divCeil : divFloor;
  return printDecimal(divide(atoms * unit, 10n ** BigInt(decimals) * SURPLUS), FIAT_DECIMALS);
}

/** @returns decimal text of the coin; `undefined` where one of the two is no number, or the price is zero. */
export function amountOf(total: string, { price, side, decimals }: Terms): string | undefined {
  const [cents, unit] = [parseDecimal(total, FIAT_DECIMALS), parseDecimal(price, PRICE_DECIMALS)];
  if (cents === undefined || unit === undefined || unit === 0n) return undefined;
  const divide = side === 'BUY' ? divFloor : divCeil;
  return printDecimal(divide(cents * 10n ** BigInt(decimals) * SURPLUS, unit), decimals);
}
