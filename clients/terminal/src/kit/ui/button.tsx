/** A button says what it does; a busy one keeps its size and the focus, shows it is working and cannot be pressed twice. */
import type { ComponentProps, MouseEvent, ReactElement } from 'react';
import { buttonClasses } from './button-classes.ts';
import type { ButtonLook } from './button-classes.ts';
import { classes } from './classes.ts';
import { Spinner } from './spinner.tsx';

export interface ButtonProps extends ComponentProps<'button'>, ButtonLook {
  readonly busy?: boolean | undefined;
}

/** Of a form's own button too: Enter in a field presses it. */
const ignore = (event: MouseEvent): void => event.preventDefault();

export function Button({ kind, size, busy = false, className, children, ...rest }: ButtonProps): ReactElement {
  // A disabled button would lose the focus.
  const isHeld = busy || rest['aria-disabled'] === true;
  return (
    <button
      type="button"
      {...rest}
      {...(isHeld && { 'aria-disabled': true, onClick: ignore })}
      aria-busy={busy}
      className={classes(buttonClasses({ kind, size }), className)}
    >
      <span className={classes('inline-flex items-center gap-1.5', busy && 'opacity-0')}>{children}</span>
      {busy && <Spinner className="absolute" />}
    </button>
  );
}
