import type { ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import type { FormControl } from '../../kit/ui/control.ts';
import { NumberField } from '../../kit/ui/number-field.tsx';
import { coinName } from './coin-name.ts';
import type { FieldIssue } from '../../kit/ui/use-form.ts';

export interface AmountFieldProps extends FormControl<string> {
  readonly label: string;
  readonly coin: string;
  /** `undefined` while it is not known what there is, and where nothing limits it: the field is the same one when it becomes known. */
  readonly onMax: (() => void) | undefined;
  readonly hint: string | undefined;
  /** Shown once something has been typed; a form says its own `error`. */
  readonly problem?: FieldIssue | undefined;
}

/** An amount of a coin, with what is available and a way to take all of it. */
export function AmountField({ label, coin, value, onMax, hint, problem, error, ...control }: AmountFieldProps): ReactElement {
  const text = useText();
  const own = value === '' || problem === undefined ? undefined : text(problem.message, problem.values);
  return (
    <NumberField
      label={label}
      {...control}
      value={value}
      hint={hint}
      error={error ?? own}
      aside={
        <span className="flex shrink-0 items-center gap-2 text-md text-fg3">
          {coinName(coin)}
          {onMax !== undefined && (
            <button type="button" onClick={onMax} className="rounded-sm px-1 text-sm font-semibold text-fg2 hover:text-fg">
              {text('ui.max')}
            </button>
          )}
        </span>
      }
    />
  );
}
