/** The four ways a number may be written. Display always rounds down (towards zero): nobody is shown more than there is. */
export const numberFormats = ['1,234.56', '1.234,56', '1234,56', '1 234,56'] as const;
export type NumberFormat = (typeof numberFormats)[number];

export interface Separators {
  readonly group: string;
  readonly decimal: string;
}

const separators: Readonly<Record<NumberFormat, Separators>> = {
  '1,234.56': { group: ',', decimal: '.' },
  '1.234,56': { group: '.', decimal: ',' },
  '1234,56': { group: '', decimal: ',' },
  // A no-break space, so that a number never wraps.
  '1 234,56': { group: '\u00a0', decimal: ',' },
};

export const separatorsOf = (format: NumberFormat): Separators => separators[format];

export interface DecimalStyle {
  readonly format: NumberFormat;
  /** Decimals shown: cut or padded to exactly this many. Without it the number keeps its own. */
  readonly decimals?: number;
  /**
   * What the decimals leave out. `down`, the usual, for what a person has or may use: nothing is shown that is not there. `nearest`, with a half away from
   * zero, for what was or will be paid, received, gained or charged, and for rates.
   */
  readonly rounding?: 'down' | 'nearest';
  /** 'always' writes + before what is above zero. */
  readonly sign?: 'negative' | 'always';
}

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;
const MINUS = '\u2212';
/** Shown for a value that is not known. Never 0: a missing number is not a zero. */
export const UNKNOWN = '\u2014';

/** The digits before the point and behind it. */
function partsOf(whole: string, digits: string, { decimals, rounding }: DecimalStyle): readonly [whole: string, fraction: string] {
  if (decimals === undefined) return [whole, digits];
  const kept = digits.slice(0, decimals).padEnd(decimals, '0');
  if (rounding !== 'nearest' || (digits[decimals] ?? '0') < '5') return [whole, kept];
  const up = (BigInt(whole + kept) + 1n).toString().padStart(decimals + 1, '0');
  return [up.slice(0, up.length - decimals), up.slice(up.length - decimals)];
}

/** Writes decimal text (`-1234.5`) in the person's format. Exact at any length: no float is involved. */
export function formatDecimal(text: string | undefined, style: DecimalStyle): string {
  const match = text === undefined ? null : DECIMAL.exec(text);
  if (match === null) return UNKNOWN;
  const [, minus = '', all = '', digits = ''] = match;
  const { group, decimal } = separators[style.format];
  const [whole, fraction] = partsOf(all, digits, style);
  const grouped = whole.replace(/^0+(?=\d)/, '').replace(/\B(?=(\d{3})+$)/g, group);
  const isZero = !/[1-9]/.test(whole + fraction);
  const sign = isZero ? '' : minus === '-' ? MINUS : style.sign === 'always' ? '+' : '';
  return `${sign}${grouped}${fraction === '' ? '' : decimal + fraction}`;
}
