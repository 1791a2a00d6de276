/** A part of the page that loads and fails by itself: whatever goes wrong in it, all else goes on. */
import { Suspense } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { Boundary } from './boundary.tsx';
import { LineFailed, PartFailed } from './part-failed.tsx';

export interface PanelProps {
  /** In its place while its code comes. */
  readonly loading?: ReactNode;
  /** `line`: a bar or a button, which has room for one line of words. `none`: nothing can be seen of it anyway. */
  readonly room?: 'line' | 'none';
  readonly children: ReactNode;
}

const failedIn = { block: PartFailed, line: LineFailed, none: () => null } as const;

export function Panel({ loading = null, room, children }: PanelProps): ReactElement {
  const Failed = failedIn[room ?? 'block'];
  return (
    <Boundary renderFailure={(failure) => <Failed {...failure} />}>
      <Suspense fallback={loading}>{children}</Suspense>
    </Boundary>
  );
}
