/** A term and its value in a narrow column: what is too long for one line stands below. */
import type { ReactElement, ReactNode } from 'react';

export function Item({ label, children }: { readonly label: string; readonly children: ReactNode }): ReactElement {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4 border-b border-line py-2 last:border-0">
      <dt className="text-fg3">{label}</dt>
      <dd className="min-w-0 font-medium text-pretty">{children}</dd>
    </div>
  );
}
