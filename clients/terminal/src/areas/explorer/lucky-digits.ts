/** The four digits of a block's hash that decide whether it is lucky. */
import { isLuckyHash } from '@orrery/api';

const PREFIX = '0x';
const DIGITS = 4;

export interface LuckyDigits {
  /** The first four hex digits. */
  readonly digits: string;
  readonly rest: string;
  /** Why: `lucky`, `letter` when a digit is not decimal, `unequal` when they differ. */
  readonly verdict: 'lucky' | 'letter' | 'unequal';
}

export function luckyDigits(hash: string): LuckyDigits {
  const digits = hash.slice(PREFIX.length, PREFIX.length + DIGITS);
  const rest = hash.slice(PREFIX.length + DIGITS);
  if (isLuckyHash(hash)) return { digits, rest, verdict: 'lucky' };
  return { digits, rest, verdict: /^[0-9]*$/.test(digits) ? 'unequal' : 'letter' };
}
