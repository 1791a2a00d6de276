/** Rates of the wire in per cent, as they are shown. Pure. */
import { decimal, multiplyDecimals } from './decimal.ts';
import type { DecimalStyle } from './number-format.ts';

/** The rate of an hour without a premium, 0.00125 %, is shown as it is. */
const SHOWN_DECIMALS = 5;
/** A rate counts billionths: in per cent that is seven decimals. */
export const PERCENT_DECIMALS = 7;

/** Exact: `0.0000125` is `0.00125`. */
export const ratePercent = (rate: string): string => multiplyDecimals(rate, '100');

/** Decimals that show a rate in per cent apart from zero: 5, or 7 where it is below a ten-thousandth. */
const percentDecimals = (percent: string): number => {
  const size = decimal(percent).abs();
  return size.eq('0') || size.gte('0.0001') ? SHOWN_DECIMALS : PERCENT_DECIMALS;
};

/** How a rate in per cent is shown, wherever it is: rounded to the nearest, like a fee. */
export const rateStyle = (percent: string): Pick<Required<DecimalStyle>, 'decimals' | 'rounding'> => ({
  decimals: percentDecimals(percent),
  rounding: 'nearest',
});
