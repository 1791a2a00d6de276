import type { ComponentProps, ReactElement } from 'react';
import { classes } from './classes.ts';

export interface IconButtonProps extends ComponentProps<'button'> {
  /** What the button does, in words: an icon alone means nothing to a screen reader. */
  readonly label: string;
}

const ignore = (): void => undefined;

export function IconButton({ label, className, ...rest }: IconButtonProps): ReactElement {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...rest}
      // A disabled button would lose the focus.
      {...(rest['aria-disabled'] === true && { onClick: ignore })}
      className={classes(
        'inline-flex size-8 shrink-0 items-center justify-center rounded text-fg2 transition-colors duration-[120ms] hover:bg-hover hover:text-fg disabled:opacity-45 aria-disabled:opacity-45',
        className,
      )}
    />
  );
}
