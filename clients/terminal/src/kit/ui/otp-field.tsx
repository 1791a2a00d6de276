/** A one-time code: one field for assistive technology and for pasting, one box for each digit to look at. */
import { useId } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { classes } from './classes.ts';
import type { FormControl } from './control.ts';
import { FieldLabel, FieldNote } from './field-label.tsx';

/** The value is of the alphabet only, at most `length` of it. */
export interface OtpFieldProps extends FormControl<string> {
  readonly label: string;
  /** Called once when the last digit is entered. */
  readonly onComplete?: (code: string) => void;
  readonly length?: number;
  /** What it is made of; letters are written as capitals. */
  readonly alphabet?: 'digits' | 'alphanumeric';
  readonly disabled?: boolean;
  readonly hint?: ReactNode;
}

const NOT_IN = { digits: /[^0-9]/g, alphanumeric: /[^0-9A-Z]/g } as const;

export function OtpField(props: OtpFieldProps): ReactElement {
  const { label, value, onChange, onBlur, onComplete, length = 6, alphabet = 'digits', disabled = false, hint, error } = props;
  const id = useId();
  const enter = (entered: string): void => {
    const code = entered.toUpperCase().replace(NOT_IN[alphabet], '').slice(0, length);
    if (code === value) return;
    onChange(code);
    if (code.length === length) onComplete?.(code);
  };
  return (
    <div className="flex flex-col gap-1">
      <FieldLabel htmlFor={id}>{label}</FieldLabel>
      <div className="group relative max-w-full self-start">
        <input
          id={id}
          inputMode={alphabet === 'digits' ? 'numeric' : 'text'}
          autoCapitalize="characters"
          autoComplete="one-time-code"
          value={value}
          // A disabled field would lose the focus.
          readOnly={disabled}
          aria-disabled={disabled}
          aria-invalid={error !== undefined}
          {...((error ?? hint) !== undefined && { 'aria-describedby': `${id}-note` })}
          onChange={(event) => enter(event.target.value)}
          onBlur={onBlur}
          // The boxes show the digits and where the next one goes.
          className="absolute inset-0 z-10 w-full cursor-text bg-transparent text-transparent caret-transparent outline-none selection:bg-transparent"
        />
        <div aria-hidden="true" className={classes('flex gap-1.5', disabled && 'opacity-45')}>
          {Array.from({ length }, (_, place) => (
            <span
              key={place}
              className={classes(
                'flex h-11 w-9 min-w-0 items-center justify-center rounded border bg-page text-lg font-semibold',
                error === undefined ? 'border-control' : 'border-error',
                place === Math.min(value.length, length - 1) && 'group-focus-within:outline-2 group-focus-within:outline-focus',
              )}
            >
              {value[place]}
            </span>
          ))}
        </div>
      </div>
      <FieldNote id={id} hint={hint} error={error} />
    </div>
  );
}
