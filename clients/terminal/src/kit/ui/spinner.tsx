import type { ReactElement } from 'react';
import { classes } from './classes.ts';

/** Work of unknown length, such as waiting for a wallet. Loading data shows a skeleton instead. */
export function Spinner({ className }: { readonly className?: string }): ReactElement {
  return (
    <svg viewBox="0 0 16 16" aria-hidden="true" className={classes('size-4 animate-spin', className)}>
      <circle cx="8" cy="8" r="6.5" fill="none" stroke="currentColor" strokeOpacity=".25" strokeWidth="2" />
      <path d="M8 1.5A6.5 6.5 0 0 1 14.5 8" fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
    </svg>
  );
}
