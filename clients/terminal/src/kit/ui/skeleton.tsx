import type { ReactElement } from 'react';
import { classes } from './classes.ts';

/** Holds the place of a value that is loading, in its geometry, so that nothing jumps when it arrives. */
export function Skeleton({ className }: { readonly className?: string }): ReactElement {
  return (
    <span aria-hidden="true" className={classes('inline-block h-2.5 w-16 animate-pulse rounded-sm bg-hover align-middle', className)} />
  );
}
