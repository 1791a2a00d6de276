/** What an account is made of: the share of each coin in its value. */
import type { Balance } from '@orrery/api';
import { compareDecimals, divideDecimals, multiplyDecimals, sumDecimals } from '../../kit/format/decimal.ts';

export interface Part {
  /** `undefined` for the small ones together. */
  readonly coin: string | undefined;
  /** Decimal text in USDC. */
  readonly value: string;
  /** Of the whole, in percent with one decimal, rounded down. */
  readonly percent: string;
}

const SHOWN = 5;

/** The most valuable first; the sixth and further ones are one part. Coins without a price, and without a balance, are left out. */
export function allocation(rows: readonly Balance[]): readonly Part[] {
  const valued = rows.filter((row) => row.estimatedTotalAmount !== null && compareDecimals(row.estimatedTotalAmount, '0') > 0);
  const total = sumDecimals(valued.map((row) => row.estimatedTotalAmount ?? '0'));
  if (compareDecimals(total, '0') === 0) return [];
  const coins = [...new Set(valued.map(({ coin }) => coin))];
  const sums = coins
    .map((coin) => ({ coin, value: sumDecimals(valued.filter((row) => row.coin === coin).map((row) => row.estimatedTotalAmount ?? '0')) }))
    .toSorted((left, right) => compareDecimals(right.value, left.value));
  const part = (coin: string | undefined, value: string): Part => ({
    coin,
    value,
    percent: divideDecimals({ dividend: multiplyDecimals(value, '100'), divisor: total, decimals: 1 }),
  });
  const rest = sums.slice(SHOWN);
  return [
    ...sums.slice(0, SHOWN).map(({ coin, value }) => part(coin, value)),
    ...(rest.length === 0 ? [] : [part(undefined, sumDecimals(rest.map(({ value }) => value)))]),
  ];
}
