/** A change of 24 hours: signed, in per cent, coloured by its direction. */
import { multiplyDecimals } from '../../../kit/format/decimal.ts';
import type { Formats } from '../../../kit/settings/use-format.ts';

/** @param ratio decimal text such as `-0.0184`. */
export function changeText(ratio: string | undefined, format: Formats): string {
  if (ratio === undefined) return format.number(undefined);
  return `${format.number(multiplyDecimals(ratio, '100'), { decimals: 2, sign: 'always' })}%`;
}

export function changeClass(ratio: string | undefined): string {
  if (ratio === undefined || !/[1-9]/.test(ratio)) return 'text-fg2';
  return ratio.startsWith('-') ? 'text-down' : 'text-up';
}
