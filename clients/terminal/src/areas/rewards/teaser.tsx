import type { ReactElement, ReactNode } from 'react';
import { Section } from '../../kit/ui/page.tsx';

export interface TeaserProps {
  readonly title: string;
  /** Leads to the whole of it. */
  readonly action: ReactNode;
  readonly children: ReactNode;
}

/** A small box beside one's own points: what else there is to be won. */
export function Teaser({ title, action, children }: TeaserProps): ReactElement {
  return (
    <Section title={title}>
      <div className="flex flex-col items-start gap-3 px-4 py-3 text-md text-fg2">
        {children}
        {action}
      </div>
    </Section>
  );
}
