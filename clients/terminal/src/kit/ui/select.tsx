/** One of a few choices. The browser's own control: it works with every keyboard, screen reader and phone. */
import { ChevronDown } from 'lucide-react';
import type { ReactElement } from 'react';
import { classes } from './classes.ts';
import type { FormControl } from './control.ts';

/** What is wrong is marked here, and said in words by `SelectField`. */
export interface SelectProps<Value extends string> extends FormControl<Value> {
  readonly label: string;
  readonly choices: readonly { readonly value: Value; readonly label: string }[];
  readonly size?: 'small' | 'medium';
  readonly id?: string;
  readonly disabled?: boolean;
  /** The id of what explains the choice, or says what is wrong with it. */
  readonly describedBy?: string;
  readonly className?: string;
  /** What stands in the closed control, where the names of the choices are too long for its place. */
  readonly shown?: string;
}

export function Select<Value extends string>({
  label,
  value,
  choices,
  onChange,
  onBlur,
  error,
  size = 'medium',
  id,
  disabled = false,
  describedBy,
  className,
  shown,
}: SelectProps<Value>): ReactElement {
  const change = (next: string): void => {
    const chosen = choices.find((choice) => choice.value === next);
    if (chosen !== undefined) onChange(chosen.value);
  };
  return (
    <span className={classes('relative inline-flex items-center', className)}>
      {shown !== undefined && (
        <span aria-hidden="true" className={classes('pe-5 text-fg2', size === 'small' ? 'text-sm' : 'text-md')}>
          {shown}
        </span>
      )}
      <select
        id={id}
        aria-label={label}
        aria-describedby={describedBy}
        disabled={disabled}
        value={value}
        onChange={(event) => change(event.target.value)}
        onBlur={onBlur}
        aria-invalid={error !== undefined}
        className={classes(
          'w-full appearance-none rounded border bg-page pe-7 ps-2.5 text-fg disabled:opacity-45',
          shown !== undefined && 'absolute inset-0 opacity-0',
          error === undefined ? 'border-control not-disabled:hover:border-fg3' : 'border-error',
          size === 'small' ? 'h-7 text-sm' : 'h-(--field) text-md',
        )}
      >
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value} className="bg-raised text-fg">
            {choice.label}
          </option>
        ))}
      </select>
      <ChevronDown
        size={14}
        aria-hidden="true"
        className={classes('pointer-events-none absolute text-fg3', shown === undefined ? 'inset-e-2' : 'inset-e-0')}
      />
    </span>
  );
}
