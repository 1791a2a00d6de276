/** What settled funding rates say: in per cent, per year, on average and in sum. Rates are ratios of the wire. Pure. */
import type { DecimalStyle } from '../../../kit/format/number-format.ts';
import { compareDecimals, decimal, divideDecimals, multiplyDecimals, sumDecimals } from '../../../kit/format/decimal.ts';

export interface SettledRate {
  /** When its interval ended, unix milliseconds. */
  readonly createdTime: number;
  readonly fundingRate: string;
}

export interface FundingFigures {
  /** In per cent of the notional, for one interval. */
  readonly average: string;
  /** `average` as if it held for a year. */
  readonly yearly: string;
  /** What a long position paid in sum, in per cent; below zero it received. */
  readonly sum: string;
  readonly positive: number;
  readonly negative: number;
}

const HOURS_OF_YEAR = String(24 * 365);
/** A rate counts billionths: in per cent that is seven decimals. */
const PERCENT_DECIMALS = 7;

/** Exact: `0.0000125` is `0.00125`. */
export const ratePercent = (rate: string): string => multiplyDecimals(rate, '100');

/** @param hours between two settlements */
export const yearlyPercent = (percent: string, hours: number): string =>
  divideDecimals({ dividend: multiplyDecimals(percent, HOURS_OF_YEAR), divisor: String(hours), decimals: PERCENT_DECIMALS });

/** `undefined` without rates. */
export function fundingFigures(rates: readonly SettledRate[], hours: number): FundingFigures | undefined {
  if (rates.length === 0) return undefined;
  const percents = rates.map(({ fundingRate }) => ratePercent(fundingRate));
  const sum = sumDecimals(percents);
  const average = divideDecimals({ dividend: sum, divisor: String(rates.length), decimals: PERCENT_DECIMALS });
  return {
    average,
    yearly: yearlyPercent(average, hours),
    sum,
    positive: percents.filter((percent) => compareDecimals(percent, '0') > 0).length,
    negative: percents.filter((percent) => compareDecimals(percent, '0') < 0).length,
  };
}

/** The rate of an hour without a premium, 0.00125 %, is shown as it is. */
const SHOWN_DECIMALS = 5;

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
