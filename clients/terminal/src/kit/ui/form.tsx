/** The frame of a form: its fields, what went wrong as a whole, and the button that sends it. */
import type { ReactElement, ReactNode } from 'react';
import { Button } from './button.tsx';
import { classes } from './classes.ts';
import { Notice } from './notice.tsx';
import type { FormState } from './use-form.ts';

export interface FormProps<Values> {
  readonly form: FormState<Values>;
  readonly label: string;
  /** The verb on the button. */
  readonly action: string;
  /** `secondary` where the page offers something else first. */
  readonly kind?: 'primary' | 'secondary';
  readonly className?: string;
  readonly children: ReactNode;
}

export function Form<Values>({ form, label, action, kind = 'primary', className, children }: FormProps<Values>): ReactElement {
  return (
    <form onSubmit={form.submit} noValidate aria-label={label} className={classes('flex flex-col gap-3', className)}>
      {children}
      {form.fault !== undefined && <Notice tone="error">{form.fault}</Notice>}
      <Button type="submit" kind={kind} className="self-start" busy={form.busy}>
        {action}
      </Button>
    </form>
  );
}
