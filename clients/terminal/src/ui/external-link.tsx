import { ExternalLink as Icon } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import { isInApp } from '../app/in-app.ts';

export interface ExternalLinkProps {
  readonly href: string;
  readonly children: ReactNode;
}

/** Opens in a new tab. Inside the app, which has no tabs, only the words remain. */
export function ExternalLink({ href, children }: ExternalLinkProps): ReactElement {
  if (isInApp) return <span>{children}</span>;
  return (
    <a href={href} target="_blank" rel="noreferrer" className="inline-flex items-center gap-1 text-link">
      {children}
      <Icon size={12} aria-hidden="true" />
    </a>
  );
}
