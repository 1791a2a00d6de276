/**
 * Reads a number that a person typed or pasted. The chosen format decides what a comma and a point mean; text that is not
 * written in it, and pasted text that another format reads as another number, is offered to the person before it counts.
 */
import { numberFormats, separatorsOf } from './number-format.ts';
import type { NumberFormat } from './number-format.ts';

/** Values are decimal text without a sign, in the shortest form: `1500`, `0.5`. */
export type NumberReading =
  | { readonly kind: 'empty' }
  | { readonly kind: 'number'; readonly value: string }
  /** One or two numbers that the text may mean; that of the chosen format is the first. */
  | { readonly kind: 'unsure'; readonly values: readonly string[] }
  | { readonly kind: 'refused' };

export interface NumberSource {
  readonly format: NumberFormat;
  /** What a person types is in the chosen format; what is pasted may come from anywhere. */
  readonly entered: 'typed' | 'pasted';
}

const MAX_WHOLE_DIGITS = 15;
const MAX_DECIMALS = 18;

/** Spaces and apostrophes group digits in some countries and are a decimal mark in none. A tab stands between two numbers. */
const NEUTRAL_GROUP = /[ \u00a0\u2009\u202f\u2019]/g;
const GROUP = "'";

/** As an input method for Chinese or Japanese writes digits, comma and point: each is as far from ours. */
const FULL_WIDTH = /[\uff0c\uff0e\uff10-\uff19]/g;
const FULL_WIDTH_OFFSET = 0xfee0;

/** Digits, comma and point as keyboards of Europe write them. */
export const halfWidth = (text: string): string =>
  text.replace(FULL_WIDTH, (mark) => String.fromCharCode(mark.charCodeAt(0) - FULL_WIDTH_OFFSET));

/** Without zeros in front of it or behind its decimals: `007.50` is `7.5`. */
export function shortestDecimal(text: string): string {
  if (text === '') return '';
  const [whole = '', fraction = ''] = text.split('.');
  const digits = whole.replace(/^0+(?=\d)/, '') || '0';
  const decimals = fraction.replace(/0+$/, '');
  return decimals === '' ? digits : `${digits}.${decimals}`;
}

/** The text of a number field: the decimal mark of the format, and no groups, which would move under the cursor. */
export const fieldText = (value: string, format: NumberFormat): string => value.replace('.', separatorsOf(format).decimal);

function wholeDigits(text: string, group: string): string | undefined {
  if (/^\d*$/.test(text)) return text;
  const marks = group === '' ? [GROUP] : [GROUP, group];
  const mark = marks.find((candidate) => text.includes(candidate)) ?? '';
  const [first = '', ...rest] = text.split(mark);
  const isGrouped = /^[1-9]\d{0,2}$/.test(first) && rest.every((part) => /^\d{3}$/.test(part));
  return isGrouped ? first + rest.join('') : undefined;
}

/** The number that a text is in this format, or `undefined` when it is none. */
function readIn(text: string, format: NumberFormat): string | undefined {
  const { group, decimal } = separatorsOf(format);
  const [whole = '', fraction = '', ...more] = text.split(decimal);
  const digits = wholeDigits(whole, group.trim());
  if (digits === undefined || more.length > 0 || !/^\d*$/.test(fraction)) return undefined;
  if (digits.length > MAX_WHOLE_DIGITS || fraction.length > MAX_DECIMALS) return undefined;
  return shortestDecimal(`${digits}.${fraction}`);
}

export function readNumber(text: string, { format, entered }: NumberSource): NumberReading {
  const plain = halfWidth(text).trim().replace(NEUTRAL_GROUP, GROUP);
  if (plain === '') return { kind: 'empty' };
  const own = readIn(plain, format);
  const others = numberFormats.map((other) => readIn(plain, other)).filter((value) => value !== undefined && value !== own);
  if (own !== undefined && (entered === 'typed' || others.length === 0)) return { kind: 'number', value: own };
  const values = [...new Set([own, ...others].filter((value) => value !== undefined))];
  return values.length === 0 ? { kind: 'refused' } : { kind: 'unsure', values };
}
