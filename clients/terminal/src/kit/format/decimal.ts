/** Exact arithmetic on decimal text, for what the terminal shows. Orders themselves are computed in ticks, lots and atoms. */
import { Big } from 'big.js';

const exact = Big();
// Strict: a number is refused, so that no float can slip in.
exact.strict = true;

export type Decimal = Big;

export const decimal = (text: string): Decimal => new exact(text);

export const addDecimals = (left: string, right: string): string => decimal(left).plus(right).toFixed();
export const subtractDecimals = (left: string, right: string): string => decimal(left).minus(right).toFixed();
export const multiplyDecimals = (left: string, right: string): string => decimal(left).times(right).toFixed();

export interface Quotient {
  readonly dividend: string;
  readonly divisor: string;
  /** Decimals of the result, rounded down. */
  readonly decimals: number;
}

/** @throws when the divisor is zero: a ratio to nothing is not a number to show. */
export function divideDecimals({ dividend, divisor, decimals }: Quotient): string {
  const precise = Big();
  precise.strict = true;
  precise.DP = decimals;
  precise.RM = Big.roundDown;
  return new precise(dividend).div(divisor).toFixed();
}

export const compareDecimals = (left: string, right: string): -1 | 0 | 1 => decimal(left).cmp(right);

export const sumDecimals = (texts: readonly string[]): string => texts.reduce((total, text) => total.plus(text), decimal('0')).toFixed();
