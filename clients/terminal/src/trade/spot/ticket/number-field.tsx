/** A number of the ticket: its name at the left, the digits and the unit at the right, what is wrong below. */
import { useId } from 'react';
import type { KeyboardEvent, ReactElement, ReactNode } from 'react';
import { classes } from '../../../ui/classes.ts';
import { typedNumber } from './ticket-form.ts';

export interface NumberFieldProps {
  readonly id?: string;
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly unit: ReactNode;
  readonly error?: string | undefined;
  /** One step up or down by the arrow keys; ten with Shift. */
  readonly onStep?: (steps: number) => void;
  /** Between the name and the digits. */
  readonly aside?: ReactNode;
}

export function NumberField({ id: givenId, label, value, onChange, unit, error, onStep, aside }: NumberFieldProps): ReactElement {
  const ownId = useId();
  const id = givenId ?? ownId;
  const press = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.key === 'Escape') {
      if (value === '') event.currentTarget.blur();
      else onChange('');
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
          error === undefined ? 'border-control hover:border-fg3' : 'border-error',
        )}
      >
        <label htmlFor={id} className="shrink-0 text-sm text-fg2">
          {label}
        </label>
        {aside}
        <input
          id={id}
          inputMode="decimal"
          autoComplete="off"
          spellCheck={false}
          value={value}
          placeholder="0"
          aria-invalid={error !== undefined}
          aria-describedby={error === undefined ? undefined : `${id}-error`}
          onChange={(event) => {
            const typed = typedNumber(event.target.value);
            if (typed !== undefined) onChange(typed);
          }}
          onKeyDown={press}
          className="h-full min-w-0 grow bg-transparent text-end text-md font-medium outline-none placeholder:text-fg3"
        />
        <span className="shrink-0 text-sm text-fg3">{unit}</span>
      </div>
      {error !== undefined && (
        <p id={`${id}-error`} role="alert" className="mt-1 text-sm text-error">
          {error}
        </p>
      )}
    </div>
  );
}
