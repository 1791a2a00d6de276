import { useId } from 'react';
import type { ReactElement, ReactNode } from 'react';

interface SummarySectionProps {
  readonly title: string;
  /** At the end of the title's line. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

export function SummarySection({ title, aside, children }: SummarySectionProps): ReactElement {
  const id = useId();
  return (
    <section aria-labelledby={id} className="p-2.5">
      <div className="mb-1 flex items-baseline justify-between gap-2">
        <h2 id={id} className="text-md font-semibold">
          {title}
        </h2>
        {aside}
      </div>
      {children}
    </section>
  );
}
