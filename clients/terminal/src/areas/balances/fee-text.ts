/** A fee in the precision of its coin. One that is smaller than that is not shown as nothing. */
import { compareDecimals } from '../../kit/format/decimal.ts';
import type { Formats } from '../../kit/settings/use-format.ts';
import { coinDecimals } from './coin-decimals.ts';

const leastOf = (coin: string): string => `0.${'1'.padStart(coinDecimals(coin), '0')}`;

/** Whether an amount that is not 0 would be shown as 0 in the precision of its coin. */
export const isBelowPrecision = (amount: string, coin: string): boolean =>
  compareDecimals(amount, '0') !== 0 && compareDecimals(amount.replace(/^-/, ''), leastOf(coin)) < 0;

/** @param fee decimal text; below 0 it is a rebate, `undefined` is not known. */
export function feeText(fee: string | undefined, coin: string, format: Pick<Formats, 'number'>): string {
  if (fee === undefined || !isBelowPrecision(fee, coin)) return format.number(fee, { decimals: coinDecimals(coin) });
  return fee.startsWith('-') ? `> ${format.number(`-${leastOf(coin)}`)}` : `< ${format.number(leastOf(coin))}`;
}
