/** Money in a currency people know: small values get more decimals, so that they do not read as nothing. */
import { decimal } from './decimal.ts';
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
}

export function formatFiat(text: string | undefined, { format, currency }: FiatStyle): string {
  if (text === undefined) return UNKNOWN;
  const shown = formatDecimal(text, { format, decimals: fiatPrecision(text) });
  const isNegative = shown.startsWith('\u2212');
  return isNegative ? `\u2212${symbols[currency]}${shown.slice(1)}` : symbols[currency] + shown;
}
