/** A number of the ticket: its name at the left, the digits and the unit at the right, what is wrong below. */
import { useId } from 'react';
import type { KeyboardEvent, ReactElement, ReactNode } from 'react';
import { classes } from '../../kit/ui/classes.ts';
import type { FormControl } from '../../kit/ui/control.ts';
import { useNumberEntry } from '../../kit/ui/number-entry.tsx';

export interface NumberFieldProps extends FormControl<string> {
  readonly id?: string;
  readonly label: string;
  readonly unit: ReactNode;
  /** One step up or down by the arrow keys; ten with Shift. */
  readonly onStep?: (steps: number) => void;
  /** Between the name and the digits. */
  readonly aside?: ReactNode;
  /** Below the digits, while nothing is wrong with them. */
  readonly hint?: string | undefined;
}

export function NumberField(props: NumberFieldProps): ReactElement {
  const { id: givenId, label, value, onChange, onBlur, unit, error, onStep, aside, hint } = props;
  const ownId = useId();
  const id = givenId ?? ownId;
  const { input, note, isRefused, clear } = useNumberEntry({ value, onChange });
  const problem = note ?? error;
  const press = (event: KeyboardEvent<HTMLInputElement>): void => {
    input.onKeyDown(event);
    if (event.defaultPrevented) return;
    if (event.key === 'Escape') {
      if (input.value === '') event.currentTarget.blur();
      else clear();
    } else if (onStep !== undefined && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) {
      onStep((event.key === 'ArrowUp' ? 1 : -1) * (event.shiftKey ? 10 : 1));
      event.preventDefault();
    }
  };
  return (
    <div>
      <div
        className={classes(
          'flex h-(--field) items-center gap-2 rounded border bg-page pe-2.5 ps-2.5 focus-within:outline-2 focus-within:outline-offset-1 focus-within:outline-focus',
          problem === undefined ? 'border-control hover:border-fg3' : 'border-error',
        )}
      >
        <label htmlFor={id} className="shrink-0 text-sm text-fg2">
          {label}
        </label>
        {aside}
        <input
          {...input}
          id={id}
          placeholder="0"
          aria-invalid={problem !== undefined}
          aria-describedby={problem !== undefined ? `${id}-error` : hint !== undefined ? `${id}-hint` : undefined}
          onKeyDown={press}
          onBlur={onBlur}
          className="h-full min-w-0 grow bg-transparent text-end text-md font-medium outline-none placeholder:text-fg3"
        />
        <span className="shrink-0 text-sm text-fg3">{unit}</span>
      </div>
      {problem === undefined && hint !== undefined && (
        <p id={`${id}-hint`} className="mt-1 text-end text-sm text-fg3">
          {hint}
        </p>
      )}
      {problem !== undefined && (
        <p
          id={`${id}-error`}
          // A question has a role of its own.
          role={note === undefined || isRefused ? 'alert' : undefined}
          className="mt-1 text-sm text-error"
        >
          {problem}
        </p>
      )}
    </div>
  );
}
