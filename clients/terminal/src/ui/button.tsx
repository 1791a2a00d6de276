/** A button says what it does; a busy one keeps its size, shows it is working and cannot be pressed twice. */
import type { ComponentProps, ReactElement } from 'react';
import { buttonClasses } from './button-classes.ts';
import type { ButtonLook } from './button-classes.ts';
import { classes } from './classes.ts';
import { Spinner } from './spinner.tsx';

export interface ButtonProps extends ComponentProps<'button'>, ButtonLook {
  readonly busy?: boolean | undefined;
}

export function Button({ kind, size, busy = false, className, disabled = false, children, ...rest }: ButtonProps): ReactElement {
  return (
    <button
      type="button"
      {...rest}
      disabled={disabled || busy}
      aria-busy={busy}
      className={classes(buttonClasses({ kind, size }), className)}
    >
      <span className={classes('inline-flex items-center gap-1.5', busy && 'invisible')}>{children}</span>
      {busy && <Spinner className="absolute" />}
    </button>
  );
}
