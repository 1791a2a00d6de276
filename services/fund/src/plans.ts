/** What stands beside a fund in words: configuration, by the code of its shares. */
import type { FundDetail } from '@orrery/api';

export interface FundPlan {
  /** The code of its shares. */
  readonly code: string;
  readonly name: string;
  readonly strategy: FundDetail['strategy'];
  readonly summary: string;
  /** What its strategy does, a sentence each. */
  readonly rules: readonly string[];
  /** What can go wrong, a sentence each. */
  readonly risks: readonly string[];
}

/** A fund that nobody has described is shown by its code. */
export const planOf = (plans: readonly FundPlan[], code: string): FundPlan =>
  plans.find((plan) => plan.code === code) ?? { code, name: code, strategy: 'OTHER', summary: '', rules: [], risks: [] };
