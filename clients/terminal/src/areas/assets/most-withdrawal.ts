/** The most of a coin that may leave now: what is available, and what the quota of the day leaves at its present worth. Decimal text, rounded down. */
import { compareDecimals, divideDecimals, multiplyDecimals } from '../../kit/format/decimal.ts';

interface Leaving {
  readonly available: string;
  /** What is available is worth in the coin of the quota; `undefined` where that is not known. */
  readonly worth: string | undefined;
  /** What the quota leaves; null or `undefined` where there is none, or it is not known. */
  readonly left: string | null | undefined;
  readonly coin: string;
  readonly decimals: number;
}

const QUOTA_COIN = 'USDC';
/** Prices move until the withdrawal is there: 0.2 % stays. */
const KEPT = '0.998';

export function mostWithdrawal({ available, worth, left, coin, decimals }: Leaving): string {
  if (left == null || worth === undefined || compareDecimals(worth, '0') <= 0) return available;
  const counted = coin === QUOTA_COIN ? left : multiplyDecimals(left, KEPT);
  if (compareDecimals(worth, counted) <= 0) return available;
  return divideDecimals({ dividend: multiplyDecimals(available, counted), divisor: worth, decimals });
}
