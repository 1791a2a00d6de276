/** What is computed of NAVs: returns, falls, and the Sharpe ratio. */
import { printDecimal } from '@orrery/units';

const DAYS_OF_YEAR = 365;
/** Daily returns below which a deviation says nothing. */
const RETURNS_MIN = 7;

/** The change from one NAV to another in percent, rounded towards zero to two decimals. */
export const changePercent = (from: bigint, to: bigint): string => percentOf(((to - from) * 10_000n) / from);

/** Of a number of hundredths of a percent. */
export function percentOf(hundredths: bigint): string {
  const sign = hundredths < 0n ? '-' : '';
  return `${sign}${printDecimal(hundredths < 0n ? -hundredths : hundredths, 2)}`;
}

/** How far a NAV is below the highest one before it, in percent, rounded down. */
export const fallPercent = (nav: bigint, peak: bigint): string => percentOf(((peak - nav) * 10_000n) / peak);

/**
 * The mean of daily returns by their standard deviation, for a year; undefined where the returns are too few, or all the same.
 * @param closes the NAV at the end of each day, oldest first
 */
export function sharpeOf(closes: readonly number[]): number | undefined {
  const returns = closes.slice(1).map((close, index) => close / (closes[index] ?? close) - 1);
  if (returns.length < RETURNS_MIN) return undefined;
  const mean = returns.reduce((sum, one) => sum + one, 0) / returns.length;
  const variance = returns.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (returns.length - 1);
  return variance === 0 ? undefined : (mean / Math.sqrt(variance)) * Math.sqrt(DAYS_OF_YEAR);
}
