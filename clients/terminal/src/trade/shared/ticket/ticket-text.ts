/** Numbers of a ticket as text, and what is wrong with one. */
import { printDecimal } from '@orrery/units';
import type { MessageId } from '../../../kit/i18n/catalog.ts';
import type { TextValues } from '../../../kit/i18n/text.tsx';

export interface Issue {
  readonly message: MessageId;
  readonly values?: TextValues;
}

/** What the field holds once it is complete: no leading zeros, no lone point. */
export function canonical(text: string): string {
  const [whole = '', fraction = ''] = text.split('.');
  const digits = whole.replace(/^0+(?=\d)/, '') || '0';
  const decimals = fraction.replace(/0+$/, '');
  return decimals === '' ? digits : `${digits}.${decimals}`;
}

/** Parts per million as per cent: 1000 is `0.1%`. */
export const percentOf = (ppm: number): string => `${printDecimal(BigInt(ppm), 4)}%`;
