/** Money in a currency people know: small values get more decimals, so that they do not read as nothing. */
import { decimal, multiplyDecimals } from './decimal.ts';
import { formatDecimal, UNKNOWN } from './number-format.ts';
import type { NumberFormat } from './number-format.ts';

export const currencies = ['usd', 'cny'] as const;
export type Currency = (typeof currencies)[number];

const symbols: Readonly<Record<Currency, string>> = { usd: '$', cny: '¥' };

/** 2 decimals from 0.01, 4 from 1e-4, 6 from 1e-6, 8 below. Zero has 2. */
export function fiatPrecision(text: string): 2 | 4 | 6 | 8 {
  const size = decimal(text).abs();
  if (size.eq('0') || size.gte('0.01')) return 2;
  if (size.gte('0.0001')) return 4;
  if (size.gte('0.000001')) return 6;
  return 8;
}

export interface FiatStyle {
  readonly format: NumberFormat;
  readonly currency: Currency;
  /** What a US dollar costs in the currency, decimal text; `undefined` while it is not known. */
  readonly perUsd: string | undefined;
}

/** @param text an amount in US dollars. Without a rate there is no amount in another currency. */
export function formatFiat(text: string | undefined, { format, currency, perUsd }: FiatStyle): string {
  if (text === undefined || perUsd === undefined) return UNKNOWN;
  const amount = multiplyDecimals(text, perUsd);
  const shown = formatDecimal(amount, { format, decimals: fiatPrecision(amount) });
  const isNegative = shown.startsWith('\u2212');
  return isNegative ? `\u2212${symbols[currency]}${shown.slice(1)}` : symbols[currency] + shown;
}
