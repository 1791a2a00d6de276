/** A choice with its name above it, as fields have theirs. */
import type { ReactElement, ReactNode } from 'react';

/** The choice itself has the name for assistive technology. */
export function Labelled({ label, children }: { readonly label: string; readonly children: ReactNode }): ReactElement {
  return (
    <div className="flex flex-col gap-1">
      <span aria-hidden="true" className="text-sm text-fg2">
        {label}
      </span>
      {children}
    </div>
  );
}
