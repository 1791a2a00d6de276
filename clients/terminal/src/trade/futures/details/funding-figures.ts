/** What settled funding rates say: in per cent, per year, on average and in sum. Rates are ratios of the wire. Pure. */
import { compareDecimals, divideDecimals, multiplyDecimals, sumDecimals } from '../../../kit/format/decimal.ts';
import { PERCENT_DECIMALS, ratePercent } from '../../../kit/format/rate.ts';

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
