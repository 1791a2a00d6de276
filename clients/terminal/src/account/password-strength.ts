/** How hard a password is to guess, as far as its length and its letters say. */
import { PASSWORD_LENGTH_GOOD, PASSWORD_LENGTHS } from '@orrery/api';

export type Strength = 'short' | 'weak' | 'fair' | 'good';

const KINDS = [/[a-z]/, /[A-Z]/, /[0-9]/, /[^a-zA-Z0-9]/] as const;
/** Different letters below this number make a pattern. */
const LETTERS_MIN = 6;

export function strengthOf(password: string): Strength {
  if (password.length < PASSWORD_LENGTHS[0]) return 'short';
  const kinds = KINDS.filter((kind) => kind.test(password)).length;
  if (new Set(password).size < LETTERS_MIN || (kinds === 1 && password.length < PASSWORD_LENGTH_GOOD)) return 'weak';
  return password.length >= PASSWORD_LENGTH_GOOD ? 'good' : 'fair';
}
