/** The frame of every page beside the trading screen: a title, a lead, sections divided by hairlines. */
import { useEffect } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { classes } from './classes.ts';
import { Panel } from './panel.tsx';

export interface PageProps {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly actions?: ReactNode;
  readonly width?: 'reading' | 'full';
  readonly children: ReactNode;
}

export function useDocumentTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Orrery`;
  }, [title]);
}

export function Page({ title, lead, actions, width = 'full', children }: PageProps): ReactElement {
  useDocumentTitle(title);
  return (
    <main className={classes('mx-auto w-full px-4 py-6 tablet:px-6', width === 'reading' ? 'max-w-[720px]' : 'max-w-[1180px]')}>
      <header className="mb-5 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <h1 className="text-xl font-semibold tracking-[-0.01em]">{title}</h1>
          {lead !== undefined && <div className="mt-1 max-w-[64ch] text-md text-pretty text-fg2">{lead}</div>}
        </div>
        {actions !== undefined && <div className="flex flex-wrap gap-2">{actions}</div>}
      </header>
      {children}
    </main>
  );
}

export interface SectionProps {
  readonly title: ReactNode;
  readonly aside?: ReactNode;
  readonly className?: string;
  readonly children: ReactNode;
}

export function Section({ title, aside, className, children }: SectionProps): ReactElement {
  return (
    <section className={classes('mb-5 overflow-hidden rounded-md border border-line bg-panel', className)}>
      <div className="flex min-h-10 flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b border-line px-4 py-1.5">
        <h2 className="text-md font-semibold">{title}</h2>
        {aside}
      </div>
      <Panel>{children}</Panel>
    </section>
  );
}

/** Pairs of a term and its value. */
export function Facts({ children }: { readonly children: ReactNode }): ReactElement {
  return <dl className="grid grid-cols-[minmax(7rem,max-content)_1fr] gap-x-6 px-4 py-1 text-md max-tablet:grid-cols-1">{children}</dl>;
}

export function Fact({ term, children }: { readonly term: ReactNode; readonly children: ReactNode }): ReactElement {
  return (
    <div className="col-span-full grid grid-cols-subgrid items-baseline border-b border-line py-2 last:border-0">
      <dt className="text-fg3">{term}</dt>
      <dd className="min-w-0 break-words text-fg">{children}</dd>
    </div>
  );
}
