/** A labelled text field: its unit at the right, its error below, announced to assistive technology. */
import { useId } from 'react';
import type { ComponentProps, ReactElement, ReactNode } from 'react';
import { classes } from './classes.ts';
import type { FormControl } from './control.ts';
import { FieldLabel, FieldNote } from './field-label.tsx';

export interface InputFieldProps extends Omit<ComponentProps<'input'>, 'id'> {
  readonly label: string;
  /** Unit or action at the right end. */
  readonly aside?: ReactNode;
  readonly hint?: ReactNode;
  readonly error?: ReactNode;
}

export interface FieldProps
  extends Omit<InputFieldProps, 'value' | 'defaultValue' | 'onChange' | 'onBlur' | 'error'>, FormControl<string> {}

export function Field({ onChange, ...rest }: FieldProps): ReactElement {
  return <InputField {...rest} onChange={({ target }) => onChange(target.value)} />;
}

/** The same with the events of the browser, for what needs more of them than the text. */
export function InputField({ label, aside, hint, error, className, ...rest }: InputFieldProps): ReactElement {
  const id = useId();
  return (
    <div className={classes('flex flex-col gap-1', className)}>
      <FieldLabel htmlFor={id}>{label}</FieldLabel>
      <div
        className={classes(
          'flex h-(--field) items-center gap-2 rounded border bg-page pe-2.5 focus-within:outline-2 focus-within:outline-offset-1 focus-within:outline-focus',
          error === undefined ? 'border-control hover:border-fg3' : 'border-error',
        )}
      >
        <input
          autoComplete="off"
          spellCheck={false}
          {...rest}
          id={id}
          aria-invalid={error !== undefined}
          aria-describedby={(error ?? hint) === undefined ? undefined : `${id}-note`}
          className="h-full min-w-0 grow bg-transparent ps-2.5 text-md text-fg outline-none placeholder:text-fg3 disabled:opacity-45"
        />
        {aside}
      </div>
      <FieldNote id={id} hint={hint} error={error} />
    </div>
  );
}
