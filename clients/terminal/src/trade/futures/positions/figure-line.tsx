/** A figure of a ticket or a dialog: its name at the left, at the right what it is, and what it would become. */
import type { ReactElement, ReactNode } from 'react';
import { classes } from '../../../kit/ui/classes.ts';

export interface FigureLineProps {
  readonly name: ReactNode;
  readonly children: ReactNode;
  /** Nothing of it is cut off: there is a button in it. */
  readonly whole?: true;
}

export function FigureLine({ name, children, whole }: FigureLineProps): ReactElement {
  return (
    <div className="flex items-baseline justify-between gap-3">
      <dt className="text-fg2">{name}</dt>
      <dd className={classes('min-w-0 text-end text-fg', whole ? 'flex flex-wrap items-center justify-end gap-1' : 'truncate')}>
        {children}
      </dd>
    </div>
  );
}

/** What is now stands back; what will be is read. */
export function Moved({ from, to }: { readonly from: string; readonly to: string | undefined }): ReactElement {
  return to === undefined ? (
    <>{from}</>
  ) : (
    <>
      <span className="text-fg3">{from} → </span>
      {to}
    </>
  );
}
