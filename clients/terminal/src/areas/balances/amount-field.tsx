import type { ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import type { Control } from '../../kit/ui/control.ts';
import { NumberField } from '../../kit/ui/number-field.tsx';
import { coinName } from './coin-name.ts';
import type { AmountProblem } from './amount-problem.ts';

export interface AmountFieldProps extends Control<string> {
  readonly label: string;
  readonly coin: string;
  readonly onMax: () => void;
  readonly hint: string;
  /** Shown once something has been typed. */
  readonly problem: AmountProblem | undefined;
}

/** An amount of a coin, with what is available and a way to take all of it. */
export function AmountField({ label, coin, value, onChange, onMax, hint, problem }: AmountFieldProps): ReactElement {
  const text = useText();
  const error = value === '' || problem === undefined ? undefined : text(problem.id, problem.values);
  return (
    <NumberField
      label={label}
      value={value}
      onChange={onChange}
      hint={hint}
      error={error}
      aside={
        <span className="flex shrink-0 items-center gap-2 text-md text-fg3">
          {coinName(coin)}
          <button type="button" onClick={onMax} className="rounded-sm px-1 text-sm font-semibold text-fg2 hover:text-fg">
            {text('ui.max')}
          </button>
        </span>
      }
    />
  );
}
