/**
 * Decimal text and integers. Text from outside is parsed or refused, never rounded: no exponent, no sign, no more decimals
 * than the unit has, no zero before another digit of the whole part: `01` is octal to some programs. Zeros after the decimals change nothing.
 */
import { assert } from './assert.ts';
import type { Atoms, Lots, Ticks } from './amounts.ts';

/** The most digits of a decimal text that is read, zeros among them. */
export const DECIMAL_DIGITS_MAX = 38;

const DECIMAL = /^(0|[1-9][0-9]*)(?:\.([0-9]+))?$/;

/**
 * Reads `text` as a whole number of 10^-decimals.
 * @returns `undefined` when the text is not a plain decimal from 0, or is not a whole number of them.
 */
export function parseDecimal(text: string, decimals: number): bigint | undefined {
  // One more character than digits: the point.
  if (text.length > DECIMAL_DIGITS_MAX + 1) return undefined;
  const match = DECIMAL.exec(text);
  if (match === null) return undefined;
  const [, whole = '', fraction = ''] = match;
  if (whole.length + fraction.length > DECIMAL_DIGITS_MAX) return undefined;
  const significant = fraction.replace(/0+$/, '');
  if (significant.length > decimals) return undefined;
  return BigInt(whole + significant.padEnd(decimals, '0'));
}

/** Prints a whole number of 10^-decimals in its canonical form: no exponent, no trailing zeros. */
export function printDecimal(value: bigint, decimals: number): string {
  assert(Number.isInteger(decimals) && decimals >= 0, `decimals must be a whole number from 0: ${decimals}`);
  const sign = value < 0n ? '-' : '';
  const digits = (value < 0n ? -value : value).toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return fraction === '' ? sign + whole : `${sign}${whole}.${fraction}`;
}

export function parseAtoms(text: string, decimals: number): Atoms | undefined {
  return parseDecimal(text, decimals) as Atoms | undefined;
}

export function printAtoms(value: Atoms, decimals: number): string {
  return printDecimal(value, decimals);
}

const ZERO = 0x30;
const NINE = 0x39;
const POINT = 0x2e;

/** What `parseDecimal` reads, where it is at most 2^53 - 1: one walk over the characters, because every order has two of them. */
function parseWhole(text: string, precision: number): number | undefined {
  if (text.length > DECIMAL_DIGITS_MAX + 1) return undefined;
  let value = 0;
  let digits = 0;
  /** Digits before the point; -1 until it is reached. */
  let whole = -1;
  /** Decimals that are in `value`. */
  let decimals = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === POINT && whole === -1 && digits > 0) {
      whole = digits;
      continue;
    }
    if (code < ZERO || code > NINE) return undefined;
    if (digits === 1 && whole === -1 && value === 0) return undefined;
    digits += 1;
    if (decimals === precision && whole !== -1) {
      // Past the last decimal of the unit a zero changes nothing, and any other digit is off its grid.
      if (code !== ZERO) return undefined;
      continue;
    }
    value = value * 10 + (code - ZERO);
    if (whole !== -1) decimals += 1;
  }
  if (digits === 0 || digits === whole || digits > DECIMAL_DIGITS_MAX) return undefined;
  const units = value * 10 ** (precision - decimals);
  // Beyond 2^53 - 1 the product may have been rounded, but never to a number below that.
  return units <= Number.MAX_SAFE_INTEGER ? units : undefined;
}

/** @param pricePrecision decimals of one tick: a tick is 10^-pricePrecision of the quote asset. */
export function parseTicks(text: string, pricePrecision: number): Ticks | undefined {
  return parseWhole(text, pricePrecision) as Ticks | undefined;
}

/** @param sizePrecision decimals of one lot: a lot is 10^-sizePrecision of the base asset. */
export function parseLots(text: string, sizePrecision: number): Lots | undefined {
  return parseWhole(text, sizePrecision) as Lots | undefined;
}

export function printTicks(value: Ticks, pricePrecision: number): string {
  return printDecimal(BigInt(value), pricePrecision);
}

export function printLots(value: Lots, sizePrecision: number): string {
  return printDecimal(BigInt(value), sizePrecision);
}
