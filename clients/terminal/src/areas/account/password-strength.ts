/** How hard a password is to guess. */
import { PASSWORD_LENGTHS } from '@orrery/api';

export type Strength = 'short' | 'weak' | 'fair' | 'good';

/** By score. */
const STRENGTHS = ['weak', 'weak', 'fair', 'fair', 'good'] as const satisfies readonly Strength[];

/** Rejects where the estimates cannot be loaded. */
export async function strengthOf(password: string): Promise<Strength> {
  if (password.length < PASSWORD_LENGTHS[0]) return 'short';
  const { scoreOf } = await import('./password-guesses.ts');
  return STRENGTHS[scoreOf(password)] ?? 'weak';
}
