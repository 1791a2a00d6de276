/**
 * What is paid or received, in the precision of its coin, rounded to the nearest: one function for tickets, confirmations, histories and toasts, so that
 * a fee is the same everywhere. What is smaller than that is not shown as nothing.
 */
import { compareDecimals } from '../../kit/format/decimal.ts';
import type { DecimalStyle } from '../../kit/format/number-format.ts';
import type { Formats } from '../../kit/settings/use-format.ts';
import { coinDecimals } from './coin-decimals.ts';

const leastOf = (coin: string): string => `0.${'1'.padStart(coinDecimals(coin), '0')}`;

/** Whether an amount that is not 0 would be shown as 0 in the precision of its coin. */
export const isBelowPrecision = (amount: string, coin: string): boolean =>
  compareDecimals(amount, '0') !== 0 && compareDecimals(amount.replace(/^-/, ''), leastOf(coin)) < 0;

/** @param fee decimal text; below 0 it is a rebate, `undefined` is not known. @param sign 'always' writes + before what is received */
export function feeText(
  fee: string | undefined,
  coin: string,
  { number, sign = 'negative' }: Pick<Formats, 'number'> & Pick<DecimalStyle, 'sign'>,
): string {
  if (fee === undefined || !isBelowPrecision(fee, coin)) return number(fee, { decimals: coinDecimals(coin), rounding: 'nearest', sign });
  return fee.startsWith('-') ? `> ${number(`-${leastOf(coin)}`)}` : `< ${number(leastOf(coin))}`;
}
