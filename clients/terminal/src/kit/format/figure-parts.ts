/** A number for reading: the digits that say something, and the zeros at its end that only keep the column in line. */
import { formatDecimal, separatorsOf } from './number-format.ts';
import type { DecimalStyle } from './number-format.ts';

export interface FigureParts {
  readonly digits: string;
  /** The zeros that end the decimals, with the decimal mark where no other decimals are left. */
  readonly zeros: string;
}

export function figureParts(text: string | undefined, style: DecimalStyle): FigureParts {
  const shown = formatDecimal(text, style);
  const mark = shown.lastIndexOf(separatorsOf(style.format).decimal);
  const decimals = mark === -1 ? '' : shown.slice(mark);
  const [zeros = ''] = /(?:^[.,])?0*$/.exec(decimals) ?? [];
  return { digits: shown.slice(0, shown.length - zeros.length), zeros };
}
