/**
 * Decimal text and integers. Text from outside is parsed or refused, never rounded:
 * no exponent, no sign but a leading minus where signs are allowed, no more decimals than the unit has.
 */
import { assert } from './assert.ts';
import type { Atoms, Lots, Ticks } from './amounts.ts';

/** The longest decimal text that is read, in characters. */
export const DECIMAL_LENGTH_MAX = 40;

const DECIMAL = /^(0|[1-9][0-9]*)(?:\.([0-9]+))?$/;

/**
 * Reads `text` as a whole number of 10^-decimals.
 * @returns `undefined` when the text is not a plain decimal from 0, or has more than `decimals` decimals.
 */
export function parseDecimal(text: string, decimals: number): bigint | undefined {
  if (text.length > DECIMAL_LENGTH_MAX) return undefined;
  const match = DECIMAL.exec(text);
  if (match === null) return undefined;
  const fraction = match[2] ?? '';
  if (fraction.length > decimals) return undefined;
  return BigInt(match[1] + fraction.padEnd(decimals, '0'));
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
  if (text.length > DECIMAL_LENGTH_MAX) return undefined;
  let value = 0;
  let digits = 0;
  /** Where the point is; -1 before it. */
  let point = -1;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === POINT && point === -1 && digits > 0) {
      point = at;
      continue;
    }
    if (code < ZERO || code > NINE) return undefined;
    // A number begins with a zero only where a point comes next.
    if (digits === 1 && value === 0 && point === -1) return undefined;
    value = value * 10 + (code - ZERO);
    digits += 1;
  }
  const decimals = point === -1 ? 0 : text.length - point - 1;
  if (digits === 0 || decimals > precision || (point !== -1 && decimals === 0)) return undefined;
  const whole = value * 10 ** (precision - decimals);
  // Beyond 2^53 - 1 the product may have been rounded, but never to a number below that.
  return whole <= Number.MAX_SAFE_INTEGER ? whole : undefined;
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
