/** What is wrong with a typed amount, as a message; `undefined` when it may be sent. */
import { parseAtoms } from '@orrery/units';
import type { MessageId } from '../../kit/i18n/catalog.ts';
import type { TextValues } from '../../kit/i18n/text.tsx';

export interface AmountRule {
  readonly text: string;
  readonly decimals: number;
  /** At most this much. */
  readonly available: string;
}

export interface AmountProblem {
  readonly id: MessageId;
  readonly values?: TextValues;
}

export function amountProblem({ text, decimals, available }: AmountRule): AmountProblem | undefined {
  const amount = parseAtoms(text, decimals);
  if (amount === undefined) return { id: 'transfer.invalid', values: { decimals } };
  if (amount === 0n) return { id: 'transfer.zero' };
  const limit = parseAtoms(available, decimals);
  return limit !== undefined && amount > limit ? { id: 'transfer.tooMuch' } : undefined;
}
