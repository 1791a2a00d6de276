/** A labelled text field: its unit at the right, its error below, announced to assistive technology. */
import { useId } from 'react';
import type { ComponentProps, ReactElement, ReactNode } from 'react';
import { classes } from './classes.ts';

export interface FieldProps extends Omit<ComponentProps<'input'>, 'id'> {
  readonly label: string;
  /** Unit or action at the right end. */
  readonly aside?: ReactNode;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
}

export function Field({ label, aside, hint, error, className, ...rest }: FieldProps): ReactElement {
  const id = useId();
  const note = error ?? hint;
  return (
    <div className={classes('flex flex-col gap-1', className)}>
      <label htmlFor={id} className="text-sm text-fg2">
        {label}
      </label>
      <div
        className={classes(
          'flex h-(--field) items-center gap-2 rounded border bg-page pr-2.5 focus-within:outline-2 focus-within:outline-offset-1 focus-within:outline-focus',
          error === undefined ? 'border-control hover:border-fg3' : 'border-error',
        )}
      >
        <input
          autoComplete="off"
          spellCheck={false}
          {...rest}
          id={id}
          aria-invalid={error !== undefined}
          aria-describedby={note === undefined ? undefined : `${id}-note`}
          className="h-full min-w-0 grow bg-transparent pl-2.5 text-md text-fg outline-none placeholder:text-fg3"
        />
        {aside}
      </div>
      {note !== undefined && (
        <p
          id={`${id}-note`}
          role={error === undefined ? undefined : 'alert'}
          className={classes('text-sm', error === undefined ? 'text-fg3' : 'text-error')}
        >
          {note}
        </p>
      )}
    </div>
  );
}
