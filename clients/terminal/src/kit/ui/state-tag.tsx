import type { ReactElement, ReactNode } from 'react';
import { classes } from './classes.ts';

export type StateTone = 'done' | 'waiting' | 'failed' | 'neutral';

const dots: Readonly<Record<StateTone, string>> = {
  done: 'bg-ok',
  waiting: 'bg-warn',
  failed: 'bg-error',
  neutral: 'bg-fg3',
};

/** A state in words; the dot only repeats it. */
export function StateTag({ tone, children }: { readonly tone: StateTone; readonly children: ReactNode }): ReactElement {
  return (
    <span className="inline-flex items-baseline gap-1.5 whitespace-nowrap">
      <span aria-hidden="true" className={classes('size-1.5 shrink-0 self-center rounded-full', dots[tone])} />
      {children}
    </span>
  );
}
