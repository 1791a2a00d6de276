/** What is wrong with a typed amount, as a message; `undefined` when it may be sent. */
import { parseAtoms } from '@orrery/units';
import type { FieldIssue } from '../../kit/ui/use-form.ts';

export interface AmountRule {
  readonly text: string;
  readonly decimals: number;
  /** At most this much. */
  readonly available: string;
  /** What is available, as it is shown with its coin. */
  readonly shown: string;
}

export function amountProblem({ text, decimals, available, shown }: AmountRule): FieldIssue | undefined {
  const amount = parseAtoms(text, decimals);
  if (amount === undefined) return { message: 'transfer.invalid', values: { decimals } };
  if (amount === 0n) return { message: 'transfer.zero' };
  const limit = parseAtoms(available, decimals);
  return limit !== undefined && amount > limit ? { message: 'transfer.tooMuch', values: { amount: shown } } : undefined;
}
