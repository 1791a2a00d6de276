/** What is wrong with an amount of a coin of the exchange, by its decimals and what there is of it. */
import { useFormat } from '../../kit/settings/use-format.ts';
import type { FieldIssue } from '../../kit/ui/use-form.ts';
import { amountProblem } from './amount-problem.ts';
import { coinName } from './coin-name.ts';
import { precisionOf, useCoins } from './use-coins.ts';

interface Typed {
  readonly text: string;
  readonly coin: string;
  /** Decimal text. */
  readonly available: string;
}

export function useAmountProblem(): (typed: Typed) => FieldIssue | undefined {
  const coins = useCoins();
  const format = useFormat();
  return ({ text, coin, available }) =>
    amountProblem({ text, decimals: precisionOf(coins, coin), available, shown: `${format.own(available)} ${coinName(coin)}` });
}
