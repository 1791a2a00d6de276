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
  /** 'always' writes + before what is above zero. */
  readonly sign?: 'negative' | 'always';
}

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;
const MINUS = '\u2212';
/** Shown for a value that is not known. Never 0: a missing number is not a zero. */
export const UNKNOWN = '\u2014';

function fractionOf(digits: string, decimals: number | undefined): string {
  return decimals === undefined ? digits : digits.slice(0, decimals).padEnd(decimals, '0');
}

/** Writes decimal text (`-1234.5`) in the person's format. Exact at any length: no float is involved. */
export function formatDecimal(text: string | undefined, style: DecimalStyle): string {
  const match = text === undefined ? null : DECIMAL.exec(text);
  if (match === null) return UNKNOWN;
  const [, minus = '', whole = '', digits = ''] = match;
  const { group, decimal } = separators[style.format];
  const fraction = fractionOf(digits, style.decimals);
  const grouped = whole.replace(/^0+(?=\d)/, '').replace(/\B(?=(\d{3})+$)/g, group);
  const isZero = !/[1-9]/.test(whole + fraction);
  const sign = isZero ? '' : minus === '-' ? MINUS : style.sign === 'always' ? '+' : '';
  return `${sign}${grouped}${fraction === '' ? '' : decimal + fraction}`;
}
