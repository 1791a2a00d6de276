/** The numbers of a bar for words: every digit the float was read from, so that a format cuts them and nothing rounds up on the way. */
import { decimal } from '../../kit/format/decimal.ts';

export const barText = (value: number): string => decimal(String(value)).toFixed();
