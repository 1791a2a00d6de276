/** What stands above and below a control: its name, and what is wrong or how to fill it in. */
import type { ReactElement, ReactNode } from 'react';
import { classes } from './classes.ts';

export interface FieldNoteProps {
  readonly id: string;
  readonly hint?: ReactNode;
  readonly error?: ReactNode;
}

export function FieldNote({ id, hint, error }: FieldNoteProps): ReactElement | null {
  const note = error ?? hint;
  if (note === undefined) return null;
  return (
    <p
      id={`${id}-note`}
      role={error === undefined ? undefined : 'alert'}
      className={classes('text-sm', error === undefined ? 'text-fg3' : 'text-error')}
    >
      {note}
    </p>
  );
}

export function FieldLabel({ htmlFor, children }: { readonly htmlFor: string; readonly children: ReactNode }): ReactElement {
  return (
    <label htmlFor={htmlFor} className="text-sm text-fg2">
      {children}
    </label>
  );
}
