/** How far something has come, as a bar; the words beside it say of what. */
import type { ReactElement } from 'react';
import { classes } from './classes.ts';

export interface ProgressProps {
  readonly label: string;
  /** Whole per cents from 0 to 100; `undefined` while nobody knows how much there is. */
  readonly percent: number | undefined;
  readonly className?: string;
}

export function Progress({ label, percent, className }: ProgressProps): ReactElement {
  const isDone = percent === 100;
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      {...(percent !== undefined && { 'aria-valuenow': percent })}
      className={classes('h-1 overflow-hidden rounded-sm bg-hover', className)}
    >
      <div
        className={classes('h-full', isDone ? 'bg-ok' : 'bg-fg2', percent === undefined && 'w-1/3 animate-pulse')}
        {...(percent !== undefined && { style: { width: `${percent}%` } })}
      />
    </div>
  );
}
