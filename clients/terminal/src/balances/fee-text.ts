/** A fee in the precision of its coin. One that is smaller than that is not shown as nothing. */
import { compareDecimals } from '../format/decimal.ts';
import type { Formats } from '../settings/use-format.ts';
import { coinDecimals } from './coin-decimals.ts';

/** @param fee decimal text; below 0 it is a rebate, `undefined` is not known. */
export function feeText(fee: string | undefined, coin: string, format: Pick<Formats, 'number'>): string {
  const decimals = coinDecimals(coin);
  if (fee === undefined || compareDecimals(fee, '0') === 0) return format.number(fee, { decimals });
  const least = `0.${'1'.padStart(decimals, '0')}`;
  const isRebate = fee.startsWith('-');
  if (compareDecimals(isRebate ? fee.slice(1) : fee, least) >= 0) return format.number(fee, { decimals });
  return isRebate ? `> ${format.number(`-${least}`)}` : `< ${format.number(least)}`;
}
